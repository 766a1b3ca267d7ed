package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that a file which is no whole store is refused by name, left as it
// is, and never replaced.
func TestDamaged(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	s := open(t, whole)
	grow(t, s, 40)
	stats, err := s.Stats()
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(whole, store.File))
	if err != nil {
		t.Fatal(err)
	}
	page, used := os.Getpagesize(), int(stats.Bytes)
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"empty", nil, "empty"},
		{"text", []byte("these are not the bytes you look for"), "not a fabula store"},
		{"long text", bytes.Repeat([]byte("no store "), 9000), "not a fabula store"},
		{"cut by a page", good[:used-page], "cut short"},
		{"cut to its head", good[:4*page], "cut short"},
		{"cut inside its head", good[:page/2], "cut short"},
		{"metas zeroed", append(make([]byte, 2*page), good[2*page:]...), "head is destroyed"},
		{"half zeroed", zero(good, used/page/2*page, len(good)), "cannot be read"},
		{"all pages zeroed", zero(good, 2*page, len(good)), "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, store.File)
			if err := os.WriteFile(file, c.data, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := store.Open(dir)
			if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), file) {
				t.Errorf("Open: %v", err)
			}
			if _, _, err := store.OpenReader(dir); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("OpenReader: %v", err)
			}
			if now, _ := os.ReadFile(file); !bytes.Equal(now, c.data) {
				t.Error("the file was changed")
			}
		})
	}
}

func zero(data []byte, from, to int) []byte {
	out := bytes.Clone(data)
	clear(out[from:to])
	return out
}

// Ensure that every single zeroed page is survived: the store opens without
// it or says that it is damaged, and the library never panics through.
func TestEveryPageZeroed(t *testing.T) {
	whole := t.TempDir()
	s := open(t, whole)
	b := grow(t, s, 25)
	stats, err := s.Stats()
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(whole, store.File))
	if err != nil {
		t.Fatal(err)
	}
	page, used := os.Getpagesize(), int(stats.Bytes)
	for i := range used / page {
		dir := t.TempDir()
		data := zero(good, i*page, (i+1)*page)
		if err := os.WriteFile(filepath.Join(dir, store.File), data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, c, err := store.OpenReader(dir)
		if err == nil {
			_, err = r.Path(b.Leaf)
			_ = c.Close()
		}
		if err != nil && !errors.Is(err, store.ErrDamaged) && !errors.Is(err, story.ErrNotFound) {
			t.Errorf("page %d of %d: %v", i, used/page, err)
		}
	}
}

// Ensure that a second opener does not wait for ever, and is told who holds the store.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	_, err := store.Open(dir)
	var locked *store.LockedError
	if !errors.Is(err, store.ErrLocked) || !errors.As(err, &locked) {
		t.Fatalf("err = %v", err)
	}
	host, _ := os.Hostname()
	if locked.PID != os.Getpid() || locked.Host != host {
		t.Errorf("holder %d on %s", locked.PID, locked.Host)
	}
	if !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("message names no pid: %v", err)
	}
}

// Ensure that a holder serves snapshots, from a folder with a long path too,
// and that nothing is left behind.
func TestSnapshot(t *testing.T) {
	for name, sub := range map[string]string{"short": "w", "long": strings.Repeat("很长的名字", 16)} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), sub)
			s := open(t, dir)
			b := grow(t, s, 5)
			r, c, err := store.OpenReader(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Begin(nil, nil, turnAt(6)); err != nil {
				t.Fatal(err) // readers never hold back the writer
			}
			if path, err := r.Path(b.Leaf); err != nil || len(path) != 6 {
				t.Errorf("path of %d steps, %v", len(path), err)
			}
			if _, err := r.Turn("T0006"); !errors.Is(err, story.ErrNotFound) {
				t.Errorf("a snapshot sees what came later: %v", err)
			}
			if err := errors.Join(c.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			for _, left := range []string{store.HolderFile, store.SnapshotFile} {
				if _, err := os.Stat(filepath.Join(dir, left)); err == nil {
					t.Errorf("%s is still there", left)
				}
			}
		})
	}
}

// Ensure that a second Close leaves the next holder's files alone.
func TestCloseTwice(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	_ = first.Close()
	open(t, dir)
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, c, err := store.OpenReader(dir); err != nil {
		t.Errorf("the second holder cannot be read: %v", err)
	} else {
		_ = c.Close()
	}
}

// Ensure that a reading command which cannot have a snapshot says who holds
// the store.
func TestNoSnapshot(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	if err := os.Remove(filepath.Join(dir, store.SnapshotFile)); err != nil {
		t.Fatal(err)
	}
	_, _, err := store.OpenReader(dir)
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("err = %v", err)
	}
}

// Ensure that a free store is read in place, and a world that was never
// played reads as empty and stays without a store.
func TestReadFree(t *testing.T) {
	dir := t.TempDir()
	r, c, err := store.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if all, err := r.Branches(); err != nil || len(all) != 0 {
		t.Errorf("branches %v, %v", all, err)
	}
	for name, err := range map[string]error{
		"turn": second(r.Turn("x")), "alternative": second(r.Alternative("x")), "branch": second(r.Branch("x")),
		"path": second(r.Path("x")), "blob": second(r.Blob("x")), "playthrough": second(r.Playthrough("x")), "latest": second(r.Latest("x")),
	} {
		if !errors.Is(err, story.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, store.File)); err == nil {
		t.Error("reading made a store")
	}
	s := open(t, dir)
	b := grow(t, s, 2)
	_ = s.Close()
	r, c, err = store.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := r.Path(b.Leaf); err != nil || len(path) != 3 {
		t.Errorf("%d steps, %v", len(path), err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// setSchema writes a schema number, as another version of the program would.
func setSchema(t *testing.T, dir, n string) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, store.File), 0o644, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(n)) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// Ensure that a newer schema is refused and nothing changed.
func TestNewerSchema(t *testing.T) {
	dir := t.TempDir()
	_ = open(t, dir).Close()
	setSchema(t, dir, "99")
	before, _ := os.ReadFile(filepath.Join(dir, store.File))
	for name, err := range map[string]error{"Open": second(store.Open(dir)), "OpenReader": third(store.OpenReader(dir))} {
		if !errors.Is(err, store.ErrSchema) || !strings.Contains(err.Error(), "99") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(dir, store.File)); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

func third[A, B any](_ A, _ B, err error) error { return err }

// Ensure that an older schema is upgraded after a dated copy was made, and
// that the copy is offered when the store is damaged later.
func TestOlderSchema(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	b := grow(t, s, 3)
	_ = s.Close()
	setSchema(t, dir, "0")
	if _, _, err := store.OpenReader(dir); err == nil || !strings.Contains(err.Error(), "schema 0") {
		t.Errorf("OpenReader of an old schema: %v", err)
	}
	s = open(t, dir)
	if path, err := s.Path(b.Leaf); err != nil || len(path) != 4 {
		t.Errorf("after the upgrade: %d steps, %v", len(path), err)
	}
	_ = s.Close()
	copies := store.Backups(dir)
	first := slices.IndexFunc(copies, func(b store.Backup) bool { return b.Why == store.BeforeUpgrade })
	if first < 0 {
		t.Fatalf("copies: %v", copies)
	}
	old := t.TempDir()
	data, _ := os.ReadFile(copies[first].File)
	if err := os.WriteFile(filepath.Join(old, store.File), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if path, err := open(t, old).Path(b.Leaf); err != nil || len(path) != 4 {
		t.Errorf("the copy: %d steps, %v", len(path), err)
	}
	if err := os.Truncate(filepath.Join(dir, store.File), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(dir); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), copies[0].File) {
		t.Errorf("the copy is not offered: %v", err)
	}
}

// Ensure that a reader who does not take its snapshot, and walks that write,
// hold nobody back while the file grows (R36).
func TestReadersDoNotBlock(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	b := grow(t, s, 12)
	big := strings.Repeat("很长的一段话", 6000)
	done := make(chan error, 1)
	go func() {
		n := 100
		done <- s.Walk(func(story.Turn, []story.Alternative) error {
			n++
			a := alternativeAt(12)
			a.ID, a.Text, a.Reply = story.ID(fmt.Sprintf("A0012-%d", n)), big, nil
			if err := s.Finish(a, story.Finished, b, nil); err != nil {
				return err
			}
			_, c, err := store.OpenReader(dir)
			if err != nil {
				return err
			}
			return c.Close()
		})
	}()
	if err := <-done; err != nil { // nothing, for ever, if a walk that writes hangs
		t.Fatal(err)
	}
}
