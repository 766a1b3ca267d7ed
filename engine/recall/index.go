package recall

import (
	"fabula/engine"
	"fabula/engine/terms"
)

// What a term counts where it stands, in hundredths: sums of whole numbers do
// not depend on the order of the candidates.
const (
	inCue  = 100
	inKeys = 100
	inText = 35
)

// index is an inverted index of every line that was offered lately. A request
// names the lines that may be said now; only lines that are new or have changed
// are read, and everything that is counted (how many lines hold a term, how
// long they are) is counted over the lines of the request alone: what is
// indexed besides cannot change an answer.
type index struct {
	numbers map[string]int32 // term → number
	posts   [][]posting      // by term number, ascending by line
	weak    []float64        // by term number: strength
	lines   []line
	byID    map[string]int32 // candidate id → the line read last; others by line.older

	epoch uint32
	wide  []float64 // by line: accumulated score of the running request
}

// posting says how much of a line is a term.
type posting struct {
	line  int32
	count int32 // hundredths
}

// line is one indexed candidate.
type line struct {
	engine.Candidate
	cues  [][]int32 // terms of the cue and of each key, in order
	size  int32     // hundredths
	older int32     // another wording of the same id, -1 = none
	epoch uint32    // of the last request that offered it
	at    int32     // in that request's candidates
}

func newIndex() *index {
	return &index{numbers: map[string]int32{}, byID: map[string]int32{}}
}

// offer makes the candidates the lines of the running request, reading those
// that are new, and gives their summed size.
func (x *index) offer(cs []engine.Candidate) (size int64) {
	x.tidy(len(cs))
	x.epoch++
	expect := int32(0) // requests offer much the same lines in the same order
	for i := range cs {
		n := expect
		if int(n) >= len(x.lines) || !same(&x.lines[n].Candidate, &cs[i]) {
			n = x.number(&cs[i])
		}
		l := &x.lines[n]
		l.epoch, l.at = x.epoch, int32(i)
		l.Prior = cs[i].Prior
		size += int64(l.size)
		expect = n + 1
	}
	return size
}

// number finds a line or reads it.
func (x *index) number(c *engine.Candidate) int32 {
	first, known := x.byID[c.ID]
	if !known {
		first = -1
	}
	for n := first; n >= 0; n = x.lines[n].older {
		if same(&x.lines[n].Candidate, c) {
			return n
		}
	}
	n := int32(len(x.lines))
	x.byID[c.ID] = n
	x.read(n, c, first)
	return n
}

// same reports equal wording. The prior is the request's.
func same(a, b *engine.Candidate) bool {
	if a.ID != b.ID || a.Text != b.Text || a.Cue != b.Cue || len(a.Keys) != len(b.Keys) {
		return false
	}
	for i := range a.Keys {
		if a.Keys[i] != b.Keys[i] {
			return false
		}
	}
	return true
}

// read takes up a line.
func (x *index) read(n int32, c *engine.Candidate, older int32) {
	l := line{Candidate: *c, older: older, cues: [][]int32{x.terms(c.Cue)}}
	counts := map[int32]int32{}
	add := func(terms []int32, weight int32) {
		for _, t := range terms {
			counts[t] += weight
		}
		l.size += int32(len(terms)) * weight
	}
	add(l.cues[0], inCue)
	add(x.terms(c.Text), inText)
	for _, k := range c.Keys {
		terms := x.terms(k)
		add(terms, inKeys)
		l.cues = append(l.cues, terms)
	}
	for t, count := range counts {
		x.posts[t] = append(x.posts[t], posting{n, count})
	}
	x.lines = append(x.lines, l)
	x.wide = append(x.wide, 0)
}

// terms gives the numbers of a text's terms, making those that are new.
func (x *index) terms(text string) []int32 {
	var out []int32
	for _, w := range terms.Of(text) {
		n, ok := x.numbers[w]
		if !ok {
			n = int32(len(x.posts))
			x.numbers[w] = n
			x.posts = append(x.posts, nil)
			x.weak = append(x.weak, terms.Strength(w))
		}
		out = append(out, n)
	}
	return out
}

const (
	tidyEach = 64   // requests between two looks for lines that are no longer offered
	tidyOver = 4096 // lines that are not worth a look
)

// tidy forgets lines that the last requests did not offer, once they are the
// larger part: wordings with a variable in them would pile up.
func (x *index) tidy(offered int) {
	if x.epoch%tidyEach != tidyEach-1 || len(x.lines) < 2*offered+tidyOver {
		return
	}
	var kept []engine.Candidate
	for i := range x.lines {
		if x.epoch-x.lines[i].epoch < tidyEach {
			kept = append(kept, x.lines[i].Candidate)
		}
	}
	if 2*len(kept) > len(x.lines) {
		return
	}
	epoch := x.epoch
	*x = *newIndex()
	for i := range kept {
		x.number(&kept[i])
	}
	x.epoch = epoch
}
