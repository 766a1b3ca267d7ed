package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"fabula/story/store"
)

// unseal turns a store into one that a program of schema 2 wrote.
func unseal(t *testing.T, dir string) {
	t.Helper()
	edit(t, dir, func(tx *bolt.Tx) error {
		for _, name := range []string{"playthroughs", "turns", "alternatives", "branches"} {
			b, old := tx.Bucket([]byte(name)), map[string][]byte{}
			if err := b.ForEach(func(k, v []byte) error {
				v = bytes.Replace(v[:bytes.LastIndex(v, []byte(`,"written":`))], []byte(`{"v":2,`), []byte(`{"v":1,`), 1)
				old[string(k)] = append(v, '}')
				return nil
			}); err != nil {
				return err
			}
			for k, v := range old {
				if err := b.Put([]byte(k), v); err != nil {
					return err
				}
			}
		}
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("2"))
	})
	file := filepath.Join(dir, store.File)
	old, err := bolt.Open(file, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	anew, err := bolt.Open(file+".anew", 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	// So that no page holds the values as they were before.
	if err := errors.Join(bolt.Compact(anew, old, 0), anew.Close(), old.Close(), os.Rename(file+".anew", file)); err != nil {
		t.Fatal(err)
	}
}

// Ensure that a store without checksums is upgraded with everything in it, says
// which records have none, gives one to what is written from then on, and that a
// dump keeps both sorts.
func TestSchemaTwo(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := told(t, dir)
	unseal(t, dir)
	const all = 2 + 62 + 62 + 3
	if rep := sound(t, dir); rep.Schema != 2 || rep.Unsealed.Count != all {
		t.Errorf("read as it is: %+v", rep)
	}
	first.s = open(t, dir)
	first.on(1) // a turn, a reply, and the branch anew
	if err := first.s.Close(); err != nil {
		t.Fatal(err)
	}
	want := []store.Record{{Bucket: "turns", Key: string(first.id("T", 3))}, {Bucket: "alternatives", Key: string(first.id("A", 3))}}
	look := func(dir string) {
		t.Helper()
		rep := sound(t, dir)
		if rep.Schema != store.Schema || rep.Turns != 63 || rep.Unsealed.Count != all-1 {
			t.Errorf("%+v", rep)
		}
		for _, r := range want {
			if !slices.Contains(rep.Unsealed.First, r) {
				t.Errorf("%v is not named", r)
			}
		}
	}
	look(dir)
	again, file := t.TempDir(), filepath.Join(t.TempDir(), "all.jsonl")
	if err := os.WriteFile(file, dumped(t, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(again, file, store.For{}); err != nil {
		t.Fatal(err)
	}
	look(again)
	edit(t, again, func(tx *bolt.Tx) error {
		b, id := tx.Bucket([]byte("alternatives")), []byte(first.id("A", 41))
		return b.Put(id, bytes.Replace(b.Get(id), []byte("Answer 41"), []byte("Answer 14"), 1))
	})
	rep, err := store.Check(again)
	if err != nil || !slices.ContainsFunc(rep.Problems, func(p store.Problem) bool { return p.Code == store.CodeAltered }) {
		t.Errorf("a reply changed after a restore is not found: %+v, %v", rep.Problems, err)
	}
}
