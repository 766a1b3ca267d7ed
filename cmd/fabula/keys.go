package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"fabula/personas/source"
	"fabula/tui"
	"fabula/tui/keymap"
	"fabula/tui/text/lang"
)

// keysFile is where a person gives actions of the workbench keys of their own.
func keysFile() string { return filepath.Join(xdg.ConfigHome, "fabula", "keys.yaml") }

// ownKeys reads the person's keys, and what is wrong with them: an entry that
// cannot be used leaves the default.
func ownKeys() ([]keymap.Entry, []source.Fault, error) {
	data, err := os.ReadFile(keysFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("keys: %w", err)
	}
	entries, faults := keymap.Read(source.File{Name: keysFile(), Data: data})
	return entries, faults, nil
}

// examineKeys looks at the person's keys.
func examineKeys(language string) []examined {
	entries, faults, err := ownKeys()
	if err != nil {
		return []examined{{Name: "keys", Is: bad, What: err.Error()}}
	}
	var list []examined
	for _, f := range append(faults, tui.CheckKeys(entries)...) {
		what, todo := lang.Fault(f.Code, f.Args, language)
		list = append(list, examined{Name: "keys", Is: bad, What: f.Pos.String() + ": " + what, Do: todo})
	}
	if len(list) == 0 && len(entries) > 0 {
		return []examined{{Name: "keys", Is: good, What: plural(len(entries), "action") + " with keys of your own"}}
	}
	return list
}
