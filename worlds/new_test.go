package worlds_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/worlds"
)

// names lists all files below dir.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, strings.TrimPrefix(name, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Ensure that a new world loads, has the folder's name and leaves nothing
// beside it, whether the folder is there already or not.
func TestNew(t *testing.T) {
	for _, template := range append(worlds.Templates(), "") {
		for _, there := range []bool{false, true} {
			parent := t.TempDir()
			dir := filepath.Join(parent, "deep", "Moon Gate")
			if there {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := worlds.New(dir, template); err != nil {
				t.Fatal(err)
			}
			w, err := worlds.Open(dir)
			if err != nil {
				t.Fatalf("%s: %v", template, err)
			}
			if w.Name != "moon_gate" {
				t.Errorf("%s: world %q", template, w.Name)
			}
			if ignored, _ := os.ReadFile(filepath.Join(dir, ".gitignore")); string(ignored) != ".fabula/\n" {
				t.Errorf("%s: git would keep what is generated", template)
			}
			for _, name := range names(t, parent) {
				if strings.Contains(name, ".fabula-new") {
					t.Errorf("%s: %s was left behind", template, name)
				}
			}
		}
	}
}

// CASES R60: nothing is overwritten, dropped or blanked.
func TestR60NewOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "draft.txt"), "a year of work")
	err := worlds.New(dir, "blank")
	if !errors.Is(err, worlds.ErrNotEmpty) || !strings.Contains(err.Error(), "draft.txt") {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	file := filepath.Join(dir, "draft.txt")
	if err := worlds.New(file, "blank"); err == nil {
		t.Error("a world in the place of a file")
	}
	if data, _ := os.ReadFile(file); string(data) != "a year of work" {
		t.Errorf("the file holds %q", data)
	}
	if err := worlds.New(filepath.Join(dir, "x"), "nonsense"); !errors.Is(err, worlds.ErrTemplate) || !strings.Contains(err.Error(), "blank") {
		t.Errorf("got %v", err)
	}
}
