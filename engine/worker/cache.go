package worker

import (
	"errors"
	"fmt"
	"math"
)

// spare is how many cached tokens a prompt may overwrite in place: computing
// them again costs less than a sequence that another branch could use.
const spare = 32

// cache knows which tokens every sequence of the backend holds, and finds for a
// prompt the sequence that shares most with it. Sequences serve as donors:
// another reply, branch or NPC continues from a copy, which shares the cells.
type cache struct {
	b      Backend
	rewind bool
	seqs   []sequence
	clock  int
}

type sequence struct {
	ids  []int32
	used int // clock of the last reply
}

func newCache(b Backend) *cache {
	f := b.Facts()
	return &cache{b: b, rewind: f.Rewind, seqs: make([]sequence, max(f.Sequences, 1))}
}

// take returns a sequence that holds the first n tokens of the prompt and
// nothing else. n is below len(prompt), since the last token must be computed
// for its logits. Everything else that was cached stays while there is room.
func (c *cache) take(prompt []int32) (seq, n int) {
	c.clock++
	donor, n := c.donor(prompt)
	n = min(n, len(prompt)-1)
	switch {
	case n == 0:
		seq = c.victim(-1)
		c.cut(seq, 0)
	case !c.rewind || len(c.seqs) == 1 || len(c.seqs[donor].ids)-n <= spare:
		seq, n = donor, c.cut(donor, n)
	default:
		seq = c.victim(donor)
		c.cut(seq, 0)
		c.b.Copy(donor, seq, n)
		c.seqs[seq].ids = append(c.seqs[seq].ids, prompt[:n]...)
	}
	c.seqs[seq].used = c.clock
	return seq, n
}

// donor finds the sequence with the longest common prefix; of equals the one
// that loses least.
func (c *cache) donor(prompt []int32) (seq, n int) {
	for i, s := range c.seqs {
		l := common(s.ids, prompt)
		if l > n || l == n && len(s.ids) < len(c.seqs[seq].ids) {
			seq, n = i, l
		}
	}
	return seq, n
}

// victim chooses the sequence to give up: an empty one, else the one with the
// fewest tokens that no other holds, counted less the longer it lay unused.
func (c *cache) victim(except int) int {
	best, least := -1, math.Inf(1)
	for i := range c.seqs {
		if i == except {
			continue
		}
		cost := float64(c.unique(i)) / float64(c.clock-c.seqs[i].used+1)
		if cost < least {
			best, least = i, cost
		}
	}
	return best
}

func (c *cache) unique(seq int) int {
	ids, shared := c.seqs[seq].ids, 0
	for i, s := range c.seqs {
		if i != seq {
			shared = max(shared, common(s.ids, ids))
		}
	}
	return len(ids) - shared
}

// cut keeps the first n tokens of a sequence and returns how many it now holds:
// 0 when the model cannot be wound back.
func (c *cache) cut(seq, n int) int {
	s := &c.seqs[seq]
	if n == len(s.ids) {
		return n
	}
	if !c.b.Truncate(seq, n) {
		n = 0
	}
	s.ids = s.ids[:n]
	return n
}

// decode appends ids to a sequence, giving up donors when the cache is full.
// After an error the sequence holds what it held before, or nothing.
func (c *cache) decode(seq int, ids []int32, want bool) ([]float32, error) {
	n := 0
	if want {
		n = 1
	}
	scores, err := c.scores(seq, ids, n)
	if err != nil || !want {
		return nil, err
	}
	return scores[0].Logits, nil
}

// scores is decode with the scores after each of the last want ids.
func (c *cache) scores(seq int, ids []int32, want int) ([]Scores, error) {
	s := &c.seqs[seq]
	run := Run{Seq: seq, At: len(s.ids), IDs: ids, Want: want}
	for {
		scores, err := c.b.Decode([]Run{run})
		if err == nil && len(scores) != run.Want {
			err = fmt.Errorf("decode: %d scores came, %d were asked for", len(scores), run.Want)
		}
		if err == nil {
			s.ids = append(s.ids, ids...)
			return scores, nil
		}
		if !errors.Is(err, ErrFull) || !c.evict(seq) {
			c.restore(seq)
			return nil, err
		}
	}
}

// restore drops what a failed decode may have left behind.
func (c *cache) restore(seq int) {
	s := &c.seqs[seq]
	if !c.b.Truncate(seq, len(s.ids)) {
		s.ids = s.ids[:0]
	}
}

// evict empties the donor that is missed least; false when there is none.
func (c *cache) evict(except int) bool {
	best, least := -1, math.Inf(1)
	for i, s := range c.seqs {
		if i == except || len(s.ids) == 0 {
			continue
		}
		// A sequence that shares all its cells frees none, but once it is gone
		// its cells belong to one owner less, so the loop still ends.
		if cost := float64(c.unique(i)) / float64(c.clock-s.used+1); cost < least {
			best, least = i, cost
		}
	}
	if best < 0 {
		return false
	}
	c.cut(best, 0)
	return true
}

func common(a, b []int32) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
