package store

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Purged counts what Purge took away, or would.
type Purged struct {
	Branches, Turns, Alternatives, Texts int
	Before, After                        int64    // bytes of the file
	Copies                               []string // copies that still hold what was purged
}

// Purge takes away for good what was deleted: hidden branches, and the turns
// and replies that led to them and that no other branch shows, with everything
// below; then prompt texts that nothing refers to and what could be undone, and,
// by Compact, the pages that held any of it. Copies made before hold it still: they are listed, and
// with copies removed too, after a new one was made. With dry nothing changes.
func Purge(dir string, dry, copies bool) (Purged, error) {
	s, err := openWriter(dir)
	if err != nil {
		return Purged{}, err
	}
	s.sweep()
	p, err := s.purge(dry)
	if err == nil && !dry {
		p.Before, p.After, err = s.compact()
	}
	if err = errors.Join(err, s.Close()); err != nil || dry {
		return p, err
	}
	p.Copies = allCopies(s.file)
	if err := dropIndex(dir); err != nil || !copies {
		return p, err
	}
	if _, err := Copy(dir, ""); err != nil {
		return p, err
	}
	for _, file := range p.Copies {
		err = errors.Join(err, os.Remove(file))
	}
	p.Copies = nil
	return p, err
}

// errDry ends a transaction that was only to be counted.
var errDry = errors.New("dry run")

func (s *Store) purge(dry bool) (p Purged, err error) {
	err = s.update(func(tx *bolt.Tx) error {
		g := purger{tx: tx, reader: &s.reader, shown: map[story.ID]bool{}, Purged: Purged{}}
		if err := g.run(); err != nil {
			return err
		}
		p = g.Purged
		if dry {
			return errDry
		}
		return renew(tx)
	})
	if errors.Is(err, errDry) {
		return p, nil
	}
	if err == nil {
		s.dropLives()
	}
	return p, err
}

// dropLives removes the live files of turns that are no longer there.
func (s *Store) dropLives() {
	files, _ := os.ReadDir(filepath.Join(s.dir, "live"))
	for _, f := range files {
		turn, _, _ := strings.Cut(strings.TrimSuffix(f.Name(), liveSuffix), ".")
		if _, err := s.Turn(story.ID(turn)); errors.Is(err, story.ErrNotFound) {
			_ = os.Remove(filepath.Join(s.dir, "live", f.Name()))
		}
	}
}

type purger struct {
	tx     *bolt.Tx
	reader *reader
	shown  map[story.ID]bool // turns and alternatives that a branch leads through
	Purged
}

func (g *purger) run() error {
	hidden, err := g.split()
	if err != nil {
		return err
	}
	for _, b := range hidden {
		if err := g.branch(b); err != nil {
			return err
		}
	}
	if len(hidden) == 0 { // texts are only ever left over by what was purged
		return nil
	}
	// What can be undone tells titles, and names of branches.
	if err := errors.Join(g.orders(), g.facts(), g.tx.Bucket([]byte("meta")).Delete(journalKey)); err != nil {
		return err
	}
	return g.texts()
}

// split marks what visible branches show and gives the hidden ones.
func (g *purger) split() (hidden []branchRecord, err error) {
	up := g.tx.Bucket([]byte("index"))
	err = g.tx.Bucket([]byte("branches")).ForEach(func(k, data []byte) error {
		var rec branchRecord
		if err := json.Unmarshal(data, &rec); err != nil {
			return broken(g.reader.file, "branch "+string(k), err)
		}
		if !rec.Hidden.IsZero() {
			hidden = append(hidden, rec)
			return nil
		}
		for id := rec.Leaf; id != "" && !g.shown[id]; id = story.ID(up.Get(upKey(id))) {
			g.shown[id] = true
		}
		return nil
	})
	return hidden, err
}

// branch takes a hidden branch away: from the first step of its path on that no
// visible branch shows. Its path may have gone with another hidden one.
func (g *purger) branch(b branchRecord) error {
	up := g.tx.Bucket([]byte("index"))
	first, leaf := story.ID(""), b.Leaf
	if g.tx.Bucket([]byte("alternatives")).Get([]byte(leaf)) == nil {
		leaf = ""
	}
	for id := leaf; id != "" && !g.shown[id]; id = story.ID(up.Get(upKey(id))) {
		first = id
	}
	g.Branches++
	if err := g.tx.Bucket([]byte("branches")).Delete([]byte(b.ID)); err != nil || first == "" {
		return err
	}
	parent := story.ID(up.Get(upKey(first)))
	if err := g.below(first); err != nil {
		return err
	}
	if parent != "" {
		return up.Delete(childKey(parent, first))
	}
	return g.tx.Bucket([]byte("playthroughs")).Delete([]byte(b.Playthrough)) // its opening went
}

// below deletes a turn or an alternative and everything under it, without the
// key that its parent has of it.
func (g *purger) below(top story.ID) error {
	index := g.tx.Bucket([]byte("index"))
	for todo := []story.ID{top}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, child := range children(g.tx, id) {
			todo = append(todo, child)
			if err := index.Delete(childKey(id, child)); err != nil {
				return err
			}
		}
		for name, n := range map[string]*int{"turns": &g.Turns, "alternatives": &g.Alternatives} {
			b := g.tx.Bucket([]byte(name))
			if b.Get([]byte(id)) == nil {
				continue
			}
			*n++
			if err := b.Delete([]byte(id)); err != nil {
				return err
			}
		}
		if err := errors.Join(index.Delete(upKey(id)), index.Delete(visitKey(id))); err != nil {
			return err
		}
	}
	return nil
}

// orders forgets the numbers of alternatives that are gone.
func (g *purger) orders() error {
	index, there := g.tx.Bucket([]byte("index")), g.tx.Bucket([]byte("alternatives"))
	var gone [][]byte
	c := index.Cursor()
	for k, v := c.Seek([]byte("o")); k != nil && k[0] == 'o'; k, v = c.Next() {
		if there.Get(v) == nil {
			gone = append(gone, append([]byte(nil), k...))
		}
	}
	return deleteAll(index, gone)
}

// facts deletes the pins of alternatives that are gone, and summaries that have
// words of these.
func (g *purger) facts() error {
	facts, there := g.tx.Bucket([]byte("facts")), g.tx.Bucket([]byte("alternatives"))
	var gone [][]byte
	err := facts.ForEach(func(k, data []byte) error {
		of := []string{}
		switch key := string(k); {
		case strings.HasPrefix(key, pinKey):
			id, _, _ := strings.Cut(key[len(pinKey):], ".")
			of = append(of, id)
		case strings.HasPrefix(key, summaryKey):
			var rec summaryRecord
			if err := json.Unmarshal(data, &rec); err != nil {
				return broken(g.reader.file, "summary "+key[len(summaryKey):], err)
			}
			of = rec.Of
		}
		if slices.ContainsFunc(of, func(id string) bool { return there.Get([]byte(id)) == nil }) {
			gone = append(gone, append([]byte(nil), k...))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return deleteAll(facts, gone)
}

// texts deletes the blobs that no reply refers to.
func (g *purger) texts() error {
	used := map[string]bool{}
	err := g.tx.Bucket([]byte("alternatives")).ForEach(func(k, data []byte) error {
		var rec alternativeRecord
		if err := json.Unmarshal(data, &rec); err != nil {
			return broken(g.reader.file, "alternative "+string(k), err)
		}
		if rec.Reply == nil {
			return nil
		}
		for hashes := rec.Reply.Chunks; len(hashes) >= 32; hashes = hashes[32:] {
			used[hex.EncodeToString(hashes[:32])] = true
		}
		refs, err := chunksOf(g.tx).unpack(rec.Reply.Chunks, rec.Reply.Segments)
		for _, s := range refs {
			used[s.Blob] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	blobs := g.tx.Bucket([]byte("blobs"))
	var gone [][]byte
	c := blobs.Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		if !used[string(k)] {
			gone = append(gone, append([]byte(nil), k...))
		}
	}
	g.Texts = len(gone)
	return deleteAll(blobs, gone)
}

// deleteAll deletes keys that were collected before: a bucket must not change
// under a cursor.
func deleteAll(b *bolt.Bucket, keys [][]byte) error {
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
