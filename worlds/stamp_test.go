package worlds_test

import (
	"os"
	"path/filepath"
	"testing"

	"fabula/worlds"
)

// Ensure that a stamp tells of what an author does, and of nothing else.
func TestStamp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	if err := worlds.New(dir, "blank"); err != nil {
		t.Fatal(err)
	}
	write := func(name, s string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	last := worlds.Stamp(dir)
	for _, step := range []struct {
		what   string
		do     func()
		differ bool
	}{
		{"nothing", func() {}, false},
		{"a turn", func() { write(".fabula/x.yaml", "a") }, false},
		{"a hidden folder", func() { write("plot/.old/x.yaml", "a") }, false},
		{"notes", func() { write("plot/notes.txt", "a") }, false},
		{"another folder", func() { write("art/list.yaml", "a") }, false},
		{"a new file", func() { write("lore/x.yaml", "a") }, true},
		{"a longer file", func() { write("lore/x.yaml", "ab") }, true},
		{"a file in a folder", func() { write("plot/act3/x.yaml", "ab") }, true},
		{"a file that is gone", func() { os.Remove(filepath.Join(dir, "lore/x.yaml")) }, true},
		{"a folder that is gone", func() { os.RemoveAll(dir) }, true},
	} {
		step.do()
		now := worlds.Stamp(dir)
		if (now != last) != step.differ {
			t.Errorf("%s: stamp %q, before %q", step.what, now, last)
		}
		last = now
	}
}
