package store_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that whatever page is destroyed, what the others hold is saved, in a
// sound store, and the damaged file stays as it is.
func TestSalvage(t *testing.T) {
	whole := t.TempDir()
	told(t, whole)
	good, err := os.ReadFile(filepath.Join(whole, store.File))
	if err != nil {
		t.Fatal(err)
	}
	all := records(t, whole)
	size := all.page
	used := len(good) / size
	for name, data := range map[string][]byte{
		"nothing":      good,
		"head":         append(make([]byte, 2*size), good[2*size:]...),
		"cut":          good[:used/2*size+100],
		"every 5th":    holes(good, size, 5),
		"every 2nd":    holes(good, size, 2),
		"no store":     bytes.Repeat([]byte("no store "), 9000),
		"cut to heads": good[:2*size],
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, store.File)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		saved, err := store.Salvage(dir, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if now, _ := os.ReadFile(file); !bytes.Equal(now, data) {
			t.Errorf("%s: the damaged file was changed", name)
		}
		if _, err := store.Restore(dir, saved.File, store.For{}); err != nil {
			t.Fatal(err)
		}
		rep, err := store.Check(dir)
		if err != nil || rep.Turns != saved.Turns || rep.Branches != saved.Branches {
			t.Errorf("%s: %+v, %v; saved %+v", name, rep, err, saved)
		}
		for _, p := range rep.Problems { // a prompt's texts may be lost; ids must not lead nowhere
			if p.Code != store.CodeMissing || p.Args[0] != "text" {
				t.Errorf("%s: %+v", name, p)
			}
		}
		must := all.intact(func(page int) bool {
			return (page+1)*size <= len(data) && bytes.Equal(good[page*size:(page+1)*size], data[page*size:(page+1)*size])
		})
		if name == "nothing" && len(must) != 62 {
			t.Errorf("%d of 62 turns found in a whole file", len(must))
		}
		holdsTurns(t, dir, must)
		t.Logf("%s: %d of 62 turns, at least %d; %d of 62 replies, %d branches", name, saved.Turns, len(must), saved.Alternatives, saved.Branches)
	}
}

// record is what leads from a turn or a reply to its beginning, and the pages that
// hold it.
type record struct {
	Parent story.ID
	Turn   story.ID
	pages  []int
}

// layout says where a store's records are. Where bbolt puts them differs from run
// to run, so what must be saved is reckoned from this, not counted once.
type layout struct {
	page           int
	turns, replies map[story.ID]record
}

// records finds the records of a whole store: bbolt's keys are slices of its file.
func records(t *testing.T, dir string) layout {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, store.File), 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	l := layout{db.Info().PageSize, map[story.ID]record{}, map[story.ID]record{}}
	err = db.View(func(tx *bolt.Tx) error {
		first := map[int]int{} // page of a span to its first
		last := map[int]int{}
		for id := 0; id < int(tx.Size())/l.page; {
			info, err := tx.Page(id)
			if err != nil || info == nil {
				return err
			}
			for n := range info.OverflowCount + 1 {
				first[id+n], last[id+n] = id, id+info.OverflowCount
			}
			id += info.OverflowCount + 1
		}
		for bucket, into := range map[string]map[story.ID]record{"turns": l.turns, "alternatives": l.replies} {
			err := tx.Bucket([]byte(bucket)).ForEach(func(k, v []byte) error {
				var r record
				at := int(uintptr(unsafe.Pointer(&k[0]))-db.Info().Data) / l.page
				for p := first[at]; p <= last[at]; p++ {
					r.pages = append(r.pages, p)
				}
				err := json.Unmarshal(v, &r)
				into[story.ID(k)] = r
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// intact gives the turns that lie, with all they hang on, on whole pages.
func (l layout) intact(whole func(page int) bool) []story.ID {
	on := func(r record, there bool) bool {
		for _, p := range r.pages {
			there = there && whole(p)
		}
		return there
	}
	var leads func(story.ID) bool
	leads = func(id story.ID) bool {
		turn, there := l.turns[id]
		if !on(turn, there) || turn.Parent == "" {
			return on(turn, there)
		}
		reply, there := l.replies[turn.Parent]
		return on(reply, there) && leads(reply.Turn)
	}
	var out []story.ID
	for id := range l.turns {
		if leads(id) {
			out = append(out, id)
		}
	}
	return out
}

// holdsTurns checks that a store has these turns.
func holdsTurns(t *testing.T, dir string, ids []story.ID) {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, id := range ids {
		if _, err := s.Turn(id); err != nil {
			t.Errorf("turn %s lies on whole pages and is lost: %v", id, err)
		}
	}
}
