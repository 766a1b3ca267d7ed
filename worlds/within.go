package worlds

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// within is a folder from which no name and no link leads out. It is opened for
// each look, so that one which was moved or replaced is seen as it is.
type within string

var (
	_ fs.ReadDirFS = within("")
	_ fs.StatFS    = within("")
)

// Open opens a file of the folder.
func (w within) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(w))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Open(filepath.FromSlash(name))
}

// ReadDir lists a folder below.
func (w within) ReadDir(name string) ([]fs.DirEntry, error) {
	root, err := os.OpenRoot(string(w))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return fs.ReadDir(root.FS(), name)
}

// Stat follows a link, unless it leads out.
func (w within) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(w))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Stat(filepath.FromSlash(name))
}

// escapes reports whether an error is that a link leads out. The package os has
// no name for it.
func escapes(err error) bool {
	var at *fs.PathError
	return errors.As(err, &at) && strings.Contains(at.Err.Error(), "escapes")
}
