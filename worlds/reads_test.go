package worlds_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fabula/worlds"
)

// Ensure that no file is written to what a world keeps for itself, whatever way
// leads there, and that everywhere else is free.
func TestGuard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if err := worlds.New(dir, "blank"); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "plot"), link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "world.yaml"), []byte("it does not load"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"plot": true, "plot/": true, "personas/new/deep": true, "lore": true, "playtests": true, "labels": true,
		"world.yaml": true, "personas/adu.yaml": true, "plot/talk.yaml": true, ".fabula": true, ".fabula/fabula.db": true, "out/../plot": true,
		"": false, "world.yaml.txt": false, "out": false, "plots": false, "plot/../out": false, "../plot": false,
	} {
		if err := worlds.Guard(filepath.Join(dir, name)); errors.Is(err, worlds.ErrOwn) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{link, filepath.Join(link, "new")} {
		if err := worlds.Guard(name); !errors.Is(err, worlds.ErrOwn) {
			t.Errorf("a link into the world is not followed: %s, %v", name, err)
		}
	}
}
