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
// another reply, branch or NPC continues from a copy. How many there are is set
// by the limit on memory; the one that is missed least is given up first. It
// has one user at a time.
type cache struct {
	b     Backend
	facts Facts
	seqs  []sequence
	clock int
}

type sequence struct {
	ids  []int32
	used int  // clock of the last taking
	busy bool // a request works on it
}

func newCache(b Backend) *cache {
	f := b.Facts()
	return &cache{b: b, facts: f, seqs: make([]sequence, max(f.Sequences, 1))}
}

// found is how many tokens of a prompt, at most most, some sequence holds.
func (c *cache) found(prompt []int32, most int) int {
	_, n := c.donor(prompt)
	return min(n, most)
}

// take returns a sequence that holds the first n tokens of the prompt, at most
// most, and nothing else; it is the caller's until leave. Everything else that
// was cached stays while there is room. seq is -1 when every sequence is at work.
func (c *cache) take(prompt []int32, most int) (seq, n int) {
	c.clock++
	donor, n := c.donor(prompt)
	n = min(n, most)
	near := c.near()
	d := &c.seqs[donor]
	if n > spare {
		d.used = c.clock // whoever is continued is not missed least
	}
	inPlace := !d.busy && (near == nil || near[donor]) && (len(c.seqs) == 1 || len(d.ids)-n <= spare)
	switch {
	case n > 0 && !d.busy && !c.facts.Rewind, n > 0 && inPlace:
		seq = donor
		n = c.cut(seq, n)
	default:
		if seq = c.place(donor, near); seq < 0 {
			return -1, 0
		}
		n = c.fill(seq, donor, n)
	}
	s := &c.seqs[seq]
	s.used, s.busy = c.clock, true
	return seq, n
}

// fill makes seq hold the first n tokens of the donor, or what can be had.
func (c *cache) fill(seq, donor, n int) int {
	switch {
	case seq == donor:
		return c.cut(seq, n)
	case n == 0 || !c.facts.Rewind:
		return c.cut(seq, 0)
	}
	c.copy(donor, seq, n)
	return n
}

func (c *cache) copy(from, to, n int) {
	c.cut(to, 0)
	c.b.Copy(from, to, n)
	c.seqs[to].ids = append(c.seqs[to].ids, c.seqs[from].ids[:n]...)
}

// leave gives a sequence back; what it holds stays for others.
func (c *cache) leave(seq int) { c.seqs[seq].busy = false }

// near marks the sequences beside those at work, where the backend runs
// neighbours in one pass only; nil when every place is as good.
func (c *cache) near() []bool {
	if !c.facts.Neighbours {
		return nil
	}
	list, some := make([]bool, len(c.seqs)), false
	for i, s := range c.seqs {
		list[i] = !s.busy && (i > 0 && c.seqs[i-1].busy || i+1 < len(c.seqs) && c.seqs[i+1].busy)
		some = some || list[i]
	}
	if !some {
		return nil
	}
	return list
}

// place finds a sequence for tokens of a donor: the one that is missed least, or,
// where neighbours run in one pass, a neighbour of those at work whose tokens
// move there. It may be the donor. -1 when every sequence is at work.
func (c *cache) place(donor int, near []bool) int {
	victim := c.victim(nil)
	if victim < 0 || near == nil || near[victim] {
		return victim
	}
	beside := c.victim(near)
	if beside < 0 {
		return victim
	}
	if c.facts.Rewind && victim != donor && beside != donor && c.unique(beside) > spare {
		c.copy(beside, victim, len(c.seqs[beside].ids))
		c.seqs[victim].used = c.seqs[beside].used
	}
	return beside
}

// donor finds the sequence with the longest common prefix; of equals the one
// that loses least.
func (c *cache) donor(prompt []int32) (seq, n int) {
	for i, s := range c.seqs {
		l := common(s.ids, prompt)
		old := &c.seqs[seq]
		if l > n || l == n && (old.busy && !s.busy || old.busy == s.busy && len(s.ids) < len(old.ids)) {
			seq, n = i, l
		}
	}
	return seq, n
}

// victim chooses the sequence to give up: an empty one, else the one with the
// fewest tokens that no other holds, counted less the longer it lay unused. Those
// at work stay, and where only is given it chooses among these.
func (c *cache) victim(only []bool) int {
	best, least := -1, math.Inf(1)
	for i, s := range c.seqs {
		if s.busy || only != nil && !only[i] {
			continue
		}
		cost := float64(c.unique(i)) / float64(c.clock-s.used+1)
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

// decode appends runs to their sequences, giving up donors when the cache is
// full. After an error the sequences hold what they held before, or nothing. begun
// is called once or more, as soon as nobody waits for the processor.
func (c *cache) decode(runs []Run, begun func()) ([]Scores, error) {
	want := 0
	for i := range runs {
		runs[i].At = len(c.seqs[runs[i].Seq].ids)
		want += runs[i].Want
	}
	for {
		scores, err := c.pass(runs, begun)
		if err == nil && len(scores) != want {
			err = fmt.Errorf("decode: %d scores came, %d were asked for", len(scores), want)
		}
		if err == nil {
			for _, r := range runs {
				s := &c.seqs[r.Seq]
				s.ids = append(s.ids, r.IDs...)
			}
			return scores, nil
		}
		if !errors.Is(err, ErrFull) || !c.evict() {
			c.restore(runs)
			return nil, err
		}
	}
}

func (c *cache) pass(runs []Run, begun func()) ([]Scores, error) {
	if b, ok := c.b.(Beside); ok {
		return b.DecodeBeside(runs, begun)
	}
	begun()
	return c.b.Decode(runs)
}

// restore drops what a failed decode may have left behind.
func (c *cache) restore(runs []Run) {
	for _, r := range runs {
		s := &c.seqs[r.Seq]
		if !c.b.Truncate(r.Seq, len(s.ids)) {
			s.ids = s.ids[:0]
		}
	}
}

// evict empties the donor that is missed least; false when there is none.
func (c *cache) evict() bool {
	best, least := -1, math.Inf(1)
	for i, s := range c.seqs {
		if s.busy || len(s.ids) == 0 {
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
