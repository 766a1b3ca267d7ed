package store

import (
	"errors"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// Graft stores records that were made elsewhere, parents first, in one
// transaction.
func (s *Store) Graft(g story.Grafts) error {
	return s.update(func(tx *bolt.Tx) error {
		for _, p := range g.Playthroughs {
			if err := put(tx, "playthroughs", p.ID, playthroughRecord{version, p}); err != nil {
				return err
			}
		}
		for _, t := range g.Turns {
			if err := link(tx, t.Parent, t.ID); err != nil {
				return err
			}
			if err := putTurn(tx, t); err != nil {
				return err
			}
		}
		for _, a := range g.Alternatives {
			if err := errors.Join(link(tx, a.Turn, a.ID), order(tx, a.ID)); err != nil {
				return err
			}
			if err := putAlternative(tx, a); err != nil {
				return err
			}
		}
		for _, b := range g.Branches {
			if err := putBranch(tx, b); err != nil {
				return err
			}
		}
		return nil
	})
}
