package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Salvaged counts what Salvage found.
type Salvaged struct {
	File                                               string // what was written
	Playthroughs, Turns, Alternatives, Branches, Texts int
	Lost                                               int // turns and replies without what they hang on
	Pages, Leaves                                      int // looked at, and holding keys
}

// Salvage makes a new store of what can still be read in a damaged one, which is
// left as it is. It looks at every page by itself, so that keys are found below a
// destroyed page too. Pages that were given up hold older values and, until a
// Compact, what was purged: the newest value of a key counts, and what nothing
// leads to any more is left out. The new file is to, or
// lies beside the store under a name that is free.
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

// wreck holds the records of a damaged file by sort and id.
type wreck struct {
	playthroughs map[story.ID]playthroughRecord
	turns        map[story.ID]turnRecord
	alternatives map[story.ID]alternativeRecord
	branches     map[story.ID]branchRecord
	raw          map[story.ID][]byte // alternatives as they were stored
	blobs        map[string][]byte
	found        Salvaged
}

func newWreck() *wreck {
	return &wreck{map[story.ID]playthroughRecord{}, map[story.ID]turnRecord{}, map[story.ID]alternativeRecord{}, map[story.ID]branchRecord{},
		map[story.ID][]byte{}, map[string][]byte{}, Salvaged{}}
}

// Layout of a bbolt page: id, flags, count of elements, count of further pages;
// then for each element of a leaf flags, offset from the element, and the sizes
// of key and value.
const (
	pageHead    = 16
	leafFlag    = 0x02
	leafElement = 16
	bucketFlag  = 0x01
	bucketHead  = 16 // root page, sequence
)

// read looks at every page of the file for keys.
func (w *wreck) read(f *os.File) error {
	m, err := newestMeta(f)
	if err != nil {
		return err
	}
	if m.size < minPage || m.size > maxPage {
		m.size = int64(os.Getpagesize()) // the head is gone: nearly always right
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, pageHead)
	for at := int64(0); at+pageHead <= info.Size(); at += m.size {
		w.found.Pages++
		if _, err := f.ReadAt(head, at); err != nil {
			break // the disk gives no more: what was found counts
		}
		if binary.NativeEndian.Uint16(head[8:]) != leafFlag {
			continue
		}
		span := (int64(binary.NativeEndian.Uint32(head[12:])) + 1) * m.size
		span = min(span, info.Size()-at)
		if span > maxLine {
			continue
		}
		page := make([]byte, span)
		n, err := f.ReadAt(page, at)
		if err != nil && !errors.Is(err, io.EOF) {
			continue
		}
		w.leaf(page[:n])
	}
	return nil
}

// leaf takes the keys of one page, which may hold anything.
func (w *wreck) leaf(page []byte) {
	count := int(binary.NativeEndian.Uint16(page[10:]))
	held := false
	for i := range count {
		at := pageHead + i*leafElement
		if at+leafElement > len(page) {
			break
		}
		e := page[at:]
		flags, pos := binary.NativeEndian.Uint32(e), uint64(binary.NativeEndian.Uint32(e[4:]))
		k, v := uint64(binary.NativeEndian.Uint32(e[8:])), uint64(binary.NativeEndian.Uint32(e[12:]))
		from := uint64(at) + pos
		if from+k+v > uint64(len(page)) {
			continue
		}
		key, value := page[from:from+k], page[from+k:from+k+v]
		switch {
		case flags&bucketFlag == 0:
			held = w.take(key, value) || held
		case len(value) > bucketHead+pageHead && binary.NativeEndian.Uint64(value) == 0:
			w.leaf(value[bucketHead:]) // a small bucket lies inside its parent's page
		}
	}
	if held {
		w.found.Leaves++
	}
}

// take keeps a value if it is plainly one of ours: a text that fits its hash, or
// a record whose id is its key.
func (w *wreck) take(k, v []byte) bool {
	if len(k) == 2*sha256.Size {
		sum := sha256.Sum256(v)
		if hex.EncodeToString(sum[:]) == string(k) {
			w.blobs[string(k)] = bytes.Clone(v)
			return true
		}
	}
	if len(v) == 0 || v[0] != '{' {
		return false
	}
	return w.record(story.ID(k), v)
}

func (w *wreck) record(id story.ID, v []byte) bool {
	has := map[string]json.RawMessage{}
	if json.Unmarshal(v, &has) != nil || string(has["id"]) != fmt.Sprintf("%q", id) {
		return false
	}
	switch {
	case has["before"] != nil && has["playthrough"] != nil:
		var t turnRecord
		if json.Unmarshal(v, &t) != nil {
			return false
		}
		if old, ok := w.turns[id]; !ok || old.Status == story.Pending {
			w.turns[id] = t
		}
	case has["turn"] != nil && has["state"] != nil:
		var a alternativeRecord
		if json.Unmarshal(v, &a) != nil {
			return false
		}
		w.alternatives[id], w.raw[id] = a, bytes.Clone(v)
	case has["leaf"] != nil && has["name"] != nil:
		var b branchRecord
		if json.Unmarshal(v, &b) != nil {
			return false
		}
		if old, ok := w.branches[id]; !ok || b.Touched.After(old.Touched) || !b.Hidden.IsZero() {
			w.branches[id] = b
		}
	case has["root"] != nil && has["made"] != nil:
		var p playthroughRecord
		if json.Unmarshal(v, &p) != nil {
			return false
		}
		w.playthroughs[id] = p
	default:
		return false
	}
	return true
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
		if !answered[id] { // its reply was lost: opened, it is one that never came
			t.Status = story.Pending
			w.turns[id] = t
		}
	}
	maps.DeleteFunc(w.playthroughs, func(_ story.ID, p playthroughRecord) bool { return !whole[p.Root] })
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
			b.Leaf = latest[b.Playthrough]
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
	_ = os.Remove(to)
	db, err := bolt.Open(to, fileMode, &bolt.Options{Timeout: lockWait, NoSync: true})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error { return w.fill(tx) })
	if err == nil {
		err = db.Sync()
	}
	return errors.Join(err, db.Close())
}

func (w *wreck) fill(tx *bolt.Tx) error {
	if err := fresh(tx); err != nil {
		return err
	}
	for id, p := range w.playthroughs {
		if err := put(tx, "playthroughs", id, p); err != nil {
			return err
		}
	}
	for id, t := range w.turns {
		if err := errors.Join(put(tx, "turns", id, t), link(tx, t.Parent, id)); err != nil {
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
		if err := errors.Join(put(tx, "branches", id, b), visit(tx, b.Leaf)); err != nil {
			return err
		}
	}
	w.found.Playthroughs, w.found.Turns, w.found.Alternatives = len(w.playthroughs), len(w.turns), len(w.alternatives)
	w.found.Branches, w.found.Texts = len(w.branches), len(w.blobs)
	return nil
}

// alternative stores a reply as it was. One whose prompt is lost in part keeps
// its text and state, and forgets how its prompt was put together.
func (w *wreck) alternative(tx *bolt.Tx, id story.ID) error {
	data := w.raw[id]
	if _, err := decodeAlternative(data, chunksOf(tx)); err != nil {
		rec := w.alternatives[id]
		rec.Reply.Chunks, rec.Reply.Segments = nil, nil
		if _, err := rec.Reply.unpack(rec.Text, chunksOf(tx)); err != nil {
			rec.Reply.Tokens = nil
		}
		if data, err = json.Marshal(rec); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte("alternatives")).Put([]byte(id), data)
}
