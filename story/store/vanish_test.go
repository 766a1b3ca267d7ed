//go:build unix

package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that a folder which is deleted, moved or replaced under an open store
// is noticed at the next write, that everything is copied to where it is found,
// and that a folder which comes back is written to again.
func TestVanished(t *testing.T) {
	for how, away := range map[string]func(dir string) error{
		"deleted": os.RemoveAll,
		"moved":   func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"replaced": func(dir string) error {
			return errors.Join(os.Rename(dir, dir+"-moved"), os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, store.File), []byte("x"), 0o600))
		},
	} {
		t.Run(how, func(t *testing.T) {
			dir, rescue := filepath.Join(t.TempDir(), "world", ".fabula"), t.TempDir()
			s, err := store.Open(dir, store.WithRescue(rescue))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			l := tell(t, s, "salt", 10)
			l.depth++
			l.begin(nil, nil, "A question that is stored.")
			if err := away(dir); err != nil {
				t.Fatal(err)
			}
			l.history = nil
			a := l.reply("", "An answer that came after.")
			a.ID, a.Turn, a.Status, a.State = l.id("A", l.depth), l.id("T", l.depth), story.Finished, state(1)
			l.branch.Leaf = a.ID
			var gone *store.VanishedError
			if err := s.Finish(a, story.Finished, l.branch, l.texts); !errors.As(err, &gone) || !strings.Contains(err.Error(), dir) {
				t.Fatalf("Finish: %v", err)
			}
			next := story.Turn{ID: l.id("T", 99), Parent: a.ID, Playthrough: l.branch.Playthrough, Depth: 12, Status: story.Pending}
			if err := s.Begin(nil, nil, next); !errors.Is(err, store.ErrVanished) {
				t.Errorf("Begin: %v", err)
			}
			back := t.TempDir()
			if _, err := store.Restore(back, gone.Rescued, store.For{}); err != nil {
				t.Fatal(err)
			}
			if rep := sound(t, back); rep.Turns != 12 || rep.Alternatives != 12 || rep.Unfinished != 0 {
				t.Errorf("rescued: %+v", rep)
			}
			if how != "moved" {
				return
			}
			if err := os.Rename(dir+"-moved", dir); err != nil {
				t.Fatal(err)
			}
			if err := s.Begin(nil, nil, next); err != nil {
				t.Errorf("after it came back: %v", err)
			}
		})
	}
}

// Ensure that a process which waited for the lock while another one compacted
// holds the new file, not the one that was put away.
func TestCompactUnderWaiting(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	for range 10 {
		done := make(chan error, 1)
		go func() {
			_, _, err := store.Compact(dir)
			done <- err
		}()
		s, err := store.Open(dir)
		if err == nil {
			err = s.PutBranch(story.Branch{ID: "01BX", Name: "x", Leaf: "A"})
		}
		if err != nil && !errors.Is(err, store.ErrLocked) {
			t.Errorf("%v", err)
		}
		if s != nil {
			_ = s.Close()
		}
		if err := <-done; err != nil && !errors.Is(err, store.ErrLocked) {
			t.Error(err)
		}
	}
}

// Ensure that a store which may only be read is said to be so, and can be read.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("root may write everywhere: only the words are tested")
	}
	dir := t.TempDir()
	told(t, dir)
	for _, name := range []string{filepath.Join(dir, store.File), dir} {
		if err := os.Chmod(name, 0o500); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chmod(name, 0o700) }()
	}
	s, err := store.Open(dir)
	if err == nil {
		_ = s.Close()
	} else if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "only read") {
		t.Errorf("Open: %v", err)
	}
	if rep := sound(t, dir); rep.Turns != 62 {
		t.Errorf("%+v", rep)
	}
}
