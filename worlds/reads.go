package worlds

import (
	"os"
	"path/filepath"
	"strings"
)

// Reads reports whether dir is, or lies in, a folder whose files the world
// loads: plot, personas and so on. Links are followed. A built-in world has none.
func (w *World) Reads(dir string) bool {
	if w.Dir == "" {
		return false
	}
	at := resolved(dir)
	for _, name := range folders() {
		rel, err := filepath.Rel(resolved(filepath.Join(w.Dir, name)), at)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
			return true
		}
	}
	return false
}

// resolved is an absolute path without links; what is not there yet is kept.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil || filepath.Dir(path) == path {
		return real
	}
	return filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
}
