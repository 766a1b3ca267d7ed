package worlds_test

import (
	"os"
	"path/filepath"
	"testing"

	"fabula/worlds"
)

func TestReads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if err := worlds.New(dir, "blank"); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "plot"), link); err != nil {
		t.Fatal(err)
	}
	w, err := worlds.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"plot": true, "plot/": true, "personas/new/deep": true, "lore": true, "playtests": true, "labels": true,
		"": false, "out": false, "plots": false, "plot/../out": false, "../plot": false,
	} {
		if w.Reads(filepath.Join(dir, name)) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if !w.Reads(link) || !w.Reads(filepath.Join(link, "new")) {
		t.Error("a link into the world is not followed")
	}
}
