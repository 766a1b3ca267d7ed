package space_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fabula/story/check/space"
	"fabula/story/plot"
)

// game plays turns of a real state, written down from FORMATS.md, section 2,
// without a look at the search.
type game struct {
	t  *rapid.T
	s  *plot.Script
	st plot.State

	log []string
}

func (g *game) there() []string {
	var out []string
	for _, m := range g.s.Cast(g.st) {
		out = append(out, m.NPC)
	}
	return out
}

// turn takes one turn by chance.
func (g *game) turn(all []string) {
	s := g.s
	g.log = append(g.log, g.st.Node)
	cast0, node := g.there(), g.st.Node
	if len(cast0) > 0 && rapid.IntRange(0, 9).Draw(g.t, "next?") == 0 {
		s.PlayerBeats(&g.st, "", "en")
		g.reply(cast0[(slices.Index(cast0, g.st.Speaker)+1)%len(cast0)], nil)
		return
	}
	text := ""
	if rapid.IntRange(0, 9).Draw(g.t, "talk?") > 2 {
		text = speech(g.t, all)
		s.CountTurn(&g.st)
		g.log = append(g.log, "say "+text)
	}
	s.PlayerBeats(&g.st, text, "en")
	asked := g.st.Confirm
	g.st.Confirm = ""
	if offers := g.open(); len(offers) > 0 && (text == "" || rapid.IntRange(0, 3).Draw(g.t, "choose?") == 0) {
		s.Take(&g.st, rapid.SampledFrom(offers).Draw(g.t, "choice"), "choice", "en")
	} else if text == "" {
		g.st.Confirm = asked
		return // nothing to choose: no turn was taken
	} else if g.say(text, asked) {
		return
	}
	if text != "" {
		g.answer(cast0, node)
	}
}

func (g *game) open() []*plot.Exit {
	var out []*plot.Exit
	for _, o := range g.s.Offers(g.st, "en") {
		if o.Open {
			out = append(out, o.Exit)
		}
	}
	return out
}

// say takes the exit that a text says; true when a question stands in for a
// reply.
func (g *game) say(text, asked string) bool {
	if asked != "" && g.s.Yes(text) {
		e := g.s.Exit(g.st.Node + "." + asked)
		if open, _ := g.s.Open(e, g.st); open {
			g.s.Take(&g.st, e, "said", "en")
			return false
		}
	}
	e, _, ok := g.s.Spoken(g.st, text)
	if !ok || e.ID == asked {
		return false
	}
	if q, ask := g.s.Question(g.st, e, "en"); ask {
		g.st.Confirm, g.st.Speaker = e.ID, q.By
		return true
	}
	g.s.Take(&g.st, e, "said", "en")
	return false
}

func (g *game) answer(cast0 []string, node string) {
	there, moved, to := g.there(), g.st.Node != node, ""
	if len(cast0) > 0 && rapid.Bool().Draw(g.t, "address") {
		to = rapid.SampledFrom(cast0).Draw(g.t, "to")
	}
	who := ""
	switch {
	case to != "" && (!moved || slices.Contains(there, to)):
		who = to
	case len(there) == 0:
		return
	case to == "" && slices.Contains(there, g.st.Speaker):
		who = g.st.Speaker
	default:
		who = there[0]
	}
	var queue []string
	if g.s.Node(g.st.Node).Turns == "all" {
		queue = slices.DeleteFunc(there, func(x string) bool { return x == who })
	}
	g.reply(who, queue)
}

func (g *game) reply(who string, queue []string) {
	s := g.s
	for {
		all := words(s)
		p := s.Persona(who)
		if s.Unlocked(p, &p.Secrets[0], g.st) {
			all = append(all, p.Secrets[0].Text.Plain)
		}
		text := speech(g.t, slices.DeleteFunc(all, func(w string) bool { return w == "yes" }))
		g.st.Speaker = who
		g.log = append(g.log, who+": "+text)
		s.NPCBeats(&g.st, who, text, "en")
		s.Anchors(&g.st, who, text, "en")
		s.ToldSecrets(&g.st, who, text)
		if e := s.Auto(g.st); e != nil {
			s.Take(&g.st, e, "auto", "en")
			return
		}
		i := slices.IndexFunc(queue, func(q string) bool { return slices.Contains(g.there(), q) })
		if i < 0 {
			return
		}
		who, queue = queue[i], queue[i+1:]
	}
}

// Ensure that whatever play comes to is among the states of every search, and
// that its variables, marks and counters are those that the search has.
func TestPlayStaysInTheSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script(t)
		sp := space.Explore(s, space.Limits{States: 60000})
		whole := space.Whole(s, space.Limits{States: 60000})
		if !sp.Complete() {
			t.Skip("too large")
		}
		for range 3 {
			g := &game{t: t, s: s, st: s.Initial()}
			s.Enter(&g.st, s.Start, "en")
			for turn := range 12 {
				if missing := sp.Missing(&g.st); missing != "" {
					t.Fatalf("after %d turns: %s\n%q\n%s", turn, missing, g.log, written(s))
				}
				if missing := whole.Missing(&g.st); missing != "" {
					t.Fatalf("with every condition, after %d turns: %s\n%q\n%s", turn, missing, g.log, written(s))
				}
				g.turn(words(s))
			}
		}
	})
}

// Ensure that every state that is found can be played to, by the functions of
// story/plot and words, to the same values.
func TestStatesCanBePlayedTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script(t)
		for _, sp := range []*space.Space{space.Explore(s, space.Limits{States: 20000}), space.Whole(s, space.Limits{States: 20000})} {
			for range min(8, sp.States) {
				at := sp.State(rapid.IntRange(0, sp.States-1).Draw(t, "state"))
				if way, played := sp.Witness(at); !played {
					t.Fatalf("not played: %+v\n%s", way, written(s))
				}
			}
		}
	})
}
