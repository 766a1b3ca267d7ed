// Package space searches the states that a world can be played into.
//
// The search is explicit: breadth first, from entering the start, over all that
// any condition of the world can see. One turn is that of FORMATS.md, section 2
// (turn.go); what depends on a person's or a model's words is free: whatever
// can be detected may be said, in any combination. A turn is taken to its end:
// nobody stops a reply, and an engine always answers.
//
// # Why the states may be merged
//
// Two playthroughs are taken as one state when they agree in the node, in every
// variable, mark and counter that some condition or value of an effect reads,
// in the question that waits for a yes and, where it matters who replies, in
// who spoke last. Nothing that a turn does looks at anything else, so states
// that agree offer the same turns and agree after each of them: the merged
// graph is a bisimulation of the real one, and a claim about it is a claim
// about the world. A number that only grows is kept up to one above the
// greatest value that a condition compares it with (a number that only falls,
// down to one below the least): from there on no comparison changes, and no
// effect leads back but an assignment, which says the new value itself.
//
// Not exact, and said so (Space.Bounds): a world with more states than the
// limit; two counters without an end that are compared with each other; a turn
// in which more beats than mostBeats can be set off at once. Placeholders in a
// line that tells a secret are taken as written. What the prompt of an NPC asks
// that leaves in the turn in which it is spoken to is looked at after one thing
// that the turn does, on walks after several.
//
// Non-goals: finding out which words set off which combination of beats (the
// steps of a Witness are tried with words, and marked Forced where none were
// found); wording anything.
package space

import "fabula/story/plot"

// Limits bound a search; zero values stand for the defaults.
type Limits struct {
	States int // distinct states
	Turns  int // ways from one state to another, distinct
}

// Defaults keep a search below a gigabyte.
const (
	DefaultStates = 2_000_000
	DefaultTurns  = 80_000_000
)

// Kinds of a Bound.
const (
	BoundStates   = "states"   // the limit of states, or of turns between them
	BoundCounters = "counters" // a comparison of two counters without an end
	BoundBeats    = "beats"    // too many beats in one turn
	BoundAsked    = "asked"    // conditions that only decide what is shown, and would take too many states
)

// Bound is a limit that a search ran into: what it claims about all states is
// then not proven.
type Bound struct {
	Kind string
	At   int    // states, the greatest count, beats, conditions
	Name string // the comparison or the node that is concerned; may be empty
}

// Space is what a search found: of what steers the world, and, search by search,
// of the conditions that only decide what is shown or put into a prompt.
type Space struct {
	Bounds []Bound
	States int // of the search for what steers
	Turns  int // distinct ways from state to state
	Bytes  int // of memory that its states and ways take

	world  *world
	main   *run
	walked *marks // of random walks, which settle most conditions
	slices []*run
}

// Explore searches the states of a compiled script without load faults.
func Explore(s *plot.Script, l Limits) *Space {
	if l.States <= 0 {
		l.States = DefaultStates
	}
	if l.Turns <= 0 {
		l.Turns = DefaultTurns
	}
	w := newWorld(s)
	sp := &Space{world: w, main: search(w.compile(nil), l)}
	sp.Bounds, sp.States, sp.Turns, sp.Bytes = sp.main.bounds, sp.main.table.count, len(sp.main.ways.to), sp.main.bytes()
	sp.settle(l)
	return sp
}

// Complete reports whether every state was looked at: what is said of all of
// them is then proven.
func (sp *Space) Complete() bool { return len(sp.main.bounds) == 0 }
