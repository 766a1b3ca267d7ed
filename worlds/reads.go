package worlds

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrOwn: a place is a world's own. An OwnError says whose.
var ErrOwn = errors.New("a world's own place")

// OwnError says that nothing is to be written to a place, because a world keeps
// its own files there.
type OwnError struct{ Path, World string }

// Error names the place and the world's folder.
func (e *OwnError) Error() string {
	return fmt.Sprintf("%s is a place of the files of the world in %s itself; choose another", e.Path, e.World)
}

// Is makes errors.Is(err, ErrOwn) hold.
func (e *OwnError) Is(target error) bool { return target == ErrOwn }

// Guard refuses a file or folder that is, or lies in, what a world keeps for
// itself: its manifest, the folders that it loads, and what fabula generates. It
// is asked before anything is written that no world is to read. Links are
// followed; any world counts, also one that does not load. Errors: ErrOwn.
func Guard(path string) error {
	at := resolved(path)
	for dir := at; ; dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(dir, at); err == nil && dir != at && isWorld(dir) {
			first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			if slices.Contains(append(folders(), manifestFile, "world.yml", stateFolder), first) {
				return &OwnError{path, dir}
			}
		}
		if filepath.Dir(dir) == dir {
			return nil
		}
	}
}

// isWorld reports whether a folder holds a manifest.
func isWorld(dir string) bool {
	for _, name := range []string{manifestFile, "world.yml"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
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
