package space

import (
	"slices"
	"strings"

	"fabula/personas"
	"fabula/story/plot"
)

// stage plays turns with words, by the functions of story/plot alone and in the
// order of FORMATS.md, section 2: what a session does, without a store.
type stage struct {
	m    *model
	st   plot.State
	lang string
}

// newStage enters the start.
func newStage(m *model, first []int) *stage {
	g := &stage{m: m, st: m.s.Initial(), lang: m.langs[0]}
	if m.lang >= 0 {
		g.lang = m.langs[first[m.lang]]
	}
	m.s.Enter(&g.st, m.s.Start, g.lang)
	return g
}

func (g *stage) project() []int { return g.m.project(&g.st, g.lang) }

// play plays a turn, finds words for it and writes them into it. It reports
// whether it could; the state then is the one after the turn.
func (g *stage) play(t *Turn) bool {
	for _, words := range g.wordings(t) {
		next := stage{m: g.m, st: g.st.Clone(), lang: g.lang}
		if next.act(t, words) {
			*g, t.Say = next, words
			return true
		}
	}
	return false
}

// act takes the player's side of a turn, then the replies.
func (g *stage) act(t *Turn, words string) bool {
	s, asked := g.m.s, g.st.Confirm
	if words != "" {
		s.CountTurn(&g.st)
	}
	if !g.fits(s.PlayerBeats(&g.st, words, g.lang), t.Fired) {
		return false
	}
	g.st.Confirm = ""
	switch {
	case t.Choose != "":
		e := s.Exit(t.Choose)
		if !slices.ContainsFunc(s.Offers(g.st, g.lang), func(o plot.Offer) bool { return o.Exit == e && o.Open }) {
			return false
		}
		s.Take(&g.st, e, "choice", g.lang)
	case words == "":
		g.st.Confirm = asked
	case t.Yes:
		if e := s.Exit(g.st.Node + "." + asked); e != nil {
			if open, _ := s.Open(e, g.st); open {
				s.Take(&g.st, e, "said", g.lang)
			}
		}
	default:
		if !g.speak(t.Exit, words) {
			return false
		}
	}
	return g.replies(t)
}

// speak takes or asks about the exit that words say, which must be the one that
// is meant.
func (g *stage) speak(exit, words string) bool {
	e, _, said := g.m.s.Spoken(g.st, words)
	if !said {
		return exit == ""
	}
	if g.st.Node+"."+e.ID != exit {
		return false
	}
	question, ask := g.m.s.Question(g.st, e, g.lang)
	if !ask {
		g.m.s.Take(&g.st, e, "said", g.lang)
		return true
	}
	g.st.Confirm = e.ID
	if question.By != "" {
		g.st.Speaker = question.By
	}
	return true
}

// fits reports whether the beats that fired are those that are meant, apart from
// such as change nothing.
func (g *stage) fits(fired []plot.Fired, want []string) bool {
	for _, id := range want {
		if !slices.ContainsFunc(fired, func(f plot.Fired) bool { return f.Beat == id }) {
			return false
		}
	}
	for _, f := range fired {
		if i := g.m.beatAt(f.Beat); i >= 0 && g.m.beats[i].counts && !slices.Contains(want, f.Beat) {
			return false
		}
	}
	return true
}

func (g *stage) replies(t *Turn) bool {
	for i := range t.Replies {
		r := &t.Replies[i]
		done := false
		for _, words := range g.lines(r) {
			next := stage{m: g.m, st: g.st.Clone(), lang: g.lang}
			if done = next.answer(r, words); done {
				*g, r.Text = next, words
				break
			}
		}
		if !done {
			return false
		}
	}
	return true
}

// answer takes step 5 of a turn on a reply.
func (g *stage) answer(r *Reply, words string) bool {
	s := g.m.s
	g.st.Speaker = r.NPC
	if !g.fits(s.NPCBeats(&g.st, r.NPC, words, g.lang), r.Fired) {
		return false
	}
	s.Anchors(&g.st, r.NPC, words, g.lang)
	before := g.st.Clone().Told
	s.ToldSecrets(&g.st, r.NPC, words)
	for id := range g.st.Told {
		if fresh := before[id] == 0; fresh && g.m.call("told", id) >= 0 && !slices.Contains(r.Told, id) {
			return false
		}
	}
	for _, id := range r.Told {
		if g.st.Told[id] == 0 {
			return false
		}
	}
	e := s.Auto(g.st)
	if (e == nil) != (r.Auto == "") || e != nil && g.st.Node+"."+e.ID != r.Auto {
		return false
	}
	if e != nil {
		s.Take(&g.st, e, "auto", g.lang)
	}
	return true
}

// Words that say nothing special; the first that does nothing is used.
func small() []string { return []string{"…", "嗯。", "Hm.", "I see.", "~"} }

// wordings gives texts that may do what a turn does.
func (g *stage) wordings(t *Turn) []string {
	switch {
	case t.Yes:
		return []string{t.Say}
	case !t.spoke:
		return []string{""}
	}
	var parts [][]string
	for _, id := range t.Fired {
		b := g.m.beats[g.m.beatAt(id)].at
		if !g.m.beats[g.m.beatAt(id)].surely {
			parts = append(parts, sentences(b.Fires, &b.Detect))
		}
	}
	if t.Exit != "" {
		parts = append(parts, sentences(nil, g.m.s.Exit(t.Exit).Said))
	}
	return together(parts)
}

// lines gives texts that may do what a reply does.
func (g *stage) lines(r *Reply) []string {
	var parts [][]string
	for _, id := range r.Fired {
		b := &g.m.beats[g.m.beatAt(id)]
		if !b.surely {
			parts = append(parts, sentences(b.at.Fires, &b.at.Detect))
		}
	}
	for _, id := range r.Told {
		parts = append(parts, g.secret(id))
	}
	for _, id := range r.Said {
		parts = append(parts, sentences(nil, &g.m.anchors[g.m.anchorAt(id)].at.Detect))
	}
	return together(parts)
}

func (g *stage) secret(id string) []string {
	var out []string
	for _, p := range g.m.s.Personas {
		for _, sec := range p.Secrets {
			if p.ID+"."+sec.ID == id {
				out = append(out, sec.Text.All()...)
				for _, a := range sec.Aliases {
					out = append(out, a.All()...)
				}
			}
		}
	}
	return out
}

// mostWordings bounds the texts that are tried for one turn.
const mostWordings = 64

// sentences gives texts that a Detect hits: examples, then its keywords.
func sentences(examples []personas.Text, d *plot.Detect) []string {
	var out []string
	for _, t := range examples {
		out = append(out, t.All()...)
	}
	groups := slices.Clone(d.All)
	if len(d.Any) > 0 {
		var any []personas.Text
		for _, g := range d.Any {
			any = append(any, g...)
		}
		groups = append(groups, any)
	}
	var parts [][]string
	for _, g := range groups {
		var words []string
		for _, t := range g {
			words = append(words, t.All()...)
		}
		parts = append(parts, words)
	}
	if len(parts) > 0 {
		out = append(out, together(parts)...)
	}
	return out
}

// together joins one text of each part, in up to mostWordings ways.
func together(parts [][]string) []string {
	if len(parts) == 0 {
		return small()
	}
	out := []string{""}
	for _, part := range parts {
		var next []string
		for _, head := range out {
			for _, tail := range part {
				if next = append(next, strings.TrimPrefix(head+" "+tail, " ")); len(next) == mostWordings {
					break
				}
			}
			if len(next) == mostWordings {
				break
			}
		}
		out = next
	}
	return out
}
