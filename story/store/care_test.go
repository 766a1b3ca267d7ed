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
	"time"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/store"
)

// told makes a store of two playthroughs and a fork, and closes it.
func told(t testing.TB, dir string) (first, fork, second *tale) {
	t.Helper()
	s := open(t, dir)
	first = tell(t, s, "salt", 40)
	fork = first.fork("secret", 20)
	fork.on(15)
	second = tell(t, s, "ferry", 5)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return first, fork, second
}

// edit changes a store file behind the program's back.
func edit(t *testing.T, dir string, do func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, store.File), 0o600, nil)
	if err == nil {
		err = errors.Join(db.Update(do), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Ensure that a store as sessions write it is sound, and that each sort of harm
// is found and named.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(l *tale, tx *bolt.Tx) error
		code string
		arg  string
	}{
		"sound": {},
		"a lost turn": {func(l *tale, tx *bolt.Tx) error { return tx.Bucket([]byte("turns")).Delete([]byte(l.id("T", 7))) },
			store.CodeMissing, "turn"},
		"a lost reply": {func(l *tale, tx *bolt.Tx) error {
			return tx.Bucket([]byte("alternatives")).Delete([]byte(l.id("A", 7)))
		},
			store.CodeMissing, "alternative"},
		"a lost text": {func(_ *tale, tx *bolt.Tx) error {
			k, _ := tx.Bucket([]byte("blobs")).Cursor().First()
			return tx.Bucket([]byte("blobs")).Delete(slices.Clone(k))
		}, "", ""},
		"a changed text": {func(_ *tale, tx *bolt.Tx) error {
			k, _ := tx.Bucket([]byte("blobs")).Cursor().First()
			return tx.Bucket([]byte("blobs")).Put(slices.Clone(k), []byte("another text"))
		}, store.CodeHash, ""},
		"a reply altered at equal length": {func(l *tale, tx *bolt.Tx) error {
			v := tx.Bucket([]byte("alternatives")).Get([]byte(l.id("A", 7)))
			return tx.Bucket([]byte("alternatives")).Put([]byte(l.id("A", 7)), bytes.Replace(v, []byte("Answer 7"), []byte("Answer 8"), 1))
		}, store.CodeAltered, "alternatives"},
		"a question altered": {func(l *tale, tx *bolt.Tx) error {
			v := tx.Bucket([]byte("turns")).Get([]byte(l.id("T", 7)))
			return tx.Bucket([]byte("turns")).Put([]byte(l.id("T", 7)), bytes.Replace(v, []byte("Question 7"), []byte("Question 77"), 1))
		}, store.CodeAltered, "turns"},
		"a checksum cut off": {func(l *tale, tx *bolt.Tx) error {
			v := tx.Bucket([]byte("alternatives")).Get([]byte(l.id("A", 7)))
			return tx.Bucket([]byte("alternatives")).Put([]byte(l.id("A", 7)), append(slices.Clone(v[:bytes.LastIndex(v, []byte(`,"written"`))]), '}'))
		}, store.CodeAltered, "alternatives"},
		"two replies swapped": {func(l *tale, tx *bolt.Tx) error {
			b := tx.Bucket([]byte("alternatives"))
			v, w := slices.Clone(b.Get([]byte(l.id("A", 7)))), slices.Clone(b.Get([]byte(l.id("A", 8))))
			return errors.Join(b.Put([]byte(l.id("A", 7)), w), b.Put([]byte(l.id("A", 8)), v))
		}, store.CodeAltered, "alternatives"},
		"half a value": {func(l *tale, tx *bolt.Tx) error {
			v := tx.Bucket([]byte("turns")).Get([]byte(l.id("T", 7)))
			return tx.Bucket([]byte("turns")).Put([]byte(l.id("T", 7)), slices.Clone(v[:len(v)/2]))
		}, store.CodeDecode, "turns"},
		"a lost index": {func(l *tale, tx *bolt.Tx) error {
			return tx.Bucket([]byte("index")).Delete([]byte("u" + string(l.id("T", 7))))
		},
			store.CodeIndex, string("index")},
		"a turn under the wrong one": {func(l *tale, tx *bolt.Tx) error {
			v := tx.Bucket([]byte("turns")).Get([]byte(l.id("T", 7)))
			return tx.Bucket([]byte("turns")).Put([]byte(l.id("T", 7)), bytes.Replace(v, []byte(`"depth":7`), []byte(`"depth":9`), 1))
		}, store.CodeUnplaced, "turn"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, _, _ := told(t, dir)
			if c.do == nil {
				if rep := sound(t, dir); rep.Turns != 62 || rep.Alternatives != 62 || rep.Branches != 3 || rep.Schema != store.Schema {
					t.Errorf("%+v", rep)
				}
				return
			}
			edit(t, dir, func(tx *bolt.Tx) error { return c.do(l, tx) })
			rep, err := store.Check(dir)
			if err != nil || rep.Sound() {
				t.Fatalf("%+v, %v", rep, err)
			}
			if c.code != "" && !slices.ContainsFunc(rep.Problems, func(p store.Problem) bool { return p.Code == c.code && (c.arg == "" || p.Args[0] == c.arg) }) {
				t.Errorf("not found: %s; %+v", c.code, rep.Problems)
			}
		})
	}
}

// Ensure that a store can be checked, copied and dumped while it is held.
func TestCareWhileHeld(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	tell(t, s, "salt", 3)
	if rep := sound(t, dir); rep.Turns != 4 {
		t.Errorf("%+v", rep)
	}
	file, err := store.Copy(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if all := store.Backups(dir); len(all) != 1 || all[0].File != file || all[0].Why != store.ByHand {
		t.Errorf("%+v", all)
	}
	if n, err := store.Dump(dir, "", new(bytes.Buffer)); err != nil || n < 10 {
		t.Errorf("%d lines, %v", n, err)
	}
	for what, try := range map[string]func() error{
		"compact": func() error { _, _, err := store.Compact(dir); return err },
		"purge":   func() error { _, err := store.Purge(dir, true, false); return err },
		"restore": func() error { _, err := store.Restore(dir, file, store.For{}); return err },
	} {
		if err := try(); !errors.Is(err, store.ErrLocked) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Ensure that a copy is made at open when anything changed since the last one,
// and not otherwise, and that it is the whole store.
func TestCopyAtOpen(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	var sizes []int
	for i := range 3 {
		s := open(t, dir)
		if i == 1 {
			tell(t, s, "more", 1)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(store.Backups(dir)))
	}
	if want := []int{1, 1, 2}; !slices.Equal(sizes, want) { // of the third is what the second wrote
		t.Errorf("copies after each opening: %v, want %v", sizes, want)
	}
	for i, b := range store.Backups(dir) {
		at := t.TempDir()
		data, err := os.ReadFile(b.File)
		if err == nil {
			err = os.WriteFile(filepath.Join(at, store.File), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if rep := sound(t, at); rep.Turns != []int{64, 62}[i] {
			t.Errorf("copy %d has %d turns", i, rep.Turns)
		}
	}
}

// Ensure that what was changed and compacted away is the same store, smaller,
// and that a kill in the middle leaves nothing that a later opening keeps.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	before := dumped(t, dir)
	if err := os.WriteFile(filepath.Join(dir, store.File+".new.99"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	was, is, err := store.Compact(dir)
	if err != nil || is >= was {
		t.Fatalf("%d → %d, %v", was, is, err)
	}
	if after := dumped(t, dir); !bytes.Equal(before, after) {
		t.Error("the dump differs after compacting")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	sound(t, dir)
}

func dumped(t testing.TB, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := store.Dump(dir, "", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Ensure that a dump makes the same store, that the second dump is the same
// bytes, and that one which was cut or changed is refused.
func TestDumpAndRestore(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	told(t, from)
	first := dumped(t, from)
	file := filepath.Join(t.TempDir(), "all.jsonl")
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(first)
	if aside, err := store.Restore(to, file, store.For{}); err != nil || aside != "" {
		t.Fatalf("%q, %v", aside, err)
	}
	if second := dumped(t, to); !bytes.Equal(first, second) {
		t.Error("the second dump differs")
	}
	sound(t, to)
	lines := bytes.SplitAfter(first, []byte("\n"))
	for what, data := range map[string][]byte{
		"cut in a line":  first[:len(first)/2],
		"cut after one":  bytes.Join(lines[:len(lines)/2], nil),
		"without an end": bytes.Join(lines[:len(lines)-2], nil),
		"a line less":    bytes.Join(append(slices.Clone(lines[:5]), lines[6:]...), nil),
		"changed":        bytes.Replace(first, []byte("Answer 7"), []byte("Answer 8"), 1),
		"another format": bytes.Replace(first, []byte("fabula-store/1"), []byte("fabula-store/9"), 1),
		"empty":          []byte(`{"format"`),
	} {
		write(data)
		if _, err := store.Restore(to, file, store.For{}); !errors.Is(err, store.ErrDump) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if again := dumped(t, to); !bytes.Equal(first, again) {
		t.Error("a refused dump changed the store")
	}
}

// Ensure that going back keeps what was there, also where it cannot be read.
func TestRestore(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	want := dumped(t, dir)
	copied, err := store.Copy(dir, filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Copy(dir, copied); !errors.Is(err, os.ErrExist) {
		t.Errorf("a copy was overwritten: %v", err)
	}
	ruined := []byte("this was a store once")
	if err := os.WriteFile(filepath.Join(dir, store.File), ruined, 0o600); err != nil {
		t.Fatal(err)
	}
	aside, err := store.Restore(dir, copied, store.For{})
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := os.ReadFile(aside); !bytes.Equal(kept, ruined) {
		t.Error("what was there is lost")
	}
	if !bytes.Equal(want, dumped(t, dir)) {
		t.Error("another state was restored")
	}
	if err := os.WriteFile(copied, ruined, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(dir, copied, store.For{}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a ruined copy was restored: %v", err)
	}
	if !bytes.Equal(want, dumped(t, dir)) {
		t.Error("a refused copy changed the store")
	}
}

// Ensure that a damaged store names the newest copy, that it brings everything
// back, and that the ruined file is kept.
func TestNewestGood(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	s := open(t, dir)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	newest := store.Backups(dir)[0].File
	for _, file := range []string{filepath.Join(dir, store.File), strings.Replace(newest, "fabula-2", "fabula-3", 1)} {
		if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 40_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var bad *store.DamagedError
	if _, err := store.Open(dir); !errors.As(err, &bad) || len(bad.Copies) != 2 {
		t.Fatalf("%v", err)
	}
	if good, ok := store.NewestGood(dir); !ok || good != newest { // the newer one is no store
		t.Errorf("newest good: %s", good)
	}
	if _, err := store.Restore(dir, newest, store.For{}); err != nil {
		t.Fatal(err)
	}
	if rep := sound(t, dir); rep.Turns != 62 {
		t.Errorf("%+v", rep)
	}
}

// Ensure that a deleted branch comes back as it was, and that purging leaves no
// byte of what only it led to, and all of the rest.
func TestDeleteAndPurge(t *testing.T) {
	dir := t.TempDir()
	first, fork, second := told(t, dir)
	s := open(t, dir)
	if err := s.DeleteBranch(fork.branch.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteBranch(fork.branch.ID); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if _, err := s.Branch("secret"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("a deleted branch is found: %v", err)
	}
	if b, err := s.Unhide("secret"); err != nil || b.Leaf != fork.branch.Leaf {
		t.Errorf("unhide: %+v, %v", b, err)
	}
	for _, b := range []story.ID{fork.branch.ID, second.branch.ID} {
		if err := s.DeleteBranch(b); err != nil {
			t.Fatal(err)
		}
	}
	if hidden, err := s.Hidden(); err != nil || len(hidden) != 2 || hidden[0].Name != "ferry" {
		t.Errorf("hidden: %+v, %v", hidden, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if rep := sound(t, dir); rep.Hidden != 2 || rep.Turns != 62 {
		t.Errorf("%+v", rep)
	}
	if p, err := store.Purge(dir, true, false); err != nil || p.Branches != 2 || p.Turns != 21 || p.Alternatives != 21 {
		t.Errorf("dry: %+v, %v", p, err)
	}
	if rep := sound(t, dir); rep.Turns != 62 {
		t.Errorf("a dry run took turns away: %+v", rep)
	}
	if err := os.WriteFile(filepath.Join(dir, store.IndexFile), []byte("Answer 21 of secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Purge(dir, false, true); err != nil {
		t.Fatal(err)
	}
	if rep := sound(t, dir); rep.Turns != 41 || rep.Hidden != 0 || rep.Branches != 1 || rep.Playthroughs != 1 {
		t.Errorf("%+v", rep)
	}
	gone, kept := []string{"of secret", "of ferry", "Aboard ferry"}, []string{"Question 40 of salt", "Aboard salt", "turn 3 of salt"}
	trace(t, dir, gone, kept)
	s = open(t, dir)
	if path, err := s.Path(first.branch.Leaf); err != nil || len(path) != 41 {
		t.Errorf("%d steps, %v", len(path), err)
	}
}

// trace looks for texts in every byte of every file below dir.
func trace(t *testing.T, dir string, gone, kept []string) {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, rerr := os.ReadFile(name)
			all[name], err = string(data), rerr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range all {
		for _, text := range gone {
			if strings.Contains(data, text) {
				t.Errorf("%q is still in %s", text, name)
			}
		}
		for _, text := range kept {
			if filepath.Base(name) == store.File && !strings.Contains(data, text) {
				t.Errorf("%q is lost", text)
			}
		}
	}
}

// holes zeroes every nth page behind the heads.
func holes(good []byte, page, n int) []byte {
	data := bytes.Clone(good)
	for at := 3 * page; at+page <= len(data); at += n * page {
		clear(data[at : at+page])
	}
	return data
}

// Ensure that copies are kept as the manual says: the newest five, the last of
// each of seven days and four weeks, every one made by hand.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, store.BackupDir)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) // a Sunday
	for hour := range 24 * 60 {
		at := now.Add(-time.Duration(hour) * time.Hour).Format("20060102T150405.000Z")
		if err := os.WriteFile(filepath.Join(folder, "fabula-"+at+"-open.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, why := range []string{"hand", "hand", "hand", "hand", "hand", "upgrade1", "upgrade0", "upgrade1", "upgrade1"} {
		at := now.AddDate(-1, 0, i).Format("20060102T150405.000Z")
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("fabula-%s-%s.db", at, why)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	store.Rotate(dir, now)
	count := map[string]int{}
	var ages []string
	for _, b := range store.Backups(dir) {
		count[b.Why]++
		if b.Why == store.AtOpen {
			ages = append(ages, now.Sub(b.Made).String())
		}
	}
	if count[store.ByHand] != 5 || count[store.BeforeUpgrade] != 3 {
		t.Errorf("%v", count)
	}
	want := "0s 1h0m0s 2h0m0s 3h0m0s 4h0m0s 13h0m0s 37h0m0s 61h0m0s 85h0m0s 109h0m0s 133h0m0s 157h0m0s 325h0m0s 493h0m0s 661h0m0s"
	if got := strings.Join(ages, " "); got != want {
		t.Errorf("kept: %s\nwant: %s", got, want)
	}
}

// Ensure that a store of schema 1 can be read as it is, is upgraded when it is
// opened for writing, with everything in it, and goes on in order.
func TestSchemaOne(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := told(t, dir)
	edit(t, dir, func(tx *bolt.Tx) error {
		index, meta := tx.Bucket([]byte("index")), tx.Bucket([]byte("meta"))
		var gone [][]byte
		c := index.Cursor()
		for k, _ := c.Seek([]byte("o")); k != nil && k[0] == 'o'; k, _ = c.Next() {
			gone = append(gone, slices.Clone(k))
		}
		for _, k := range gone {
			if err := index.Delete(k); err != nil {
				return err
			}
		}
		return errors.Join(index.SetSequence(0), tx.Bucket([]byte("alternatives")).SetSequence(0), meta.Delete([]byte("life")), meta.Put([]byte("schema"), []byte("1")))
	})
	if rep := sound(t, dir); rep.Schema != 1 || rep.Turns != 62 {
		t.Errorf("read as it is: %+v", rep)
	}
	s := open(t, dir)
	if all := store.Backups(dir); len(all) == 0 || all[len(all)-1].Why != store.BeforeUpgrade {
		t.Errorf("copies: %+v", all)
	}
	if n, err := s.LastStored(); err != nil || n != 62 {
		t.Errorf("numbered to %d, %v", n, err)
	}
	first.s = s
	first.on(1)
	count := 0
	err := s.Stored(60, func(uint64, story.Turn, story.Alternative) error { count++; return nil })
	if err != nil || count != 3 {
		t.Errorf("%d stored after 60, %v", count, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if rep := sound(t, dir); rep.Schema != store.Schema || rep.Turns != 63 {
		t.Errorf("%+v", rep)
	}
}
