package store

import (
	"time"

	bolt "go.etcd.io/bbolt"
)

// Rotate takes copies away as an opening at that time would.
func Rotate(dir string, now time.Time) { rotate(Backups(dir), now) }

// Unsynced lets a store not wait for the disk: for filling a large one.
func (s *Store) Unsynced(on bool) { s.db.NoSync, s.db.NoFreelistSync = on, false }

// Verify reads a copy whole.
func Verify(file string) error { return verify(file) }

// Hold keeps the pages of the store as it now is from being used again.
func (s *Store) Hold() (free func(), err error) {
	tx, err := s.db.Begin(false)
	return func() { _ = tx.Rollback() }, err
}

// PurgeOnly takes away what was deleted and leaves the pages that held it, as a
// purge does that is killed in the middle.
func (s *Store) PurgeOnly() error {
	_, err := s.purge(false)
	return err
}

// Named makes an open store that of a world.
func (s *Store) Named(world string) error {
	return s.update(func(tx *bolt.Tx) error { return name(tx, world) })
}
