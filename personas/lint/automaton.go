package lint

import (
	"cmp"
	"slices"

	"fabula/personas/fold"
)

// automaton finds many wordings in one pass over folded runes. Besides hits it
// tells how much of the end of a text could still become one, which is exactly
// what a stream has to hold back; no library gives that.
//
// Method: A. Aho and M. Corasick, Efficient string matching, CACM 18(6), 1975.
type automaton struct {
	next  map[step]int32
	first [0x80]int32 // next from the start, for ASCII
	fail  []int32
	depth []int32
	ends  [][]int32 // wordings that end in a state, those of its suffixes included
	terms []wording
}

// step is a state and the rune that leads on from it.
type step struct {
	from int32
	r    rune
}

// wording is one form of a term.
type wording struct {
	form []rune
	term int // what the caller knows it by
}

// only marks a wording that is looked for only so that text is held back.
const only = -1

// newAutomaton builds an automaton; empty forms are left out.
func newAutomaton(all []wording) *automaton {
	a := &automaton{next: map[step]int32{}, fail: []int32{0}, depth: []int32{0}, ends: [][]int32{nil}}
	for _, w := range all {
		if len(w.form) == 0 {
			continue
		}
		at := int32(0)
		for _, r := range w.form {
			at = a.grow(at, r)
		}
		a.ends[at] = append(a.ends[at], int32(len(a.terms)))
		a.terms = append(a.terms, w)
	}
	a.link()
	return a
}

func (a *automaton) grow(from int32, r rune) int32 {
	to, ok := a.next[step{from, r}]
	if !ok {
		to = int32(len(a.fail))
		a.next[step{from, r}] = to
		a.fail, a.depth, a.ends = append(a.fail, 0), append(a.depth, a.depth[from]+1), append(a.ends, nil)
	}
	return to
}

// link sets the failure links, shallow states first.
func (a *automaton) link() {
	type edge struct {
		step
		to int32
	}
	edges := make([]edge, 0, len(a.next))
	for s, to := range a.next {
		edges = append(edges, edge{s, to})
	}
	slices.SortFunc(edges, func(x, y edge) int { return cmp.Or(cmp.Compare(a.depth[x.to], a.depth[y.to]), cmp.Compare(x.to, y.to)) })
	for _, e := range edges {
		if e.from == 0 {
			if e.r < 0x80 {
				a.first[e.r] = e.to
			}
			continue
		}
		a.fail[e.to] = a.step(a.fail[e.from], e.r)
		a.ends[e.to] = append(a.ends[e.to], a.ends[a.fail[e.to]]...)
	}
}

// step gives the state after one more rune.
func (a *automaton) step(at int32, r rune) int32 {
	for at != 0 {
		if to, ok := a.next[step{at, r}]; ok {
			return to
		}
		at = a.fail[at]
	}
	if r < 0x80 {
		return a.first[r]
	}
	return a.next[step{0, r}]
}

// match is a wording that stands in a text, as rune indexes.
type match struct{ from, to, term int }

// scan gives the wordings that stand in f as whole words, of each term the
// longest from the left without overlaps, in order of place; and the state at
// the end, before blanks and signs that may yet be anything (see solid). Of
// scripts without blanks a wording stands anywhere.
func (a *automaton) scan(f folded) (found []match, state int32) {
	at, solid := int32(0), f.solid()
	for i, r := range f.Runes {
		at = a.step(at, r)
		if i+1 == solid {
			state = at
		}
		for _, n := range a.ends[at] {
			w := a.terms[n]
			if w.term == only {
				continue
			}
			if from := i + 1 - len(w.form); f.bounded(from, w.form) {
				found = append(found, match{from, i + 1, w.term})
			}
		}
	}
	return apart(found), state
}

// apart keeps of overlapping matches of one term the first, of those that
// begin together the longest.
func apart(all []match) []match {
	if len(all) < 2 {
		return all
	}
	slices.SortFunc(all, func(x, y match) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(y.to, x.to), cmp.Compare(x.term, y.term))
	})
	last := map[int]int{}
	return slices.DeleteFunc(all, func(m match) bool {
		if m.from < last[m.term] {
			return true
		}
		last[m.term] = m.to
		return false
	})
}

// bounded reports whether a form that stands at rune i is a whole word there.
func (f folded) bounded(i int, form []rune) bool {
	if i > 0 && fold.Letter(form[0]) && fold.Letter(f.Runes[i-1]) {
		return false
	}
	return !fold.Letter(form[len(form)-1]) || !f.goesOn(i+len(form))
}
