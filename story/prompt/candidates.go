package prompt

import (
	"fmt"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/personas"
	"fabula/story/plot"
)

// What a line gains over a sample: an anchor that the speaker has yet to say
// is most wanted, a line of the present node next. A greeting amid a talk is the
// last thing to say.
const (
	priorAnchor   = 1
	priorNode     = 0.5
	priorGreeting = -0.25
)

// Candidates lists the lines that the speaker may say now, in the reply's
// language: samples, greeting, lines and anchors of the present node, covers,
// and recorded replies that a person approved. None holds a secret that is
// locked, anybody's, or was said in this turn. Ids stay the same while the
// author adds lines behind them.
func Candidates(in Input) []engine.Candidate {
	a, err := newAuthor(in)
	if err != nil {
		return nil
	}
	all := slices.Concat(a.anchorLines(), a.nodeLines(), a.sampleLines(), a.coverLines(), a.keptLines(), a.greeting())
	locked := a.everyLocked()
	return slices.DeleteFunc(all, func(c engine.Candidate) bool {
		return strings.TrimSpace(c.Text) == "" || len(locked.Told(c.Text)) > 0 || a.justSaid(c.Text)
	})
}

// justSaid reports whether the speaker said a line in this very turn, where
// the history does not show it yet.
func (a *author) justSaid(text string) bool {
	return slices.ContainsFunc(a.in.Opening, func(o Spoken) bool { return o.Text == text && a.speaks(o.By) })
}

// wording gives the text of exactly one language: recalled lines are said as
// they are, so a text of another language is none.
func wording(t personas.Text, lang string) (string, bool) {
	if s, ok := t.By[lang]; ok {
		return s, true
	}
	return t.Plain, len(t.By) == 0
}

// candidate makes a line out of a text, if the language has it.
func (a *author) candidate(id string, t personas.Text, prior float64) []engine.Candidate {
	s, ok := wording(t, a.lang)
	if !ok || s == "" {
		return nil
	}
	return []engine.Candidate{{ID: id, Text: a.in.Script.Expand(s, a.in.State, a.lang), Prior: prior}}
}

func (a *author) sampleLines() []engine.Candidate {
	var out []engine.Candidate
	for i, s := range a.in.Speaker.Samples {
		if !a.holds(s.When) {
			continue
		}
		for _, c := range a.candidate(sampleID(a.in.Speaker.ID, i), s.Reply, 0) {
			c.Cue = a.text(s.Player)
			c.Keys = a.others(s.Player, c.Cue)
			out = append(out, c)
		}
	}
	return out
}

// others gives the wordings beside the cue: a player may type in any language.
func (a *author) others(t personas.Text, cue string) []string {
	var keys []string
	for _, s := range t.All() {
		if s = a.in.Script.Expand(s, a.in.State, a.lang); s != cue {
			keys = append(keys, s)
		}
	}
	return keys
}

// nodeLines are the lines that have their place here: those at entering, and
// those of beats that have fired. Lines at an exit are said when it is taken.
func (a *author) nodeLines() []engine.Candidate {
	if a.node == nil {
		return nil
	}
	var out []engine.Candidate
	for _, l := range a.node.Lines {
		beat, ofBeat := strings.CutPrefix(l.At, "beat:")
		due := l.At == "enter" || ofBeat && a.in.State.Beats[a.node.ID+"."+beat] > 0
		if due && l.By == a.in.Speaker.ID && a.holds(l.When) {
			out = append(out, a.candidate(plot.LineID(a.node.ID, l), l.Text, priorNode)...)
		}
	}
	return out
}

func (a *author) anchorLines() []engine.Candidate {
	if a.node == nil {
		return nil
	}
	var out []engine.Candidate
	for _, n := range a.node.Anchors {
		if n.By != a.in.Speaker.ID || !a.holds(n.When) {
			continue
		}
		prior := float64(priorNode)
		if a.in.State.Anchors[a.node.ID+"."+n.ID] == 0 {
			prior = priorAnchor
		}
		for _, c := range a.candidate(fmt.Sprintf("%s.%s.%s", n.By, a.node.ID, n.ID), n.Line, prior) {
			c.Keys = keywords(n.Detect)
			out = append(out, c)
		}
	}
	return out
}

// keywords are the words of a detect, in every language.
func keywords(d plot.Detect) []string {
	var keys []string
	for _, group := range slices.Concat(d.All, d.Any) {
		for _, t := range group {
			keys = append(keys, t.All()...)
		}
	}
	return keys
}

// coverLines answer whoever speaks of what they speak of; they are no remarks,
// so they carry themselves as cue. The secret's own words must not stand here.
func (a *author) coverLines() []engine.Candidate {
	var out []engine.Candidate
	for i := range a.in.Speaker.Secrets {
		s := &a.in.Speaker.Secrets[i]
		if a.in.Script.Unlocked(a.in.Speaker, s, a.in.State) {
			continue
		}
		for _, c := range a.candidate(a.in.Speaker.ID+"."+s.ID+".cover", s.Cover, 0) {
			c.Cue = c.Text
			out = append(out, c)
		}
	}
	return out
}

func (a *author) greeting() []engine.Candidate {
	return a.candidate(a.in.Speaker.ID+".greeting", a.in.Speaker.Greeting, priorGreeting)
}
