package tree

import (
	"fmt"
	"slices"

	"fabula/story"
)

// forest is what was read of the store: every alternative as a knot, by number,
// so that drawing looks nothing up by name. A turn whose first reply is in
// flight is a knot without an alternative.
type forest struct {
	knots    []knot
	roots    []int // knots of openings, oldest playthrough first
	at       map[story.ID]int
	turns    map[story.ID]story.Turn
	speaks   map[story.ID]string         // playthrough → language
	branches map[story.ID][]story.Branch // by leaf
	hidden   map[story.ID][]story.Branch // by leaf, last hidden first
	plays    int
	alts     int
}

// knot is one alternative and what lies below it.
type knot struct {
	alt   story.Alternative // light: without tokens
	turn  story.ID
	up    int   // the knot above; -1 = an opening
	below []int // knots, by turn, then alternative
	n, of int   // which alternative of how many of its turn
	size  int   // knots below
	tells bool  // a person would look for it
}

func newForest() forest {
	return forest{at: map[story.ID]int{}, turns: map[story.ID]story.Turn{}, speaks: map[story.ID]string{}, branches: map[story.ID][]story.Branch{}, hidden: map[story.ID][]story.Branch{}}
}

// grow reads the tree.
func grow(r story.Reader) (forest, error) {
	f := newForest()
	if err := r.Walk(f.add); err != nil {
		return f, fmt.Errorf("read the tree: %w", err)
	}
	for i := len(f.knots) - 1; i >= 0; i-- { // parents come first
		if k := &f.knots[i]; k.up >= 0 {
			f.knots[k.up].size += k.size + 1
		}
	}
	for _, i := range f.roots {
		id := f.turns[f.knots[i].turn].Playthrough
		if _, known := f.speaks[id]; known {
			continue
		}
		p, err := r.Playthrough(id)
		if err != nil {
			return f, fmt.Errorf("read the tree: %w", err)
		}
		f.speaks[p.ID] = p.Language
	}
	f.plays = len(f.speaks)
	all, err := r.Branches()
	for _, b := range all {
		f.branches[b.Leaf] = append(f.branches[b.Leaf], b)
	}
	if err != nil {
		return f, fmt.Errorf("read the tree: %w", err)
	}
	all, err = r.Hidden()
	for _, b := range all {
		f.hidden[b.Leaf] = append(f.hidden[b.Leaf], b)
	}
	f.tell()
	return f, err
}

// hiddenIn lists the hidden branches of a playthrough, last hidden first.
func (f *forest) hiddenIn(play story.ID) []story.Branch {
	var out []story.Branch
	for _, all := range f.hidden {
		for _, b := range all {
			if b.Playthrough == play {
				out = append(out, b)
			}
		}
	}
	slices.SortFunc(out, func(a, b story.Branch) int { return b.Hidden.Compare(a.Hidden) })
	return out
}

// add takes one turn.
func (f *forest) add(t story.Turn, alts []story.Alternative) error {
	f.turns[t.ID] = t
	up, known := f.at[t.Parent]
	if !known {
		up = -1
	}
	put := func(k knot) {
		i := len(f.knots)
		f.knots = append(f.knots, k)
		if up >= 0 {
			f.knots[up].below = append(f.knots[up].below, i)
		} else {
			f.roots = append(f.roots, i)
		}
		if k.alt.ID != "" {
			f.at[k.alt.ID] = i
			f.alts++
		}
	}
	if len(alts) == 0 {
		put(knot{turn: t.ID, up: up})
	}
	for i, a := range alts {
		put(knot{alt: light(a), turn: t.ID, up: up, n: i + 1, of: len(alts)})
	}
	return nil
}

// light drops what the screen does not draw: token stamps are most of a store.
func light(a story.Alternative) story.Alternative {
	if a.Reply != nil {
		r := *a.Reply
		r.Tokens, r.Segments = nil, nil
		a.Reply = &r
	}
	return a
}

// path marks the knots from an alternative up to its opening.
func (f *forest) path(leaf story.ID) map[int]bool {
	on := map[int]bool{}
	i, known := f.at[leaf]
	for known && i >= 0 {
		on[i] = true
		i = f.knots[i].up
	}
	return on
}

// tell notes which knots a person would look for: a branch ends there or did,
// it is marked or titled, something lies below it, or its reply is in flight.
func (f *forest) tell() {
	for i := range f.knots {
		k := &f.knots[i]
		k.tells = k.size > 0 || k.alt.Mark || k.alt.Title != "" || k.alt.ID == "" ||
			len(f.branches[k.alt.ID]) > 0 || len(f.hidden[k.alt.ID]) > 0
	}
}
