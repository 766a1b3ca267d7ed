package story

import (
	"slices"
	"strings"
	"sync"

	"fabula/personas"
	"fabula/story/memory"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// mostRecalled bounds the past turns that come back in one prompt.
const mostRecalled = 8

// mind keeps what NPCs lived through on the path that was played last, so that
// a turn on a long branch does not index it all again.
type mind struct {
	mu   sync.Mutex
	npcs map[string]*memory.Index // by persona and language
}

// recollect gives the search that a prompt's assembly asks once it knows how
// much of the history does not fit. Only what is in history can come back: the
// ancestors of the turn, as the NPC heard them.
func (s *Session) recollect(p *plan, a *asking, path []Step) func(int) []prompt.Recollection {
	return func(left int) []prompt.Recollection {
		s.mind.mu.Lock()
		defer s.mind.mu.Unlock()
		x := s.mind.follow(a.persona.ID+" "+a.lang, facts(p.script, a, path))
		var out []prompt.Recollection
		for _, r := range x.Search(query(p), left, mostRecalled) {
			out = append(out, prompt.Recollection{Turn: r.Turn, Text: r.Text, Day: r.Day,
				Ago: p.turn.Depth - r.Depth, Because: r.Because})
		}
		return out
	}
}

// follow brings the index of an NPC onto a path.
func (m *mind) follow(who string, path []memory.Fact) *memory.Index {
	if m.npcs == nil {
		m.npcs = map[string]*memory.Index{}
	}
	x := m.npcs[who]
	if x == nil {
		x = memory.NewIndex()
		m.npcs[who] = x
	}
	same := 0
	for same < min(x.Len(), len(path)) && x.Fact(same) == path[same] {
		same++
	}
	x.Cut(same)
	for _, f := range path[same:] {
		x.Add(f)
	}
	return x
}

// query is what is said now, with what was said before it in this turn.
func query(p *plan) string {
	parts := []string{p.turn.Input.Text}
	for _, l := range p.lines {
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, "\n")
}

// facts gives the exchanges of a history as what can be remembered.
func facts(script *plot.Script, a *asking, path []Step) []memory.Fact {
	byTurn := make(map[string]*Step, len(path))
	for i := range path {
		byTurn[string(path[i].Turn.ID)] = &path[i]
	}
	out := make([]memory.Fact, 0, len(a.history))
	for _, e := range a.history {
		f := memory.Fact{Turn: e.Turn, Text: quoted(script, a, e)}
		if step := byTurn[e.Turn]; step != nil {
			f.Depth, f.Pinned = step.Turn.Depth, step.Alternative.Mark
			f.Beat = len(step.Turn.Fired)+len(step.Alternative.Fired) > 0
			if script.Clock != nil {
				f.Day = step.Alternative.State.Vars[script.Clock.Var].Int
			}
		}
		out = append(out, f)
	}
	return out
}

// longestQuote bounds one utterance of a recollection, in characters.
const longestQuote = 240

// quoted gives an exchange as it is told later: who said what.
func quoted(script *plot.Script, a *asking, e prompt.Exchange) string {
	colon, gap := ": ", " "
	if strings.HasPrefix(a.lang, "zh") {
		colon, gap = "：", ""
	}
	var parts []string
	for _, l := range e.Lines {
		said := l.Text
		if r := []rune(said); len(r) > longestQuote {
			said = string(r[:longestQuote]) + "…"
		}
		if l.By != "" {
			said = nameIn(script, l.By, a.lang) + colon + said
		}
		parts = append(parts, strings.TrimSpace(said))
	}
	return strings.Join(parts, gap)
}

// nameIn gives the name of a persona, or of the player's role.
func nameIn(script *plot.Script, id, lang string) string {
	name := personas.Text{}
	if p := script.Persona(id); p != nil {
		name = p.Name
	} else if id == "player" {
		name = script.Player.Name
	}
	if n := name.In(lang, script.Languages...); n != "" {
		return n
	}
	return id
}

// Horizon gives the turn at which the history of a reply's prompt began; empty
// when all of the path was in it. Before it an NPC knows only what it recalled.
func (r *Reply) Horizon() ID {
	if r == nil || !slices.ContainsFunc(r.Dropped, func(d prompt.Dropped) bool { return strings.HasPrefix(d.What, "history ") }) {
		return ""
	}
	for _, s := range r.Segments {
		if s.Kind == prompt.History && len(s.Source) == idLength {
			return ID(s.Source)
		}
	}
	return ""
}

// idLength is the length of a ULID in text.
const idLength = 26
