package worlds

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stamp sums up name, size and time of every authored file in a folder, without
// reading one: it differs once an author has saved. A folder that is gone has a
// stamp of its own.
func Stamp(dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == dir:
			return err
		case err != nil:
			fmt.Fprintf(&b, "%s unreadable\n", name)
			return nil
		case entry.IsDir() && name != dir && !mayHold(dir, name):
			return fs.SkipDir // such as .fabula, which every turn changes
		case entry.IsDir() || !authored(name):
			return nil
		}
		if info, err := os.Stat(name); err == nil { // a link's target is what is read
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return b.String()
}

// mayHold reports whether a folder below dir may hold authored files.
func mayHold(dir, name string) bool {
	known := filepath.Dir(name) != filepath.Clean(dir) || slices.Contains(folders(), filepath.Base(name))
	return known && !strings.HasPrefix(filepath.Base(name), ".")
}
