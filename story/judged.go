package story

import (
	"slices"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/plot"
)

// remembered is how many of an NPC's last replies a new one is compared with.
const remembered = 5

// guards are the words that a persona is checked against, compiled.
type guards struct {
	taboos *lint.Taboos
	watch  *lint.Watch
}

// guardsOf compiles a persona's guards, once for each script.
func (s *Session) guardsOf(script *plot.Script, persona *personas.Persona) guards {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guarded != script {
		s.guarded, s.guards = script, map[string]guards{}
	}
	g, ok := s.guards[persona.ID]
	if !ok {
		g = guards{lint.NewTaboos(script.Taboo, persona.Taboo), lint.NewWatch(persona.Secrets)}
		s.guards[persona.ID] = g
	}
	return g
}

// judged is what the rules are to know about a reply.
func (s *Session) judged(p *plan, persona *personas.Persona, text string) lint.Input {
	g := s.guardsOf(p.script, persona)
	in := Judged(p.script, persona, p.turn.Before, p.lang, text)
	in.Taboos, in.Watch = g.taboos, g.watch
	path, err := s.path(p.turn.Parent)
	if err != nil {
		s.log.Warn("reply judged without what was said before", "error", err)
	}
	in.Before = SaidBefore(path, persona.ID)
	return in
}

// Judged is what the rules are to know about a reply that an NPC gave in a
// state, in a playthrough in lang; without what it said before.
func Judged(script *plot.Script, persona *personas.Persona, st plot.State, lang, text string) lint.Input {
	in := lint.Input{Persona: persona, WorldTaboo: script.Taboo, Locked: script.Locked(persona, st),
		Language: persona.Language(lang), Text: text, Player: script.Player.Name.All(), Allow: slices.Clone(script.Allow),
		Off: script.Lint.Off(), Year: yearOf(script)}
	there := ids(script.Cast(st))
	for _, other := range script.Personas {
		if other == persona {
			continue
		}
		in.Others = append(in.Others, other.Name.All()...)
		if !slices.Contains(there, other.ID) {
			in.Absent = append(in.Absent, other.Name.All()...)
		}
	}
	if n := script.Node(st.Node); n != nil {
		in.Allow = append(in.Allow, n.Allow...)
		for _, tag := range n.Scene {
			var values []string
			for _, words := range tag.Value.All() {
				values = append(values, script.Expand(words, st, lang))
			}
			in.Scene = append(in.Scene, lint.Tag{Key: tag.Key, Values: values})
		}
	}
	return in
}

// yearOf is the year that a world gives, or that its era names; nil if neither.
func yearOf(script *plot.Script) *int {
	if script.Lint.Year != nil {
		return script.Lint.Year
	}
	if year, ok := lint.YearOf(script.Era); ok {
		return &year
	}
	return nil
}

// SaidBefore lists the last replies of an NPC on a path, the latest last.
func SaidBefore(path []Step, npc string) []string {
	var said []string
	for i := len(path) - 1; i >= 0 && len(said) < remembered; i-- {
		if a := path[i].Alternative; a.Speaker == npc && a.Text != "" {
			said = append(said, a.Text)
		}
	}
	slices.Reverse(said)
	return said
}

// Findings are what the rules about one reply find: those of the persona, by
// rules, and those of its stage directions. They come in order of place.
func Findings(script *plot.Script, in lint.Input, rules func(lint.Input) []lint.Finding) []lint.Finding {
	out := rules(in)
	for _, f := range cues.Findings(in.Text, script.Cues) {
		if !in.Allows(f.Code) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(x, y lint.Finding) int { return x.Span[0] - y.Span[0] })
	return out
}
