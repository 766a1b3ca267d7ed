package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"time"

	"fabula/story"
)

// wreck holds the records of a damaged file by sort and id.
type wreck struct {
	playthroughs map[story.ID]playthroughRecord
	turns        map[story.ID]turnRecord
	alternatives map[story.ID]alternativeRecord
	branches     map[story.ID]branchRecord
	facts        map[string][]string // keys of pins and summaries: the alternatives that they are of
	meta         map[string][]byte   // the journal, numbers of wordings, the world
	values       map[Record]value    // what of each was found and counts
	blobs        map[string][]byte
	live         live
	found        Salvaged
}

func newWreck() *wreck {
	return &wreck{map[story.ID]playthroughRecord{}, map[story.ID]turnRecord{}, map[story.ID]alternativeRecord{}, map[story.ID]branchRecord{},
		map[string][]string{}, map[string][]byte{}, map[Record]value{}, map[string][]byte{}, live{}, Salvaged{}}
}

// value is what was found under a key, with what tells which of two is newer.
type value struct {
	raw     []byte
	altered bool   // it does not fit its checksum
	written uint64 // 0 without a checksum
	current bool   // it lies where the newest state leads
}

// compare is above 0 where v is to be preferred to old, and 0 where only what
// they say can tell.
func (v value) compare(old value) int {
	switch {
	case v.altered != old.altered:
		return sign(old.altered)
	case v.written != old.written:
		return sign(v.written > old.written)
	case v.current != old.current:
		return sign(v.current)
	}
	return 0
}

func sign(more bool) int {
	if more {
		return 1
	}
	return -1
}

// read looks at every page of the file for keys.
func (w *wreck) read(f *os.File) error {
	m, err := newestMeta(f)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p := pagesOf(f, m, info.Size())
	w.live = p.live(m.root)
	for id := int64(0); p.there(id); id++ {
		w.found.Pages++
		page, err := p.read(id)
		if err != nil {
			break // the disk gives no more: what was found counts
		}
		if page.leaf() && w.leaf(page, w.live.pages[uint64(id)]) {
			w.found.Leaves++
		}
	}
	return nil
}

// leaf takes the keys of one page, which may hold anything.
func (w *wreck) leaf(p page, current bool) (held bool) {
	for k, v := range p.keys() {
		if v.bucket {
			held = len(v.inline()) > 0 && w.leaf(v.inline(), current) || held
		} else {
			held = w.take(k, v.data, current) || held
		}
	}
	return held
}

// take keeps a value if it is plainly one of ours: a text that fits its hash, a
// record whose id is its key, or a fact.
func (w *wreck) take(k, v []byte, current bool) bool {
	if len(k) == 2*sha256.Size {
		sum := sha256.Sum256(v)
		if hex.EncodeToString(sum[:]) == string(k) {
			w.blobs[string(k)] = bytes.Clone(v)
			return true
		}
	}
	switch key := string(k); {
	case len(v) > 0 && v[0] == '{':
		return w.record(key, v, current)
	case key == worldKey || strings.HasPrefix(key, "persona"):
		return w.fixed(key, v, current)
	case key == string(journalKey):
		return w.journal(v, current)
	}
	return false
}

// fixed keeps the name of the world, the numbers of wordings, which never
// change, and how many of these there are, which grows.
func (w *wreck) fixed(key string, v []byte, current bool) bool {
	if key == worldKey {
		fits := len(v) > 0 && len(v) < 100
		if fits && (current || w.meta[key] == nil && !w.live.whole["meta"]) { // adopted, it had another before
			w.meta[key] = bytes.Clone(v)
		}
		return fits
	}
	n, err := strconv.Atoi(string(v))
	if before, _ := strconv.Atoi(string(w.meta[key])); err == nil && n > before {
		w.meta[key] = bytes.Clone(v)
	}
	return err == nil
}

// journal keeps what can be undone, the newest of it, but for what a purge took.
func (w *wreck) journal(v []byte, current bool) bool {
	last := func(data []byte) (at time.Time, ok bool) {
		var all []struct{ At, Undone time.Time }
		if json.Unmarshal(data, &all) != nil || len(all) == 0 {
			return at, false
		}
		for _, n := range all {
			for _, t := range []time.Time{n.At, n.Undone} {
				if t.After(at) {
					at = t
				}
			}
		}
		return at, true
	}
	at, ok := last(v)
	before, had := last(w.meta[string(journalKey)])
	if ok && (current || !w.live.whole["meta"] && (!had || at.After(before))) {
		w.meta[string(journalKey)] = bytes.Clone(v)
	}
	return ok
}

func (w *wreck) record(key string, v []byte, current bool) bool {
	has := map[string]json.RawMessage{}
	if json.Unmarshal(v, &has) != nil {
		return false
	}
	id, named := story.ID(key), string(has["id"]) == strconv.Quote(key)
	switch {
	case named && has["before"] != nil && has["playthrough"] != nil:
		return keep(w, "turns", id, v, current, w.turns, func(t, old turnRecord) bool { return old.Status == story.Pending })
	case named && has["turn"] != nil && has["state"] != nil:
		return keep(w, "alternatives", id, v, current, w.alternatives, func(_, _ alternativeRecord) bool { return true })
	case named && has["leaf"] != nil && has["name"] != nil:
		return keep(w, "branches", id, v, current, w.branches, func(b, old branchRecord) bool {
			return b.Touched.After(old.Touched) || !b.Hidden.IsZero()
		})
	case named && has["root"] != nil && has["made"] != nil:
		return keep(w, "playthroughs", id, v, current, w.playthroughs, func(_, _ playthroughRecord) bool { return true })
	case !named && has["v"] != nil && (current || !w.live.whole["facts"]): // elsewhere lies what was unpinned too
		return w.fact(key, v, current)
	}
	return false
}

// keep takes a record where none is known under its id, or an older one; newer
// tells where nothing else does.
func keep[T any](w *wreck, bucket string, id story.ID, v []byte, current bool, all map[story.ID]T, newer func(rec, old T) bool) bool {
	var rec T
	if json.Unmarshal(v, &rec) != nil {
		return false
	}
	written, err := unseal(bucket, string(id), v)
	is, key := value{bytes.Clone(v), err != nil, written, current}, Record{bucket, string(id)}
	old, there := w.values[key]
	if prefer := is.compare(old); !there || prefer > 0 || prefer == 0 && newer(rec, all[id]) {
		all[id], w.values[key] = rec, is
	}
	return true
}

// fact keeps a pin or a summary.
func (w *wreck) fact(key string, v []byte, current bool) bool {
	var rec summaryRecord
	if json.Unmarshal(v, &rec) != nil {
		return false
	}
	switch {
	case strings.HasPrefix(key, summaryKey) && key == summaryKey+rec.Hash:
		w.facts[key] = rec.Of
	case strings.HasPrefix(key, pinKey) && rec.Hash == "" && len(v) < 100:
		of, _, _ := strings.Cut(key[len(pinKey):], ".")
		w.facts[key] = []string{of}
	default:
		return false
	}
	written, err := unseal("facts", key, v)
	is, at := value{bytes.Clone(v), err != nil, written, current}, Record{"facts", key}
	if old, there := w.values[at]; !there || is.compare(old) > 0 {
		w.values[at] = is
	}
	return true
}
