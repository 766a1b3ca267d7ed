// Package compare lays two paths of a transcript tree beside each other: two
// branches, or two alternatives of one turn.
//
//	shared prefix ── turns aligned by content ── words, state, lore, timing
//
// Everything here is pure and wordless: ids, numbers, spans of texts.
// Non-goals: which side is better (a person or story/voice says that); wording;
// reading a store.
package compare

import (
	"fabula/story"
)

// Kind says how two turns stand to each other.
type Kind string

// The kinds of rows.
const (
	Equal   Kind = "equal"   // the same words on both sides, whatever they were made by
	Changed Kind = "changed" // the same turn by its content, with other words
	Apart   Kind = "apart"   // beside each other only because both follow the same turn
	OnlyA   Kind = "only_a"
	OnlyB   Kind = "only_b"
)

// Row is one turn of either side or both, by index; -1 = none.
type Row struct {
	Kind Kind
	A, B int
}

// Comparison is two paths beside each other.
type Comparison struct {
	A, B   []story.Step
	Shared int   // steps at the beginning that are the same turns and alternatives
	Rows   []Row // of what follows
}

// Paths lays two paths beside each other. Steps are as story.Reader.Path gives
// them: from the opening on.
func Paths(a, b []story.Step) *Comparison {
	c := &Comparison{A: a, B: b}
	for c.Shared < len(a) && c.Shared < len(b) && a[c.Shared].Alternative.ID == b[c.Shared].Alternative.ID {
		c.Shared++
	}
	c.pair()
	return c
}

// Swap gives the comparison with its sides exchanged.
func (c *Comparison) Swap() *Comparison { return Paths(c.B, c.A) }

// Differences counts the rows that are not equal.
func (c *Comparison) Differences() int {
	n := 0
	for _, r := range c.Rows {
		if r.Kind != Equal {
			n++
		}
	}
	return n
}

// Next gives the first row after (by > 0) or before one that is not equal; the
// row itself if there is none.
func (c *Comparison) Next(row, by int) int {
	for i := row + by; i >= 0 && i < len(c.Rows); i += by {
		if c.Rows[i].Kind != Equal {
			return i
		}
	}
	return row
}
