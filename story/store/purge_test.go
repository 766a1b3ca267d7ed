package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that purging two deleted branches which share a beginning that no other
// shows takes both away, and leaves the playthrough they were played in.
func TestPurgeOfSharedBranches(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first := tell(t, s, "salt", 10)
	fork := first.fork("secret", 5)
	fork.on(6)
	deep := fork.fork("deep", 8)
	deep.on(2)
	twin := fork.branch // ends at the same reply as another
	twin.ID, twin.Name = fork.id("B", 1), "twin"
	if err := s.PutBranch(twin); err != nil {
		t.Fatal(err)
	}
	for _, id := range []story.ID{fork.branch.ID, deep.branch.ID, twin.ID} {
		if err := s.DeleteBranch(id); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if p, err := store.Purge(dir, false, false); err != nil || p.Branches != 3 || p.Turns != 8 || p.Alternatives != 8 {
		t.Errorf("%+v, %v", p, err)
	}
	if rep := sound(t, dir); rep.Playthroughs != 1 || rep.Branches != 1 || rep.Turns != 11 {
		t.Errorf("%+v", rep)
	}
}

// Ensure that copies are found where the folder's name looks like a pattern: what was
// salvaged goes with a purge, what was not written to its end is swept away, and a
// copy of a program before this one can be gone back to.
func TestFolderLikeAPattern(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "salt [2]")
	_, fork, _ := told(t, dir)
	s := open(t, dir)
	if err := s.DeleteBranch(fork.branch.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, store.BackupDir)); err != nil {
		t.Fatal(err)
	}
	old, half := filepath.Join(dir, store.File+".1.bak"), filepath.Join(dir, store.File+".new.1")
	for _, file := range []string{old, half} {
		if _, err := store.Copy(dir, file); err != nil {
			t.Fatal(err)
		}
	}
	if file, ok := store.NewestGood(dir); !ok || file != old {
		t.Errorf("to go back to: %q", file)
	}
	saved, err := store.Salvage(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Purge(dir, false, true); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{old, half, saved.File} {
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("%s is there still: %v", file, err)
		}
	}
}

// Ensure that what a restore put aside is named among the copies that still hold
// what was purged, and goes with them.
func TestPurgeOfWhatWasPutAside(t *testing.T) {
	dir := t.TempDir()
	_, fork, _ := told(t, dir)
	dump := filepath.Join(t.TempDir(), "copy.db")
	if _, err := store.Copy(dir, dump); err != nil {
		t.Fatal(err)
	}
	aside, err := store.Restore(dir, dump, store.For{})
	if err != nil || aside == "" {
		t.Fatal(aside, err)
	}
	s := open(t, dir)
	if err := s.DeleteBranch(fork.branch.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Purge(dir, false, true); err != nil {
		t.Fatal(err)
	}
	trace(t, dir, []string{"of secret"}, []string{"Question 40 of salt"})
}

// Ensure that grafted replies are among what was stored, in order, and that the
// store is sound with them.
func TestGraftIsStored(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	tell(t, s, "salt", 2)
	made := time.Unix(9, 0).UTC()
	g := story.Grafts{
		Playthroughs: []story.Playthrough{{ID: "01PX", Root: "01TX", Language: "en", Made: made}},
		Turns:        []story.Turn{{ID: "01TX", Playthrough: "01PX", Branch: "01BX", Status: story.Finished, Made: made}},
		Alternatives: []story.Alternative{{ID: "01AX", Turn: "01TX", Text: "Brought.", Status: story.Finished, Made: made}},
		Branches:     []story.Branch{{ID: "01BX", Name: "brought", Playthrough: "01PX", Leaf: "01AX", Made: made, Touched: made}},
	}
	if err := s.Graft(g); err != nil {
		t.Fatal(err)
	}
	var last story.Alternative
	if err := s.Stored(0, func(_ uint64, _ story.Turn, a story.Alternative) error { last = a; return nil }); err != nil || last.Text != "Brought." {
		t.Errorf("stored last: %q, %v", last.Text, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if rep := sound(t, dir); rep.Alternatives != 4 {
		t.Errorf("%+v", rep)
	}
}

// Ensure that what could be undone goes with what was purged, since it tells
// titles and the names of branches, and stays where nothing was.
func TestPurgeOfTheJournal(t *testing.T) {
	dir := t.TempDir()
	_, fork, _ := told(t, dir)
	s := open(t, dir)
	if err := s.PutJournal([]byte("a title")); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{"a title", ""} {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Purge(dir, false, false); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir)
		if data, err := s.Journal(); err != nil || string(data) != left {
			t.Errorf("journal %q, %v; want %q", data, err, left)
		}
		if left != "" {
			if err := s.DeleteBranch(fork.branch.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
