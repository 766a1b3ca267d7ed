package store

import (
	"encoding/binary"
	"encoding/json"

	bolt "go.etcd.io/bbolt"

	"fabula/engine"
	"fabula/story"
)

// Stored visits what was stored after number n, in the order of storing: each
// alternative with its turn, replies without prompt and tokens. Numbers may be
// missing; they only grow. A store of an older schema has none: it visits
// nothing.
func (r *reader) Stored(n uint64, do func(n uint64, t story.Turn, a story.Alternative) error) error {
	for {
		numbers, steps, err := r.storedAfter(n)
		if err != nil || len(numbers) == 0 {
			return err
		}
		for i, s := range steps {
			if err := do(numbers[i], s.Turn, s.Alternative); err != nil {
				return err
			}
		}
		n = numbers[len(numbers)-1]
	}
}

// storedBatch is how many alternatives one View of Stored reads.
const storedBatch = 256

func (r *reader) storedAfter(n uint64) (numbers []uint64, steps []story.Step, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		c := tx.Bucket([]byte("index")).Cursor()
		for k, v := c.Seek(orderKey(n + 1)); k != nil && k[0] == 'o' && len(k) == 9 && len(numbers) < storedBatch; k, v = c.Next() {
			id := story.ID(v)
			a, err := lightly(tx.Bucket([]byte("alternatives")).Get(v))
			if err != nil {
				return broken(r.file, "alternative "+string(id), err)
			}
			t, err := r.turn(tx, a.Turn)
			if err != nil {
				return err
			}
			numbers = append(numbers, binary.BigEndian.Uint64(k[1:]))
			steps = append(steps, story.Step{Turn: t, Alternative: a})
		}
		return nil
	})
	return numbers, steps, err
}

// lightRecord is an alternative without what is bulky: no prompt, no tokens.
type lightRecord struct {
	story.Alternative
	Reply *struct {
		Engine engine.Info `json:"engine"`
		Step   string      `json:"step"`
	} `json:"reply,omitempty"`
}

func lightly(data []byte) (story.Alternative, error) {
	var rec lightRecord
	err := json.Unmarshal(data, &rec)
	if rec.Reply != nil {
		rec.Alternative.Reply = &story.Reply{Engine: rec.Reply.Engine, Step: rec.Reply.Step}
	}
	return rec.Alternative, err
}

// LastStored gives the number of what was stored last.
func (r *reader) LastStored() (n uint64, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		n = tx.Bucket([]byte("alternatives")).Sequence()
		return nil
	})
	return n, err
}
