package store

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Salvaged counts what Salvage found.
type Salvaged struct {
	File                                               string // what was written
	Playthroughs, Turns, Alternatives, Branches, Texts int
	Pins, Summaries                                    int
	Journal                                            bool // what can be undone is in it
	Lost                                               int  // turns and replies without what they hang on
	Altered                                            int  // values that do not fit their checksums, and are kept for want of others
	Pages, Leaves                                      int  // looked at, and holding keys
}

// Salvage makes a new store of what can still be read in a damaged one, which is
// left as it is. It looks at every page by itself, so that keys are found below a
// destroyed page too. Pages that were given up hold older values and, until a
// Compact, what was purged: of the values of a key the newest that fits its
// checksum counts, and what nothing leads to any more is left out. Pins,
// summaries, numbers of personas' wordings and what can be undone come with it.
// The new file is to, or lies beside the store under a name that is free.
func Salvage(dir, to string) (Salvaged, error) {
	file := filepath.Join(dir, File)
	if to == "" {
		to = freeName(dir)
	}
	if _, err := os.Lstat(to); err == nil {
		return Salvaged{}, fmt.Errorf("salvage to %s: %w: nothing is overwritten", to, os.ErrExist)
	}
	f, err := os.Open(file)
	if err != nil {
		return Salvaged{}, fmt.Errorf("salvage store: %w", err)
	}
	defer func() { _ = f.Close() }()
	w := newWreck()
	if err := w.read(f); err != nil {
		return w.found, fmt.Errorf("salvage %s: %w", file, err)
	}
	w.mend()
	w.found.File = to
	tmp := fmt.Sprintf("%s%s%d", to, unfinished, os.Getpid())
	defer func() { _ = os.Remove(tmp) }()
	err = w.write(tmp)
	if err == nil {
		err = verify(tmp)
	}
	if err == nil {
		err = os.Rename(tmp, to)
	}
	return w.found, unwritten(to, err)
}

// freeName is salvaged.db, or the first of salvaged-2.db and so on that is free.
func freeName(dir string) string {
	to := filepath.Join(dir, "salvaged.db")
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); err != nil {
			return to
		}
		to = filepath.Join(dir, fmt.Sprintf("salvaged-%d.db", n))
	}
}

// mend drops what hangs on nothing, and lets branches end where their path does.
func (w *wreck) mend() {
	whole := map[story.ID]bool{}
	var leads func(turn story.ID) bool // to the opening of its playthrough
	leads = func(id story.ID) bool {
		if ok, seen := whole[id]; seen {
			return ok
		}
		whole[id] = false // a ring leads nowhere
		t, ok := w.turns[id]
		if ok && t.Parent == "" {
			whole[id] = w.playthroughs[t.Playthrough].Root == id
		} else if a, there := w.alternatives[t.Parent]; ok && there {
			whole[id] = leads(a.Turn)
		}
		return whole[id]
	}
	before := len(w.turns) + len(w.alternatives)
	for id, t := range w.turns {
		if _, ok := w.playthroughs[t.Playthrough]; !ok && t.Parent == "" { // its language is lost
			w.playthroughs[t.Playthrough] = playthroughRecord{version, story.Playthrough{ID: t.Playthrough, Root: id, Node: t.Before.Node, Made: t.Made}}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.turns)) { // parents first, so that nothing is deep
		leads(id)
	}
	maps.DeleteFunc(w.alternatives, func(_ story.ID, a alternativeRecord) bool { return !whole[a.Turn] })
	answered := map[story.ID]bool{}
	for _, a := range w.alternatives {
		answered[a.Turn] = true
	}
	maps.DeleteFunc(w.turns, func(id story.ID, _ turnRecord) bool { return !whole[id] })
	for id, t := range w.turns {
		if !answered[id] && t.Status != story.Pending { // its reply was lost: opened, it is one that never came
			t.Status, t.V = story.Pending, version
			w.turns[id] = t
			w.changed("turns", id)
		}
	}
	maps.DeleteFunc(w.playthroughs, func(_ story.ID, p playthroughRecord) bool { return !whole[p.Root] })
	maps.DeleteFunc(w.facts, func(_ string, of []string) bool {
		return slices.ContainsFunc(of, func(id string) bool { _, there := w.alternatives[story.ID(id)]; return !there })
	})
	w.found.Lost = before - len(w.turns) - len(w.alternatives)
	w.branchEnds()
}

// branchEnds lets every branch end at a reply that is there, and gives a
// playthrough that no branch is left of a new one.
func (w *wreck) branchEnds() {
	latest, seen := map[story.ID]story.ID{}, map[story.ID]bool{}
	for id, a := range w.alternatives {
		through := w.turns[a.Turn].Playthrough
		latest[through] = max(latest[through], id)
	}
	for id, b := range w.branches {
		if _, ok := w.alternatives[b.Leaf]; !ok {
			b.Leaf, b.V = latest[b.Playthrough], version
			w.changed("branches", id)
		}
		if _, ok := w.playthroughs[b.Playthrough]; !ok || b.Leaf == "" {
			delete(w.branches, id)
			continue
		}
		w.branches[id] = b
		seen[b.Playthrough] = seen[b.Playthrough] || b.Hidden.IsZero()
	}
	for id, p := range w.playthroughs {
		if leaf := latest[id]; !seen[id] && leaf != "" {
			b := story.Branch{ID: w.turns[p.Root].Branch, Name: "salvaged-" + string(leaf), Playthrough: id, Leaf: leaf, Made: p.Made, Touched: p.Made}
			if _, taken := w.branches[b.ID]; taken || b.ID == "" {
				continue // hidden: it can be brought back
			}
			w.branches[b.ID] = branchRecord{version, b}
		}
	}
}

// write makes a store of what was found, its index anew.
func (w *wreck) write(to string) error {
	return filled(to, func(db *bolt.DB) error { return db.Update(w.fill) })
}

func (w *wreck) fill(tx *bolt.Tx) error {
	if err := fresh(tx); err != nil {
		return err
	}
	for key, v := range w.meta {
		if err := tx.Bucket([]byte("meta")).Put([]byte(key), v); err != nil {
			return err
		}
	}
	for id, p := range w.playthroughs {
		if err := w.put(tx, "playthroughs", id, p); err != nil {
			return err
		}
	}
	for id, t := range w.turns {
		if err := errors.Join(w.put(tx, "turns", id, t), link(tx, t.Parent, id)); err != nil {
			return err
		}
	}
	for key := range w.facts {
		if err := w.put(tx, "facts", story.ID(key), nil); err != nil {
			return err
		}
	}
	for hash, text := range w.blobs {
		if err := tx.Bucket([]byte("blobs")).Put([]byte(hash), text); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.alternatives)) {
		err := errors.Join(order(tx, id), link(tx, w.alternatives[id].Turn, id), w.alternative(tx, id))
		if err != nil {
			return err
		}
	}
	for id, b := range w.branches {
		if err := errors.Join(w.put(tx, "branches", id, b), visit(tx, b.Leaf)); err != nil {
			return err
		}
	}
	w.count()
	return nil
}

func (w *wreck) count() {
	w.found.Playthroughs, w.found.Turns, w.found.Alternatives = len(w.playthroughs), len(w.turns), len(w.alternatives)
	w.found.Branches, w.found.Texts = len(w.branches), len(w.blobs)
	for key := range w.facts {
		if strings.HasPrefix(key, pinKey) {
			w.found.Pins++
		} else {
			w.found.Summaries++
		}
	}
	w.found.Journal = w.meta[string(journalKey)] != nil
}

// put stores a value as it was found, its checksum with it, or as mend changed it.
func (w *wreck) put(tx *bolt.Tx, bucket string, id story.ID, rec any) error {
	v, there := w.values[Record{bucket, string(id)}]
	if !there {
		return put(tx, bucket, id, rec)
	}
	if v.altered {
		w.found.Altered++
	}
	return tx.Bucket([]byte(bucket)).Put([]byte(id), v.raw)
}

// changed forgets a value as it was found, because mend changed what it says.
func (w *wreck) changed(bucket string, id story.ID) { delete(w.values, Record{bucket, string(id)}) }

// alternative stores a reply as it was. One whose prompt is lost in part keeps
// its text and state, and forgets how its prompt was put together.
func (w *wreck) alternative(tx *bolt.Tx, id story.ID) error {
	rec := w.alternatives[id]
	_, err := rec.Reply.unpack(rec.Text, chunksOf(tx))
	if err != nil {
		rec.Reply.Chunks, rec.Reply.Segments = nil, nil
		if _, err := rec.Reply.unpack(rec.Text, chunksOf(tx)); err != nil {
			rec.Reply.Tokens = nil
		}
		rec.V = version
		w.changed("alternatives", id)
	}
	return w.put(tx, "alternatives", id, rec)
}
