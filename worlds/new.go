package worlds

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"fabula/engine/safefile"
	"fabula/personas/lint"
	"fabula/personas/source"
)

// ErrNotEmpty is wrapped by New where the folder already holds something.
var ErrNotEmpty = errors.New("the folder is not empty")

// ErrTemplate is wrapped by New where there is no such template.
var ErrTemplate = errors.New("no template")

// Templates lists what New can start from.
func Templates() []string { return []string{"blank", "fox_lantern"} }

// New writes a world folder from a template ("" is blank). It overwrites
// nothing: a folder that holds anything is refused, naming what is there. All
// files appear at once where dir does not exist yet, by a rename.
func New(dir, template string) error {
	files, err := templateFiles(template)
	if err != nil {
		return fmt.Errorf("new world %s: %w", dir, err)
	}
	if err := writeWorld(files, filepath.Clean(dir)); err != nil {
		return fmt.Errorf("new world %s: %w", dir, err)
	}
	return nil
}

func templateFiles(name string) (fs.FS, error) {
	switch name {
	case "", "blank":
		return fs.Sub(embedded, "templates/blank")
	case "fox_lantern":
		return fs.Sub(embedded, name)
	}
	return nil, fmt.Errorf("%w %q: there are %s", ErrTemplate, name, strings.Join(Templates(), ", "))
}

func writeWorld(files fs.FS, dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeBeside(files, dir)
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%w: it holds %s", ErrNotEmpty, some(entries))
	}
	return writeInto(files, dir, worldID(dir)) // kept: it may be the one a shell stands in
}

func some(entries []fs.DirEntry) string {
	const most = 5
	var names []string
	for _, e := range entries[:min(most, len(entries))] {
		names = append(names, e.Name())
	}
	if more := len(entries) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// writeBeside fills a temporary folder and renames it to dir.
func writeBeside(files fs.FS, dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".fabula-new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.Chmod(temp, 0o700); err != nil {
		return err
	}
	if err := writeInto(files, temp, worldID(dir)); err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil {
		return err
	}
	return safefile.SyncDir(parent)
}

// writeInto copies the template, world.yaml last: a folder without it is no
// world, so a copy that was cut short is not taken for one.
func writeInto(files fs.FS, dir, id string) error {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && name != manifestFile {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, ".gitignore"), []byte(".fabula/\n")); err != nil {
		return err
	}
	for _, name := range append(names, manifestFile) {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if name == manifestFile {
			data = named(data, id)
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	return safefile.SyncDir(dir)
}

// WriteNew writes a file that is not there yet, whole or not at all; fs.ErrExist is
// wrapped where it is.
func WriteNew(name string, data []byte) error { return writeFile(name, data) }

// writeFile makes the folders of a file too; one that is there is never replaced.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return safefile.Create(name, data)
}

var worldLine = regexp.MustCompile(`(?m)^world:[ \t]*[a-z0-9_]+`)

// named gives the world of a template an id of its own.
func named(manifest []byte, id string) []byte {
	if id == "" {
		return manifest
	}
	return worldLine.ReplaceAll(manifest, []byte("world: "+id))
}

// worldID makes an id of a folder's name; "" where nothing of it can be one.
func worldID(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == ' ' || r == '.':
			return '_'
		}
		return -1
	}, lint.Pinyin(filepath.Base(dir)))
	id = strings.TrimLeft(id, "_0123456789")
	if !source.IsID(id) {
		return ""
	}
	return id
}
