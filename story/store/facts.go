package store

import (
	"encoding/json"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/memory"
)

// Keys of the bucket facts: what a person pinned, and summaries by the hash of
// their turns. Facts themselves are what turns hold, so they are not stored.
const (
	pinKey     = "p"
	summaryKey = "s"
)

type pinRecord struct {
	V int `json:"v"`
}

type summaryRecord struct {
	V int `json:"v"`
	memory.Summary
}

// PutPin has a fact remembered whatever is spoken of, or no longer.
func (s *Store) PutPin(fact string, on bool) error {
	return s.update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("facts"))
		if !on {
			return b.Delete([]byte(pinKey + fact))
		}
		return put(tx, "facts", story.ID(pinKey+fact), pinRecord{version})
	})
}

// Pins lists the facts that a person pinned, by id.
func (r *reader) Pins() (map[string]bool, error) {
	out := map[string]bool{}
	err := r.view(func(tx *bolt.Tx) error {
		c := tx.Bucket([]byte("facts")).Cursor()
		for k, _ := c.Seek([]byte(pinKey)); k != nil && strings.HasPrefix(string(k), pinKey); k, _ = c.Next() {
			out[string(k[len(pinKey):])] = true
		}
		return nil
	})
	return out, err
}

// PutSummary keeps a summary under its hash. One that is there stays: prompts
// were made with it.
func (s *Store) PutSummary(sum memory.Summary) error {
	return s.update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("facts"))
		if b.Get([]byte(summaryKey+sum.Hash)) != nil {
			return nil
		}
		return put(tx, "facts", story.ID(summaryKey+sum.Hash), summaryRecord{version, sum})
	})
}

// Summary gives the summary of a segment of turns, false where none was made.
func (r *reader) Summary(hash string) (memory.Summary, bool, error) {
	var rec summaryRecord
	found := false
	err := r.view(func(tx *bolt.Tx) error {
		data := tx.Bucket([]byte("facts")).Get([]byte(summaryKey + hash))
		if data == nil {
			return nil
		}
		found = true
		if err := json.Unmarshal(data, &rec); err != nil {
			return broken(r.file, "summary "+hash, err)
		}
		return nil
	})
	return rec.Summary, found, err
}
