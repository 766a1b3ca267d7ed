// Package players simulates people at the keyboard: each kind has a bank of
// utterances in English and Chinese, a way of taking exits, and patience. The
// same seed plays the same way. A model may say the lines in place of the bank;
// what is done stays the kind's.
//
// Simulated players are more fluent and more willing than people: what they
// reach is an upper bound. Non-goals: choosing the model.
package players

import (
	"math/rand/v2"
	"slices"
	"strings"

	"fabula/personas"
	"fabula/story"
	"fabula/story/plot"
)

// Player decides what is done next.
type Player struct {
	kind kind
	rng  *rand.Rand
	lang string
	used map[string]int // lines said, by text
	here int            // turns since the node was entered
	node string
}

// Kinds lists the kinds of players that need no model, in the order of the manual.
func Kinds() []string {
	var out []string
	for _, k := range kinds() {
		out = append(out, k.id)
	}
	return out
}

// New makes a player; ok is false for an unknown kind.
func New(id, lang string, seed uint64) (p *Player, ok bool) {
	all := append(kinds(), kind{id: ModelKind, patience: 6, lines: kinds()[0].lines})
	i := slices.IndexFunc(all, func(k kind) bool { return k.id == id })
	if i < 0 {
		return nil, false
	}
	return &Player{kind: all[i], rng: rand.New(rand.NewPCG(seed, uint64(i))), lang: lang, used: map[string]int{}}, true
}

// Next gives the input of the next turn: a line, an exit, or a nod to the next
// NPC. ok is false where there is nothing left to do.
func (p *Player) Next(s *plot.Script, st plot.State) (in story.Input, ok bool) {
	if st.Node != p.node {
		p.node, p.here = st.Node, 0
	}
	p.here++
	open := slices.DeleteFunc(s.Offers(st, p.lang), func(o plot.Offer) bool { return !o.Open })
	cast := s.Cast(st)
	leave := p.here > p.kind.patience || len(cast) == 0 || p.kind.silent ||
		p.kind.goals && p.here > p.kind.patience/2 && len(p.goals(s, st)) == 0
	if leave && len(open) > 0 && !st.Ended {
		return story.Input{Choose: p.choose(s, st, open)}, true
	}
	if len(cast) == 0 {
		return in, false
	}
	if p.kind.silent {
		return story.Input{Next: true}, true
	}
	return story.Input{Text: p.line(s, st), To: cast[p.rng.IntN(len(cast))].NPC}, true
}

// choose takes an exit: one not taken yet before others, the last listed for
// those who contradict, what is new and no ending for those with goals.
func (p *Player) choose(s *plot.Script, st plot.State, open []plot.Offer) string {
	fresh := slices.DeleteFunc(slices.Clone(open), func(o plot.Offer) bool { return st.Exits[st.Node+"."+o.ID] > 0 })
	if len(fresh) > 0 {
		open = fresh
	}
	if p.kind.contrary {
		return open[len(open)-1].ID
	}
	if p.kind.goals {
		best := slices.MinFunc(open, func(a, b plot.Offer) int { return dull(s, st, a) - dull(s, st, b) })
		open = slices.DeleteFunc(open, func(o plot.Offer) bool { return dull(s, st, o) > dull(s, st, best) })
	}
	return open[p.rng.IntN(len(open))].ID
}

// dull ranks an exit for who wants to see everything: a deed or a new place
// first, then a place seen before and what is asked about first, which is hard
// to take back; an ending last.
func dull(s *plot.Script, st plot.State, o plot.Offer) int {
	n := s.Node(o.To)
	switch {
	case n == nil:
		return 0
	case n.Ending != nil:
		return 2
	case st.Visits[n.ID] > 0, o.Exit.Confirm != nil:
		return 1
	}
	return 0
}

// line gives an utterance that was said least, filled in.
func (p *Player) line(s *plot.Script, st plot.State) string {
	lines := p.bank(s, st)
	least := p.used[lines[0]]
	for _, l := range lines {
		least = min(least, p.used[l])
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return p.used[l] > least })
	l := lines[p.rng.IntN(len(lines))]
	p.used[l]++
	return l
}

// bank lists what the player could say now; there is at least one line.
func (p *Player) bank(s *plot.Script, st plot.State) []string {
	var out []string
	if p.kind.goals {
		out = append(out, p.goals(s, st)...)
	}
	if p.kind.lore {
		for _, l := range s.Lore {
			for _, k := range l.Keys {
				out = append(out, p.fill(p.kind.about, k.In(p.lang, s.Languages...)))
			}
		}
	}
	if len(out) == 0 {
		for _, l := range p.kind.lines {
			out = append(out, l.In(p.lang))
		}
	}
	return out
}

// goals lists what an author wrote as examples of beats that have not fired,
// without what was said already.
func (p *Player) goals(s *plot.Script, st plot.State) []string {
	var out []string
	n := s.Node(st.Node)
	if n == nil {
		return nil
	}
	for _, b := range n.Beats {
		if st.Beats[n.ID+"."+b.ID] > 0 || !s.Holds(b.When, st) {
			continue
		}
		for _, e := range b.Fires {
			if t := e.In(p.lang, s.Languages...); t != "" && p.used[t] == 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

func (p *Player) fill(format personas.Text, what string) string {
	return strings.ReplaceAll(format.In(p.lang), "{}", what)
}
