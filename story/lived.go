package story

import (
	"strings"

	"fabula/personas"
	"fabula/story/memory"
	"fabula/story/plot"
)

// longestQuote bounds one utterance of a recollection, in characters.
const longestQuote = 240

// facts gives what can come back to an NPC of the turns that it lived through,
// in order of time: the talk of each as it heard it, and the ways that it saw
// the player choose. What else happened is in the talk, or in State and there
// for good (plot.Memories).
func (s *Session) facts(script *plot.Script, a *asking) []memory.Fact {
	pins := s.pins()
	out := make([]memory.Fact, 0, len(a.moments))
	for _, m := range a.moments {
		for _, f := range []memory.Fact{saidIn(script, a.lang, m), choiceIn(script, a.lang, m)} {
			if f.Text != "" {
				f.Pinned = pins[f.ID]
				out = append(out, f)
			}
		}
	}
	return out
}

// pins gives the facts that a person pinned; none where they cannot be read.
func (s *Session) pins() map[string]bool {
	if s.reader == nil {
		return nil
	}
	pins, err := s.reader.Pins()
	if err != nil {
		s.log.Warn("pins not read", "error", err)
	}
	return pins
}

// factOf begins a fact of a turn.
func factOf(script *plot.Script, m moment, kind memory.Kind, what string) memory.Fact {
	t, a := &m.step.Turn, &m.step.Alternative
	f := memory.Fact{ID: string(a.ID) + "." + string(kind) + what, Kind: kind, Turn: string(t.ID), Depth: t.Depth, Confidence: 1,
		Marked: a.Mark, Event: len(t.Fired)+len(a.Fired) > 0}
	if script.Clock != nil {
		f.Day = a.State.Vars[script.Clock.Var].Int
	}
	return f
}

// saidIn is the talk of a turn, without a text where nothing was heard.
func saidIn(script *plot.Script, lang string, m moment) memory.Fact {
	f := factOf(script, m, memory.Said, "")
	f.Text = quoted(script, lang, m)
	return f
}

// choiceIn is the way that the player took in a turn, without a text where there
// was none, it has no words, or the NPC was not there: who stands where it leads
// sees the player come, not what was chosen.
func choiceIn(script *plot.Script, lang string, m moment) memory.Fact {
	taken := m.step.Turn.Taken
	if taken == nil || !m.before {
		return memory.Fact{}
	}
	f := factOf(script, m, memory.Exit, "."+taken.Exit)
	f.Who, f.Event = "player", true
	if words := exitWords(script, lang, taken.Exit, m.step.Alternative.State); words != "" {
		f.Text = nameIn(script, "player", lang) + colon(lang) + bracketed(lang, words)
	}
	return f
}

// exitWords gives the label of an exit, "node.id".
func exitWords(script *plot.Script, lang, exit string, st plot.State) string {
	e := script.Exit(exit)
	if e == nil || e.Choice.Empty() {
		return ""
	}
	return script.Expand(e.Choice.In(lang, script.Languages...), st, lang)
}

// quoted gives the talk of a turn as it is told later: who said what.
func quoted(script *plot.Script, lang string, m moment) string {
	gap := " "
	if wideScript(lang) {
		gap = ""
	}
	var parts []string
	for _, l := range m.lines {
		said := l.Text
		if r := []rune(said); len(r) > longestQuote {
			said = string(r[:longestQuote]) + "…"
		}
		if l.By != "" {
			said = nameIn(script, l.By, lang) + colon(lang) + said
		}
		parts = append(parts, strings.TrimSpace(said))
	}
	return strings.Join(parts, gap)
}

func wideScript(lang string) bool { return strings.HasPrefix(lang, "zh") }

func colon(lang string) string {
	if wideScript(lang) {
		return "："
	}
	return ": "
}

func bracketed(lang, words string) string {
	if wideScript(lang) {
		return "（" + words + "）"
	}
	return "(" + words + ")"
}

// lived gives the turns of a path as an NPC lived through them, for a summary.
func lived(script *plot.Script, a *asking) []memory.Heard {
	out := make([]memory.Heard, 0, len(a.moments))
	for _, m := range a.moments {
		h := memory.Heard{Turn: string(m.step.Turn.ID), Alternative: string(m.step.Alternative.ID), Depth: m.step.Turn.Depth,
			Happened: happened(script, a.lang, m), Event: len(m.step.Turn.Fired)+len(m.step.Alternative.Fired) > 0}
		for _, l := range m.lines {
			u := memory.Utterance{Text: l.Text}
			if l.By != "" {
				u.Name = nameIn(script, l.By, a.lang)
			}
			h.Said = append(h.Said, u)
		}
		if len(h.Said)+len(h.Happened) > 0 {
			out = append(out, h)
		}
	}
	return out
}

// happened puts into words what an NPC saw happen in a turn: the way that was
// taken, and of beats and anchors the sentence on which they were noticed.
func happened(script *plot.Script, lang string, m moment) []string {
	var out []string
	add := func(words string) {
		for _, had := range out {
			if had == words {
				return
			}
		}
		if words != "" {
			out = append(out, words)
		}
	}
	t, a := &m.step.Turn, &m.step.Alternative
	if m.before || m.during {
		for _, f := range t.Fired {
			add(noticed(script, lang, f.By, t.Input.Text, f.Evidence))
		}
		add(choiceIn(script, lang, m).Text)
	}
	if m.during {
		for _, f := range a.Fired {
			add(noticed(script, lang, f.By, a.Text, f.Evidence))
		}
		for _, d := range a.Delivered {
			add(anchorWords(script, lang, d, a))
		}
	}
	return out
}

// anchorWords is the sentence that delivered an anchor, or its authored line.
func anchorWords(script *plot.Script, lang string, d plot.Delivered, a *Alternative) string {
	if words := noticed(script, lang, d.By, a.Text, d.Evidence); words != "" || !d.Authored {
		return words
	}
	n := anchorOf(script, d.Anchor)
	if n == nil {
		return ""
	}
	return nameIn(script, d.By, lang) + colon(lang) + script.Expand(n.Line.In(lang, script.Languages...), a.State, lang)
}

// noticed is the sentence of a text that holds the evidence, and who said it.
func noticed(script *plot.Script, lang, by, text string, e plot.Evidence) string {
	for _, sentence := range memory.Sentences(text) {
		if e.Quote != "" && (strings.Contains(sentence, e.Quote) || strings.Contains(e.Quote, sentence)) {
			return nameIn(script, by, lang) + colon(lang) + sentence
		}
	}
	return ""
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
