package worlds

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"fabula/engine/safefile"
	"fabula/personas/card"
)

// ErrEmbedded is wrapped where files are to be added to a built-in world.
var ErrEmbedded = errors.New("a built-in world takes no files; make one of your own with 'fabula new DIR --template NAME'")

// AddedFile is a file to be added below a world's folder, slashes.
type AddedFile struct {
	Name string
	Data []byte
}

// With loads the world as it would be with more files in it. Nothing is
// written. The error is a *LoadError where it would not load.
func (w *World) With(files []AddedFile) (*World, error) {
	r := gather(w.files)
	for _, f := range files {
		if !fs.ValidPath(f.Name) {
			return nil, fmt.Errorf("add %q: no path below a world", f.Name)
		}
		if _, err := fs.Stat(w.files, f.Name); err == nil {
			return nil, fmt.Errorf("add %s: %w", f.Name, fs.ErrExist)
		}
		if authored(f.Name) {
			r.names = append(r.names, f.Name)
			r.contents[f.Name] = content{data: f.Data}
		}
	}
	slices.Sort(r.names)
	return r.world(w.Name)
}

// Add writes files into the world's folder: all of them or none, and never over
// one that is there. undo takes them away again.
func (w *World) Add(files []AddedFile) (undo func() error, err error) {
	if w.Dir == "" {
		return nil, fmt.Errorf("add to %s: %w", w.Name, ErrEmbedded)
	}
	var made []string
	undo = func() error {
		var errs []error
		for _, name := range made {
			errs = append(errs, os.Remove(name))
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, undo())
		}
	}()
	for _, f := range files {
		if !fs.ValidPath(f.Name) {
			return undo, fmt.Errorf("add %q: no path below a world", f.Name)
		}
		name := filepath.Join(w.Dir, filepath.FromSlash(f.Name))
		if err := writeFile(name, f.Data); err != nil {
			return undo, fmt.Errorf("add %s: %w", f.Name, err)
		}
		made = append(made, name)
	}
	return undo, safefile.SyncDir(w.Dir)
}

// Card is what a persona was imported from, as it lies beside its file.
type Card struct{ JSON, Picture []byte }

// Cards gives the character cards beside the persona files, by persona id; the
// card of a persona that was renamed may still lie under its earlier id. A file
// that cannot be read, or is too large for a card, is passed over.
func (w *World) Cards() map[string]Card {
	out := map[string]Card{}
	for _, p := range w.Script.Personas {
		for _, id := range append([]string{p.ID}, p.Was...) {
			c := Card{JSON: w.beside(id + ".card.json"), Picture: w.beside(id + ".png")}
			if c.JSON != nil || c.Picture != nil {
				out[p.ID] = c
				break
			}
		}
	}
	return out
}

func (w *World) beside(name string) []byte {
	name = path.Join(personaDir, name)
	info, err := fs.Stat(w.files, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > card.MaxFile {
		return nil
	}
	data, err := fs.ReadFile(w.files, name)
	if err != nil {
		return nil
	}
	return data
}
