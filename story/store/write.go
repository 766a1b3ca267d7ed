package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Begin stores a pending turn below its parent, with the playthrough and the
// branch that are new with it; both may be nil.
func (s *Store) Begin(p *story.Playthrough, b *story.Branch, t story.Turn) error {
	return s.update(func(tx *bolt.Tx) error {
		if p != nil {
			if err := put(tx, "playthroughs", p.ID, playthroughRecord{version, *p}); err != nil {
				return err
			}
		}
		if b != nil {
			if err := putBranch(tx, *b); err != nil {
				return err
			}
		}
		if t.Parent != "" && tx.Bucket([]byte("alternatives")).Get([]byte(t.Parent)) == nil {
			return fmt.Errorf("begin turn: alternative %s: %w", t.Parent, story.ErrNotFound)
		}
		if err := link(tx, t.Parent, t.ID); err != nil {
			return err
		}
		return putTurn(tx, t)
	})
}

// Finish stores a reply with its prompt texts, marks its turn and moves the
// branch. The live file is removed after that.
func (s *Store) Finish(a story.Alternative, status story.Status, b story.Branch, blobs map[string]string) error {
	err := s.commit(func(tx *bolt.Tx) error { // into a file that vanished too: it is copied after that
		t, err := s.turn(tx, a.Turn)
		if err != nil {
			return fmt.Errorf("finish turn: %w", err)
		}
		if t.Status != status {
			t.Status, t.Lines = status, nil // the alternative has them
			if err := putTurn(tx, t); err != nil {
				return err
			}
		}
		if err := putBlobs(tx, blobs); err != nil {
			return err
		}
		if err := link(tx, a.Turn, a.ID); err != nil {
			return err
		}
		if err := order(tx, a.ID); err != nil {
			return err
		}
		if err := putAlternative(tx, a); err != nil {
			return err
		}
		return putBranch(tx, b)
	})
	if err != nil {
		return err
	}
	if err := s.inPlace(); err != nil {
		return err
	}
	_ = os.Remove(s.livePath(a.Turn, a.ID)) // found again, it is seen to be stored
	_ = os.Remove(s.livePath(a.Turn, ""))
	return nil
}

// PutBranch stores a branch as it is to be.
func (s *Store) PutBranch(b story.Branch) error {
	return s.update(func(tx *bolt.Tx) error { return putBranch(tx, b) })
}

// DeleteBranch hides a branch: its turns stay, and it with them, until Purge.
// PutBranch brings it back.
func (s *Store) DeleteBranch(id story.ID) error {
	return s.update(func(tx *bolt.Tx) error {
		data := tx.Bucket([]byte("branches")).Get([]byte(id))
		var rec branchRecord
		if err := json.Unmarshal(data, &rec); data != nil && err != nil {
			return broken(s.file, "branch "+string(id), err)
		}
		if data == nil || !rec.Hidden.IsZero() {
			return fmt.Errorf("delete branch %s: %w", id, story.ErrNotFound)
		}
		rec.Hidden = time.Now().UTC()
		return put(tx, "branches", id, rec)
	})
}

// PutAlternative changes an alternative that is stored: its mark or title.
func (s *Store) PutAlternative(a story.Alternative) error {
	return s.update(func(tx *bolt.Tx) error {
		if tx.Bucket([]byte("alternatives")).Get([]byte(a.ID)) == nil {
			return fmt.Errorf("put alternative %s: %w", a.ID, story.ErrNotFound)
		}
		return putAlternative(tx, a)
	})
}

// journalKey is where the journal lies in meta.
var journalKey = []byte("journal")

// Journal gives what can be undone, as it was put.
func (s *Store) Journal() (data []byte, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		data = bytes.Clone(tx.Bucket([]byte("meta")).Get(journalKey))
		return nil
	})
	return data, err
}

// PutJournal stores what can be undone.
func (s *Store) PutJournal(data []byte) error {
	return s.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("meta")).Put(journalKey, data) })
}

// Ordinal numbers the wordings of a persona from 1. Only a hash that was never
// seen costs an Update.
func (s *Store) Ordinal(persona, hash string) (int, error) {
	if n, err := s.ordinal(persona, hash); err != nil || n > 0 {
		return n, err
	}
	n := 0
	err := s.update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("meta"))
		count := []byte("personas:" + persona)
		n, _ = strconv.Atoi(string(b.Get(count)))
		n++
		if err := b.Put(count, []byte(strconv.Itoa(n))); err != nil {
			return err
		}
		return b.Put(ordinalKey(persona, hash), []byte(strconv.Itoa(n)))
	})
	return n, err
}

func (s *Store) ordinal(persona, hash string) (int, error) {
	n := 0
	err := s.view(func(tx *bolt.Tx) error {
		n, _ = strconv.Atoi(string(tx.Bucket([]byte("meta")).Get(ordinalKey(persona, hash))))
		return nil
	})
	return n, err
}

func ordinalKey(persona, hash string) []byte { return []byte("persona:" + persona + ":" + hash) }

func putTurn(tx *bolt.Tx, t story.Turn) error {
	t.Children = nil
	return put(tx, "turns", t.ID, turnRecord{version, t})
}

func putAlternative(tx *bolt.Tx, a story.Alternative) error {
	rec, err := recordOf(a, chunksOf(tx))
	if err != nil {
		return fmt.Errorf("encode alternative %s: %w", a.ID, err)
	}
	return put(tx, "alternatives", a.ID, rec)
}

// putBranch also notes the visit of its leaf.
func putBranch(tx *bolt.Tx, b story.Branch) error {
	if err := put(tx, "branches", b.ID, branchRecord{version, b}); err != nil || b.Leaf == "" {
		return err
	}
	return visit(tx, b.Leaf)
}

// visit notes that a branch stands on an alternative. Visits are in order also
// when the clock is set back.
func visit(tx *bolt.Tx, leaf story.ID) error {
	b := tx.Bucket([]byte("index"))
	at, err := tick(tx)
	if err != nil {
		return err
	}
	return b.Put(visitKey(leaf), binary.BigEndian.AppendUint64(nil, at))
}

// order notes that an alternative is the next one to be stored. Replies end in
// another order than they began in, so ids do not tell.
func order(tx *bolt.Tx, alternative story.ID) error {
	b := tx.Bucket([]byte("alternatives"))
	if b.Get([]byte(alternative)) != nil {
		return nil
	}
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	return tx.Bucket([]byte("index")).Put(orderKey(n), []byte(alternative))
}

func putBlobs(tx *bolt.Tx, blobs map[string]string) error {
	b := tx.Bucket([]byte("blobs"))
	for hash, text := range blobs {
		if b.Get([]byte(hash)) != nil {
			continue
		}
		if err := b.Put([]byte(hash), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func link(tx *bolt.Tx, parent, child story.ID) error {
	b := tx.Bucket([]byte("index"))
	if err := b.Put(upKey(child), []byte(parent)); err != nil || parent == "" {
		return err
	}
	return b.Put(childKey(parent, child), []byte{})
}
