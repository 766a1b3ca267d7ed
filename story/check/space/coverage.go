package space

import (
	"math/rand/v2"
	"slices"

	"fabula/personas/source"
)

// Coverage is what a number of walks came by.
type Coverage struct {
	Walks, Turns int
	Seed         uint64
	Items        []Item // in order of the world: nodes, exits, beats, then conditions
}

// Item is one thing that a walk can come by.
type Item struct {
	Kind      string // node, exit, beat, or true and false: the sides of a condition
	ID        string // "node", "node.exit", "node.beat", the condition
	Pos       source.Pos
	Hits      int    // entered, taken, fired; how often the condition came out so
	Forced    bool   // not proven, and come by only after an exit was taken that was closed: it may be impossible
	Reachable string // what the search says: yes, no, or unknown
}

// Walk plays walks from the start: half of them by chance alone; the others
// choose, of some turns that can be taken, the one that does what was done
// least. Then every exit that was never taken is forced, from a state in which
// it was seen. The same seed gives the same walks.
func (sp *Space) Walk(walks int, seed uint64) Coverage {
	m := sp.world.compile(sp.world.list.conditions)
	w := newWalker(m, seed)
	k := w.hits
	for i := range walks {
		w.walk(i%2 == 1)
	}
	forced := newMarks(m)
	w.force(&forced)
	return Coverage{Walks: walks, Turns: w.turns, Seed: seed, Items: sp.items(m, k, &forced)}
}

type walker struct {
	p      *player
	hits   *marks
	tried  marks // what a turn would do that is not taken
	chance *rand.Rand
	turns  int
	seen   map[int][]int // by node: a state in it
}

func newWalker(m *model, seed uint64) *walker {
	k := newMarks(m)
	w := &walker{p: newPlayer(m, &k), hits: &k, tried: newMarks(m), chance: rand.New(rand.NewPCG(seed, 1)), seen: map[int][]int{}}
	w.p.walking, w.p.tape.chance = true, w.chance
	return w
}

// longest is the number of turns of one walk.
const longest = 60

// walk plays one walk. It ends at an ending where nothing can be done any more,
// or after longest turns.
func (w *walker) walk(seeking bool) {
	m := w.p.m
	w.p.begin(w.lang())
	for range longest {
		n := &m.nodes[w.p.st[0]]
		if w.seen[w.p.st[0]] == nil {
			w.seen[w.p.st[0]] = slices.Clone(w.p.st)
		}
		w.p.rest()
		if n.ending && len(w.p.offered) == 0 && w.chance.IntN(4) == 0 {
			return
		}
		w.turns++
		if seeking {
			w.seek()
			continue
		}
		w.p.tape.clear()
		w.p.turn()
	}
}

func (w *walker) lang() int {
	if w.p.m.lang < 0 {
		return 0
	}
	return w.chance.IntN(len(w.p.m.langs))
}

// choices is how many turns a seeking walk chooses from.
const choices = 8

// seek takes, of some turns by chance, the one whose exit or beat is rarest.
func (w *walker) seek() {
	p := w.p
	from := slices.Clone(p.st)
	var best []cell
	least := -1
	p.marks = &w.tried
	for range choices {
		copy(p.st, from)
		p.tape.clear()
		clear(w.tried.exitHits)
		clear(w.tried.beatHits)
		p.turn()
		if r := w.rarity(); least < 0 || r < least {
			best, least = slices.Clone(p.tape.cells), r
		}
	}
	p.marks = w.hits
	copy(p.st, from)
	p.rest()
	p.tape.cells, p.tape.at = best, 0
	p.turn()
}

// rarity is how often the rarest thing was done that a turn does.
func (w *walker) rarity() int {
	least := 1 << 30
	for i, n := range w.tried.exitHits {
		if n > 0 {
			least = min(least, w.hits.exitHits[i])
		}
	}
	for i, n := range w.tried.beatHits {
		if n > 0 {
			least = min(least, w.hits.beatHits[i])
		}
	}
	return least
}

// after is the number of turns that go on behind a forced exit.
const after = 10

// force takes every exit that was not taken, and goes on by chance.
func (w *walker) force(forced *marks) {
	p := w.p
	p.marks = forced
	for e := range p.m.exits {
		from := w.seen[p.m.exits[e].node]
		if w.hits.exitHits[e] > 0 || from == nil {
			continue
		}
		for range 4 {
			copy(p.st, from)
			p.take(e, "forced")
			for range after {
				p.rest()
				p.tape.clear()
				p.turn()
			}
		}
	}
}

func (sp *Space) items(m *model, k, forced *marks) []Item {
	var out []Item
	put := func(kind, id string, at source.Pos, hits, byForce int, seen, proven bool) {
		x := Item{Kind: kind, ID: id, Pos: at, Hits: hits, Reachable: "unknown"}
		switch {
		case hits > 0 || seen:
			x.Reachable = "yes"
		case proven:
			x.Reachable = "no"
		default:
			x.Forced = byForce > 0
		}
		out = append(out, x)
	}
	whole := sp.Complete()
	for i, n := range m.nodes {
		_, seen := sp.Reached(n.id)
		put("node", n.id, n.at.Pos, k.nodeHits[i], forced.nodeHits[i], seen, whole)
	}
	for i, e := range m.exits {
		put("exit", e.id, e.at.Pos, k.exitHits[i], forced.exitHits[i], sp.Taken(e.id), whole)
	}
	for i, b := range m.beats {
		put("beat", b.id, b.at.Pos, k.beatHits[i], forced.beatHits[i], sp.Fires(b.id), whole && len(sp.Bounds) == 0)
	}
	for i, c := range sp.Conditions() {
		for side, kind := range []string{"false", "true"} {
			seen := side == 0 && c.False || side == 1 && c.True
			put(kind, c.Src, c.Pos, k.sites[i].hits[side], forced.sites[i].hits[side], seen, c.Proven)
		}
	}
	return out
}
