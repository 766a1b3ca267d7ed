package store

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// oldest is the first schema that can be read without an upgrade.
const oldest = 1

// steps[n] turns schema n into n+1, inside one transaction with all others.
// Schema 0 was never released; it lacked the index of visits.
var steps = map[int]func(*bolt.Tx) error{
	0: layout,
	1: ordered,
	2: func(*bolt.Tx) error { return nil }, // values get a seal when they are written anew: sealed now, harm done before would look sound
}

// upgrade keeps a dated copy of the file, then takes it to Schema in one
// transaction: it is either wholly old or wholly new.
func (s *Store) upgrade(from int) error {
	if _, err := s.copyNow(backupName(BeforeUpgrade, from)); err != nil {
		return fmt.Errorf("copy store before its upgrade: %w", err)
	}
	return s.update(func(tx *bolt.Tx) error {
		for n := from; n < Schema; n++ {
			step, ok := steps[n]
			if !ok {
				return damaged(s.file, "schema %d is unknown", n)
			}
			if err := step(tx); err != nil {
				return fmt.Errorf("upgrade store from schema %d: %w", n, err)
			}
		}
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(strconv.Itoa(Schema)))
	})
}

// ordered numbers the alternatives as if they had been stored in the order of
// their ids, and lets visits go on after the last one.
func ordered(tx *bolt.Tx) error {
	if err := renew(tx); err != nil {
		return err
	}
	var ids []story.ID
	err := tx.Bucket([]byte("alternatives")).ForEach(func(k, _ []byte) error {
		ids = append(ids, story.ID(k))
		return nil
	})
	if err != nil {
		return err
	}
	index := tx.Bucket([]byte("index"))
	for i, id := range ids {
		if err := index.Put(orderKey(uint64(i+1)), []byte(id)); err != nil {
			return err
		}
	}
	last := uint64(0)
	c := index.Cursor()
	for k, v := c.Seek([]byte("v")); k != nil && strings.HasPrefix(string(k), "v"); k, v = c.Next() {
		if len(v) == 8 {
			last = max(last, binary.BigEndian.Uint64(v))
		}
	}
	if err := index.SetSequence(last); err != nil {
		return err
	}
	return tx.Bucket([]byte("alternatives")).SetSequence(uint64(len(ids)))
}
