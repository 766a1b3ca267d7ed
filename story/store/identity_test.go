package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fabula/story/store"
)

// of opens the store in dir for a world and closes it.
func of(t *testing.T, dir, world string) error {
	t.Helper()
	s, err := store.Open(dir, store.WithWorld(world))
	if err == nil {
		err = s.Close()
	}
	return err
}

// Ensure that a store that says which world it is of is refused in another, by
// name, for writing, reading and restoring, as it is and as a dump; that it goes
// along with a world that was renamed; and that nothing is changed by a refusal.
func TestStoreOfAnotherWorld(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	told(t, dir)
	if err := of(t, dir, "salt_ferry"); err != nil { // it did not say
		t.Fatal(err)
	}
	before := dumped(t, dir)
	var wrong *store.WorldError
	if err := of(t, dir, "fox_lantern"); !errors.As(err, &wrong) || wrong.Found != "salt_ferry" || wrong.Wanted != "fox_lantern" {
		t.Errorf("opened: %v", err)
	}
	if _, _, err := store.OpenReader(dir, store.WithWorld("fox_lantern")); !errors.Is(err, store.ErrWorld) {
		t.Errorf("read: %v", err)
	}
	copied, err := store.Copy(dir, filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "all.jsonl")
	if err := os.WriteFile(dump, before, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{copied, dump} {
		if _, err := store.Restore(other, file, store.For{World: "fox_lantern"}); !errors.As(err, &wrong) || wrong.File != file {
			t.Errorf("restored %s: %v", file, err)
		}
		if _, err := os.Stat(filepath.Join(other, store.File)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a refusal made a store: %v", err)
		}
	}
	for _, file := range []string{copied, dump} {
		if _, err := store.Restore(other, file, store.For{World: "fox_lantern", Any: true}); err != nil {
			t.Fatal(err)
		}
		if err := of(t, other, "fox_lantern"); err != nil {
			t.Errorf("restored for this world: %v", err)
		}
	}
	if was, err := store.Adopt(dir, "salt_crossing"); err != nil || was != "salt_ferry" {
		t.Errorf("adopted from %q, %v", was, err)
	}
	if err := errors.Join(of(t, dir, "salt_crossing"), os.Remove(dump)); err != nil {
		t.Error(err)
	}
	sound(t, dir)
}

// Ensure that whatever is restored begins another life, so that nothing that was
// made of the store before is taken for its own, and that a dump has none.
func TestRestoreBeginsAnotherLife(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	life := func() string {
		t.Helper()
		s := open(t, dir)
		id, err := s.Life()
		if err := errors.Join(err, s.Close()); err != nil || id == "" {
			t.Fatalf("life %q, %v", id, err)
		}
		return id
	}
	copied, err := store.Copy(dir, filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "all.jsonl")
	if err := os.WriteFile(dump, dumped(t, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	lives := map[string]bool{life(): true}
	for i, file := range []string{copied, dump, copied, dump} {
		if _, err := store.Restore(dir, file, store.For{}); err != nil {
			t.Fatal(err)
		}
		if lives[life()] = true; len(lives) != i+2 {
			t.Errorf("%s was restored with a life that was there before", filepath.Base(file))
		}
	}
}
