package store

import (
	"encoding/json"
	"slices"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// batch is how many turns one View of Walk reads: callbacks run between
// Views, so that a slow one never holds back a writer.
const batch = 64

// Walk visits every turn with its alternatives, parents first. A turn that is
// stored meanwhile may be missed, never half seen.
func (r *reader) Walk(visit func(story.Turn, []story.Alternative) error) error {
	order, err := r.order()
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(order, batch) {
		turns, alts, err := r.read(ids)
		if err != nil {
			return err
		}
		for i, t := range turns {
			if err := visit(t, alts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// order lists the ids of all turns, parents first.
func (r *reader) order() ([]story.ID, error) {
	var order []story.ID
	err := r.view(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("playthroughs")).ForEach(func(k, data []byte) error {
			var rec playthroughRecord
			if err := json.Unmarshal(data, &rec); err != nil {
				return broken(r.file, "playthrough "+string(k), err)
			}
			for todo := []story.ID{rec.Root}; len(todo) > 0; {
				id := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				order = append(order, id)
				below := children(tx, id)
				for i := len(below) - 1; i >= 0; i-- {
					turns := children(tx, below[i])
					slices.Reverse(turns)
					todo = append(todo, turns...)
				}
			}
			return nil
		})
	})
	return order, err
}

func (r *reader) read(ids []story.ID) (turns []story.Turn, alts [][]story.Alternative, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		c := chunksOf(tx)
		for _, id := range ids {
			t, err := r.turn(tx, id)
			if err != nil {
				return err
			}
			var all []story.Alternative
			for _, child := range t.Children {
				a, err := r.alternative(tx, child, c)
				if err != nil {
					return err
				}
				all = append(all, a)
			}
			turns, alts = append(turns, t), append(alts, all)
		}
		return nil
	})
	return turns, alts, err
}
