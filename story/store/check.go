package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Codes of what Check finds wrong. Args are worded by who shows them.
const (
	CodePages    = "store_pages"    // what the library says
	CodeDecode   = "store_decode"   // bucket, key, why
	CodeMissing  = "store_missing"  // sort and id of what is not there, sort and id of what names it
	CodeHash     = "store_hash"     // the hash that a text does not fit
	CodeAltered  = "store_altered"  // bucket, key: the value does not fit its checksum
	CodeIndex    = "store_index"    // bucket, key: the index and what it was made of disagree
	CodeUnplaced = "store_unplaced" // sort, id: nothing leads to it
	CodeDamaged  = "store_damaged"  // what
)

// mostProblems is how many problems a report lists; all are counted.
const mostProblems = 200

// Problem is one thing that is wrong with a store.
type Problem struct {
	Code string
	Args []string
}

// Report is what Check found.
type Report struct {
	Stats
	Schema     int
	Free       int64 // bytes that Compact would give back, about
	Hidden     int   // branches that Purge would take away
	Unfinished int   // turns that wait for their reply: play, or a program that died
	Unsealed   Unsealed
	Count      int // of problems
	Problems   []Problem
	Backups    []Backup
}

// Unsealed are the values that have no checksum, because a program before schema
// 3 wrote them.
type Unsealed struct {
	Count int
	First []Record // not more than mostProblems
}

// Record names a value.
type Record struct{ Bucket, Key string }

// Sound reports whether nothing was found.
func (r *Report) Sound() bool { return r.Count == 0 }

func (r *Report) add(code string, args ...string) {
	r.Count++
	if len(r.Problems) < mostProblems {
		r.Problems = append(r.Problems, Problem{code, args})
	}
}

// Check reads the whole store in dir: the library's own check of its pages,
// every value, whether every id leads somewhere, and whether values and texts fit
// their checksums. A store that is held is checked in a snapshot. What is wrong is in the
// report; an error means that it could not be made.
func Check(dir string) (Report, error) {
	rep := Report{Stats: Stats{File: filepath.Join(dir, File)}, Backups: Backups(dir)}
	r, c, err := OpenReader(dir)
	var bad *DamagedError
	if errors.As(err, &bad) {
		rep.add(CodeDamaged, bad.What)
		return rep, nil
	}
	if err != nil {
		return rep, err
	}
	defer func() { _ = c.Close() }()
	file, ok := r.(*fileReader)
	if !ok { // never played
		return rep, nil
	}
	err = file.check(&rep)
	if errors.As(err, &bad) {
		rep.add(CodeDamaged, bad.What)
		err = nil
	}
	return rep, err
}

func (r *reader) check(rep *Report) (err error) {
	if rep.Schema, err = r.schema(); err != nil {
		return err
	}
	return r.view(func(tx *bolt.Tx) error {
		rep.Bytes = tx.Size()
		rep.Free = int64(tx.DB().Stats().FreePageN+tx.DB().Stats().PendingPageN) * int64(tx.DB().Info().PageSize)
		c := checker{tx: tx, rep: rep, parent: map[story.ID]story.ID{}, depth: map[story.ID]int{}, known: map[string]bool{}, chunks: chunksOf(tx)}
		c.run()
		for _, err := range pageFaults(tx) {
			rep.add(CodePages, err.Error())
		}
		return nil
	})
}

// checker holds what one pass over a store learned.
type checker struct {
	tx     *bolt.Tx
	rep    *Report
	parent map[story.ID]story.ID // of turns and alternatives
	depth  map[story.ID]int      // of turns
	known  map[string]bool       // playthroughs, and whether a blob is there
	chunks chunks
}

func (c *checker) run() {
	c.blobs()
	c.each("playthroughs", &c.rep.Playthroughs, func(id story.ID, data []byte) error {
		var rec playthroughRecord
		err := json.Unmarshal(data, &rec)
		c.known[string(id)] = true
		c.refers("turns", "turn", rec.Root, "playthrough", id)
		return err
	})
	c.each("turns", &c.rep.Turns, c.turn)
	c.each("alternatives", &c.rep.Alternatives, c.alternative)
	facts := 0
	c.each("facts", &facts, func(story.ID, []byte) error { return nil })
	c.each("branches", &c.rep.Branches, func(id story.ID, data []byte) error {
		var rec branchRecord
		err := json.Unmarshal(data, &rec)
		if rec.Leaf != "" {
			c.refers("alternatives", "alternative", rec.Leaf, "branch", id)
		}
		if !rec.Hidden.IsZero() {
			c.rep.Hidden++
		}
		c.refers("playthroughs", "playthrough", rec.Playthrough, "branch", id)
		return err
	})
	c.index()
	c.placed()
}

// each decodes every value of a bucket and counts them.
func (c *checker) each(bucket string, n *int, do func(story.ID, []byte) error) {
	cur := c.tx.Bucket([]byte(bucket)).Cursor()
	for k, v := cur.First(); k != nil; k, v = cur.Next() {
		*n++
		c.sealed(bucket, string(k), v)
		if err := do(story.ID(k), v); err != nil {
			c.rep.add(CodeDecode, bucket, string(k), err.Error())
		}
	}
}

// sealed holds a value against its checksum.
func (c *checker) sealed(bucket, key string, data []byte) {
	written, err := unseal(bucket, key, data)
	switch u := &c.rep.Unsealed; {
	case err != nil:
		c.rep.add(CodeAltered, bucket, key)
	case written == 0:
		u.Count++
		if len(u.First) < mostProblems {
			u.First = append(u.First, Record{bucket, key})
		}
	}
}

func (c *checker) refers(bucket, sort string, id story.ID, from string, by story.ID) {
	if c.tx.Bucket([]byte(bucket)).Get([]byte(id)) == nil {
		c.rep.add(CodeMissing, sort, string(id), from, string(by))
	}
}

// blobs are named by the SHA-256 of what they hold.
func (c *checker) blobs() {
	cur := c.tx.Bucket([]byte("blobs")).Cursor()
	for k, v := cur.First(); k != nil; k, v = cur.Next() {
		c.rep.Blobs++
		sum := sha256.Sum256(v)
		if hex.EncodeToString(sum[:]) != string(k) {
			c.rep.add(CodeHash, string(k))
		}
	}
}

func (c *checker) turn(id story.ID, data []byte) error {
	var rec turnRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return err
	}
	c.parent[id], c.depth[id] = rec.Parent, rec.Depth
	if rec.Status == story.Pending {
		c.rep.Unfinished++
	}
	c.refers("playthroughs", "playthrough", rec.Playthrough, "turn", id)
	if rec.Parent != "" {
		c.refers("alternatives", "alternative", rec.Parent, "turn", id)
	}
	return nil
}

func (c *checker) alternative(id story.ID, data []byte) error {
	a, err := decodeAlternative(data, c.chunks)
	if err != nil {
		return err
	}
	c.parent[id] = a.Turn
	c.refers("turns", "turn", a.Turn, "alternative", id)
	if a.Reply == nil {
		return nil
	}
	for _, s := range a.Reply.Segments {
		there, seen := c.known[s.Blob]
		if !seen {
			there = c.tx.Bucket([]byte("blobs")).Get([]byte(s.Blob)) != nil
			c.known[s.Blob] = there
		}
		if !there {
			c.rep.add(CodeMissing, "text", s.Blob, "alternative", string(id))
		}
	}
	return nil
}

// index is made of the parents of turns and alternatives, and of nothing else.
func (c *checker) index() {
	b := c.tx.Bucket([]byte("index"))
	for id, parent := range c.parent {
		if string(b.Get(upKey(id))) != string(parent) || parent != "" && b.Get(childKey(parent, id)) == nil {
			c.rep.add(CodeIndex, "index", string(id))
		}
	}
	numbered := 0
	cur := b.Cursor()
	for k, v := cur.First(); k != nil; k, v = cur.Next() {
		key := string(k[1:])
		switch k[0] {
		case 'u', 'v':
			if _, ok := c.parent[story.ID(key)]; !ok {
				c.rep.add(CodeIndex, "index", string(k))
			}
		case 'o':
			numbered++
			if _, ok := c.parent[story.ID(v)]; !ok {
				c.rep.add(CodeIndex, "index", string(v))
			}
		case 'c':
			if !c.child(key) {
				c.rep.add(CodeIndex, "index", string(k))
			}
		default:
			c.rep.add(CodeIndex, "index", strconv.Quote(string(k)))
		}
	}
	if c.rep.Schema >= Schema && numbered != c.rep.Alternatives {
		c.rep.add(CodeIndex, "index", fmt.Sprintf("%d of %d", numbered, c.rep.Alternatives))
	}
}

// child reports whether a key of parent and child stands for what is there. Ids
// have one length in a store that a session wrote; others are tried.
func (c *checker) child(key string) bool {
	if parent, ok := c.parent[story.ID(key[len(key)/2:])]; ok && string(parent) == key[:len(key)/2] {
		return true
	}
	for i := 1; i < len(key); i++ {
		if parent, ok := c.parent[story.ID(key[i:])]; ok && string(parent) == key[:i] {
			return true
		}
	}
	return false
}

// placed finds turns whose parents do not lead to an opening, each one turn
// deeper than the last.
func (c *checker) placed() {
	for id, depth := range c.depth {
		above := c.parent[id]
		if above == "" {
			if depth != 0 {
				c.rep.add(CodeUnplaced, "turn", string(id))
			}
			continue
		}
		turn, ok := c.parent[above]
		if d, known := c.depth[turn]; ok && (!known || d != depth-1) {
			c.rep.add(CodeUnplaced, "turn", string(id))
		}
	}
}
