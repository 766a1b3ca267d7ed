// Package calibrate chooses the samples with which an INT8 engine is calibrated,
// and a hold-out on which it is judged afterwards.
//
// The unit is the full prompt with its reply, as it is served. Samples are put
// into strata by NPC, stage of the plot, depth of the talk, language, length of
// the reply and what is special in it; each stratum gets a quota that goes with
// the square root of how often it occurs, and two at least, so that the register
// of a taciturn swordsman is there although few of the lines are his. Of each
// draw about 60 % are drawn by that quota, 25 % are those least like the ones
// drawn, and 15 % are hard: replies in which a rule found something, then the
// longest prompts.
//
// Simulated and hand-edited replies are left out, and so are near-duplicates
// (A. Broder, On the resemblance and containment of documents, 1997). Everything
// follows from the seed. Non-goals: tokens, building engines.
package calibrate

import (
	"cmp"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"fabula/story/lab/sets"
)

// Options say how much is drawn.
type Options struct {
	Size  int // samples of a draw; more where two of every stratum need it. 0 = 256
	Draws int // 0 = 3
	Seed  uint64
	Nodes []string // of the plot in order, for the stages
}

// Shares of a draw.
const (
	diverse = 0.25
	hard    = 0.15
)

// The least of a stratum in a draw, and the part of a stratum that is held out.
const (
	least    = 2
	heldOut  = 5 // one in so many
	mostHeld = 256
)

// Set is what was chosen.
type Set struct {
	Draws   []Draw
	Holdout []sets.Sample // no sample of it, and no reply like one of it, is in a draw
	Strata  []Stratum
	// Left counts what was not to be had, by why: duplicate, simulated, edited.
	Left map[string]int
}

// Draw is one choice of samples.
type Draw struct {
	Seed    uint64
	Samples []sets.Sample
	// Frequent, Diverse and Hard count how they were chosen.
	Frequent, Diverse, Hard int
}

// The reasons of Set.Left.
const (
	Simulated = "simulated"
	Edited    = "edited"
	Duplicate = "duplicate"
)

// ErrNothing: nothing is left to choose from.
var ErrNothing = errors.New("no sample to calibrate with")

// Choose draws sets from samples.
func Choose(samples []sets.Sample, o Options) (*Set, error) {
	o.Size, o.Draws = cmp.Or(o.Size, 256), cmp.Or(o.Draws, 3)
	s := &Set{Left: map[string]int{}}
	var kept []*candidate
	for _, c := range s.candidates(samples, o) {
		if c.duplicates(kept) {
			s.Left[Duplicate]++
			continue
		}
		kept = append(kept, c)
	}
	strata := stratify(kept)
	kept = s.holdOut(strata)
	if len(kept) == 0 {
		return nil, ErrNothing
	}
	for d := range o.Draws {
		s.Draws = append(s.Draws, draw(strata, o.Size, o.Seed+uint64(d)))
	}
	for _, x := range strata {
		s.Strata = append(s.Strata, x.table(s.Draws))
	}
	return s, nil
}

// candidate is a sample that may be chosen.
type candidate struct {
	sets.Sample
	signature signature
	key       Key
	order     uint64 // by its hash: what decides where nothing else does
	prompt    int    // characters
}

// candidates leaves out what nobody said to nobody, in an order that does not
// depend on the store: starred ones first, so that of two alike they stay.
func (s *Set) candidates(samples []sets.Sample, o Options) []*candidate {
	var out []*candidate
	for _, x := range samples {
		switch {
		case x.Source == sets.FromPlaytest:
			s.Left[Simulated]++
			continue
		case x.Edited:
			s.Left[Edited]++
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(x.Hash()))
		c := &candidate{Sample: x, signature: sign(line(x) + "\n" + x.Reply), key: keyOf(x, o.Nodes), order: h.Sum64()}
		c.prompt, _ = x.Chars()
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(starred(b), starred(a)), cmp.Compare(a.order, b.order))
	})
	return out
}

func starred(c *candidate) int {
	if c.Marked {
		return 1
	}
	return 0
}

// line is what the player said last: the last part of the last message.
func line(s sets.Sample) string {
	parts := s.Messages[len(s.Messages)-1].Parts
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// holdOut takes every fifth away, stratum by stratum, so far as two of it stay,
// and gives what is left.
func (s *Set) holdOut(strata []*stratum) []*candidate {
	var kept []*candidate
	said := map[string]bool{}
	due := 0
	for _, x := range strata {
		due += len(x.all)
		n := max(min(due/heldOut, len(x.all)-least, mostHeld-len(s.Holdout)), 0)
		due -= n * heldOut
		x.held = n
		for _, c := range x.all[:n] {
			s.Holdout = append(s.Holdout, c.Sample)
			said[c.Persona+"\x00"+c.Reply] = true
		}
		x.all = x.all[n:]
	}
	for _, x := range strata {
		x.all = slices.DeleteFunc(x.all, func(c *candidate) bool { return said[c.Persona+"\x00"+c.Reply] })
		kept = append(kept, x.all...)
	}
	return kept
}

// draw chooses a set.
func draw(strata []*stratum, size int, seed uint64) Draw {
	d := Draw{Seed: seed}
	r := rand.New(rand.NewPCG(seed, 9))
	chosen := map[string]bool{}
	take := func(c *candidate) {
		chosen[c.ID] = true
		d.Samples = append(d.Samples, c.Sample)
	}
	frequent := size - int(diverse*float64(size)) - int(hard*float64(size))
	var picked []*candidate
	for i, n := range quotas(strata, frequent) {
		x := strata[i]
		for _, k := range r.Perm(len(x.all))[:n] {
			take(x.all[k])
			picked = append(picked, x.all[k])
		}
	}
	d.Frequent = len(d.Samples)
	rest := func() []*candidate {
		var out []*candidate
		for _, x := range strata {
			for _, c := range x.all {
				if !chosen[c.ID] {
					out = append(out, c)
				}
			}
		}
		return out
	}
	for _, c := range hardest(rest(), int(hard*float64(size))) {
		take(c)
		picked = append(picked, c)
		d.Hard++
	}
	for _, c := range farthest(picked, rest(), int(diverse*float64(size))) {
		take(c)
		d.Diverse++
	}
	return d
}

// quotas shares n among strata by the square root of their sizes, least of each
// where it has so many.
func quotas(strata []*stratum, n int) []int {
	total := 0.0
	for _, x := range strata {
		total += math.Sqrt(float64(len(x.all)))
	}
	out := make([]int, len(strata))
	for i, x := range strata {
		share := int(math.Round(float64(n) * math.Sqrt(float64(len(x.all))) / total))
		out[i] = min(max(share, least), len(x.all))
	}
	return out
}

// hardest are those in which most rules found something, then the longest
// prompts.
func hardest(rest []*candidate, n int) []*candidate {
	slices.SortFunc(rest, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(len(b.Findings), len(a.Findings)), cmp.Compare(b.prompt, a.prompt), cmp.Compare(a.order, b.order))
	})
	return rest[:min(n, len(rest))]
}

// farthest are those least like any that was picked, one after the other: greedy
// k-centre (T. Gonzalez, Clustering to minimize the maximum intercluster
// distance, 1985).
func farthest(picked, rest []*candidate, n int) []*candidate {
	slices.SortFunc(rest, func(a, b *candidate) int { return cmp.Compare(a.order, b.order) })
	nearest := make([]float64, len(rest))
	for i, c := range rest {
		for _, p := range picked {
			nearest[i] = max(nearest[i], c.signature.like(p.signature))
		}
	}
	var out []*candidate
	taken := make([]bool, len(rest))
	for range min(n, len(rest)) {
		best := -1
		for i := range rest {
			if !taken[i] && (best < 0 || nearest[i] < nearest[best]) {
				best = i
			}
		}
		taken[best] = true
		out = append(out, rest[best])
		for i := range rest {
			nearest[i] = max(nearest[i], rest[i].signature.like(rest[best].signature))
		}
	}
	return out
}
