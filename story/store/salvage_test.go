package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"fabula/story/store"
)

// worn is a store in which every value was written more than once, so that its
// pages hold older values too: pins that were taken back, titles, what can be
// undone. It gives what its newest state holds.
func worn(t *testing.T, dir string) map[store.Record]string {
	t.Helper()
	first, _, _ := told(t, dir)
	s := open(t, dir)
	free, err := s.Hold() // no page is used twice
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	for n := range 6 {
		for depth := 1; depth < 40; depth += 6 {
			a, err := s.Alternative(first.id("A", depth))
			if err != nil {
				t.Fatal(err)
			}
			a.Title = fmt.Sprintf("title %d of %d", n, depth)
			if err := s.PutAlternative(a); err != nil {
				t.Fatal(err)
			}
		}
		for _, err := range []error{
			s.PutPin(string(first.id("A", n+1))+".1", true),
			s.PutPin(string(first.id("A", n))+".1", false),
			s.PutJournal(fmt.Appendf(nil, `[{"at":"2026-12-0%dT10:00:00Z","kind":"rename","playthrough":"P"}]`, n+1)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := s.Ordinal("adu", "hash of the first wording"); err != nil {
		t.Fatal(err)
	}
	free()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return values(t, filepath.Join(dir, store.File))
}

// values gives everything in a store file that is not derived from the rest.
func values(t *testing.T, file string) map[store.Record]string {
	t.Helper()
	all := map[store.Record]string{}
	db, err := bolt.Open(file, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_ = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				if string(name) != "index" && string(k) != "life" {
					all[store.Record{Bucket: string(name), Key: string(k)}] = string(v)
				}
				return nil
			})
		})
	})
	return all
}

// salvaged writes a damaged file, salvages it and gives what was saved.
func salvaged(t *testing.T, data []byte) (map[store.Record]string, store.Salvaged) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, store.File), data, 0o600); err != nil {
		t.Fatal(err)
	}
	saved, err := store.Salvage(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return values(t, saved.File), saved
}

func differences(want, got map[store.Record]string) (out []store.Record) {
	for _, m := range []map[store.Record]string{want, got} {
		for k := range m {
			if want[k] != got[k] && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// pagesWith lists the pages on which a text begins.
func pagesWith(data []byte, text string) (at []int) {
	for page := range len(data) / os.Getpagesize() {
		if bytes.Contains(data[page*os.Getpagesize():(page+1)*os.Getpagesize()], []byte(text)) {
			at = append(at, page)
		}
	}
	return at
}

// Ensure that of every key exactly the newest state is saved, pins, what can be
// undone and numbers of wordings with it, byte by byte: from a whole file, and
// where only checksums tell what is newest.
func TestSalvageIsTheNewest(t *testing.T) {
	dir := t.TempDir()
	want := worn(t, dir)
	good, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(pagesWith(good, `"title":"title `)); n < 10 {
		t.Fatalf("only %d pages hold titles: nothing is proved", n)
	}
	got, saved := salvaged(t, good)
	if diff := differences(want, got); len(diff) > 0 || saved.Pins != 1 || !saved.Journal || saved.Altered != 0 || saved.Lost != 0 {
		t.Errorf("differ: %v; %+v", diff, saved)
	}
	page := os.Getpagesize()
	got, saved = salvaged(t, append(make([]byte, 2*page), good[2*page:]...))
	maps.DeleteFunc(got, func(r store.Record, _ string) bool { return r.Bucket == "facts" }) // what was unpinned lies there too
	maps.DeleteFunc(want, func(r store.Record, _ string) bool { return r.Bucket == "facts" })
	if diff := differences(want, got); len(diff) > 0 || saved.Pins < 1 {
		t.Errorf("without a head differ: %v; %+v", diff, saved)
	}
}

// Ensure that the newest state counts in a store without checksums too.
func TestSalvageOfSchemaTwo(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := told(t, dir)
	unseal(t, dir)
	for n := range 6 {
		edit(t, dir, func(tx *bolt.Tx) error {
			b, id := tx.Bucket([]byte("alternatives")), []byte(first.id("A", 7))
			return b.Put(id, bytes.Replace(b.Get(id), fmt.Appendf(nil, "Answer %d of", 7+n), fmt.Appendf(nil, "Answer %d of", 8+n), 1))
		})
	}
	want := values(t, filepath.Join(dir, store.File))
	good, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := salvaged(t, good)
	want[store.Record{Bucket: "meta", Key: "schema"}] = fmt.Sprint(store.Schema)
	if diff := differences(want, got); len(diff) > 0 {
		t.Errorf("differ: %v", diff)
	}
}

// Ensure that of a whole file neither what could be undone before a purge is saved,
// nor the world that it was of before it was adopted.
func TestSalvageOfWhatWasTakenAway(t *testing.T) {
	dir := t.TempDir()
	_, fork, _ := told(t, dir)
	if _, err := store.Adopt(dir, "lantern"); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	err := s.PutJournal([]byte(`[{"at":"2026-12-01T10:00:00Z","kind":"rename","playthrough":"P"}]`))
	free, held := s.Hold()
	if err = errors.Join(err, held); err != nil {
		t.Fatal(err)
	}
	err = errors.Join(s.DeleteBranch(fork.branch.ID), s.PurgeOnly(), s.Named("ferry"))
	free()
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil || len(pagesWith(data, "lantern")) == 0 || len(pagesWith(data, `"kind":"rename"`)) == 0 {
		t.Fatalf("nothing of it is left to be found: %v", err)
	}
	got, saved := salvaged(t, data)
	if world := got[store.Record{Bucket: "meta", Key: "world"}]; saved.Journal || world != "ferry" {
		t.Errorf("%+v, of the world %q", saved, world)
	}
}

// Ensure that a value which does not fit its checksum gives way to an older one
// that does, and is kept, counted, where there is no other.
func TestSalvageOfAlteredValues(t *testing.T) {
	dir := t.TempDir()
	worn(t, dir)
	good, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil {
		t.Fatal(err)
	}
	title := func(got map[store.Record]string, depth int) string {
		var a struct{ Title, Text string }
		l := tale{name: "salt"}
		if err := json.Unmarshal([]byte(got[store.Record{Bucket: "alternatives", Key: string(l.id("A", depth))}]), &a); err != nil {
			t.Fatal(err)
		}
		return a.Title + "|" + a.Text[:8]
	}
	depth, newest := 0, -1 // of a value that was given up and is still there
	for d := 1; d < 40; d += 6 {
		for n := range 5 {
			if len(pagesWith(good, fmt.Sprintf(`"title %d of %d"`, n, d))) > 0 {
				depth, newest = d, n
			}
		}
	}
	if newest < 0 {
		t.Fatal("nothing older is left: nothing is proved")
	}
	last := fmt.Sprintf(`"title 5 of %d"`, depth)
	got, saved := salvaged(t, bytes.ReplaceAll(good, []byte(last), []byte(strings.Replace(last, "5", "6", 1))))
	if is, want := title(got, depth), fmt.Sprintf("title %d of %d|Answer", newest, depth); !strings.HasPrefix(is, want) || saved.Altered != 0 {
		t.Errorf("saved %q, want %q; %d altered", is, want, saved.Altered)
	}
	got, saved = salvaged(t, bytes.ReplaceAll(good, []byte("Answer 8 of salt"), []byte("Answer 8 of malt")))
	if is := title(got, 8); is != "|Answer 8" || saved.Altered != 1 {
		t.Errorf("saved %q, %d altered", is, saved.Altered)
	}
}

// Ensure that the page of pins takes nothing with it but pins.
func TestSalvageWithoutAPage(t *testing.T) {
	dir := t.TempDir()
	want := worn(t, dir)
	good, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	for _, at := range pagesWith(good, `p01Asalt`) {
		clear(good[at*page : (at+1)*page])
	}
	got, saved := salvaged(t, good)
	for _, r := range differences(want, got) {
		if r.Bucket != "facts" && r.Bucket != "meta" { // small parts may share their page
			t.Errorf("%v is lost", r)
		}
	}
	if saved.Pins != 0 || saved.Turns != 62 || saved.Alternatives != 62 || saved.Branches != 3 {
		t.Errorf("%+v", saved)
	}
}
