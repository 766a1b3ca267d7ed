package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text/lang"
)

// teller prints the events of a turn: as JSON lines, or as speech on out with
// everything about it on notes.
type teller struct {
	out, notes io.Writer
	script     *plot.Script
	words      *lang.Strings
	json       bool
	speak      string // language of names
	speaker    string // put before a streamed line: "Name: "
	open       bool   // a streamed line has no newline yet
}

func newTeller(out, notes io.Writer, script *plot.Script, language string, asJSON bool) *teller {
	return &teller{out: out, notes: notes, script: script, words: lang.For(language), json: asJSON}
}

// event prints one event.
func (t *teller) event(e story.Event) error {
	if t.json {
		return writeJSON(t.out, e)
	}
	switch e.Kind {
	case story.TokenEvent:
		return t.token(e.Token.Text)
	case story.LineEvent:
		t.lines([]plot.Played{*e.Line})
	case story.BeatEvent:
		t.aside(t.notes, "[beat %s: %q%s]", e.Beat.Beat, printable(e.Beat.Evidence.Quote), changesOf(e.Beat.Changes))
	case story.AnchorEvent:
		t.say(t.notes, "[%s]", delivered(*e.Anchor, t.words.Code))
	case story.UnsureEvent:
		t.aside(t.notes, "[beat %s unsure: %q]", e.Doubt.Beat, printable(e.Doubt.Evidence.Quote))
	case story.CueEvent:
		t.aside(t.notes, "[cue %s]", e.Cue.ID)
	case story.DegradedEvent:
		d := e.Degraded
		t.say(t.notes, "["+t.words.Engine.Degraded+"]", printable(d.Engine), printable(t.words.Why(d.Why, d.Args...)))
	case story.FindingEvent:
		t.finding(*e.Finding)
	}
	return nil
}

// token prints what became visible, after the speaker's name.
func (t *teller) token(text string) error {
	if text == "" {
		return nil
	}
	if !t.open {
		text = t.speaker + text
		t.open = true
	}
	_, err := fmt.Fprint(t.out, printable(text))
	return err
}

// lines prints authored lines with their speakers.
func (t *teller) lines(played []plot.Played) {
	for _, l := range played {
		if l.By == "" {
			t.say(t.out, "%s", printable(l.Text))
			continue
		}
		t.say(t.out, "%s: %s", printable(t.name(l.By)), printable(l.Text))
	}
}

func (t *teller) finding(f lint.Finding) {
	t.aside(t.notes, "[finding, %s: %s]", said(t.words.Code, string(f.Level)), printable(t.words.Finding(f.Code, f.Args)))
}

// note ends a turn: where it is stored, who answered, how fast.
func (t *teller) note(b story.Branch, s story.Step) {
	if t.json {
		return
	}
	t.aside(t.notes, "[branch %s (%s), turn %d, at %s]", b.ID, printable(b.Name), s.Turn.Depth, s.Alternative.State.Node)
	r := s.Alternative.Reply
	if r == nil {
		return
	}
	if r.Engine.Kind == engine.Recall { // nothing was decoded, so there is no speed
		t.aside(t.notes, "[recalled line%s, seed %d]", t.because(r), r.Seed)
		return
	}
	if r.Odds != nil { // one decision, nothing was decoded
		t.odds(r)
		return
	}
	t.aside(t.notes, "[%s %s, seed %d, %s%s]", r.Engine.Name, said(t.words.Code, r.Step), r.Seed, said(t.words.Code, string(r.Reason)), t.because(r))
	if r.Engine.Note != "" {
		t.say(t.notes, "[%s]", printable(r.Engine.Note))
	}
	m := r.Timing()
	speed := ""
	if m.Rate > 0 {
		speed = said(t.words.Code, ", %.1f tok/s", m.Rate)
	}
	t.aside(t.notes, "[first token %d ms, %d tokens%s, prompt %d tokens (%d reused)]", m.TTFT.Milliseconds(), m.Tokens, speed,
		r.Prefill.Computed+r.Prefill.Reused, r.Prefill.Reused)
}

// odds prints what a model chose a line from, the likeliest first.
func (t *teller) odds(r *story.Reply) {
	if len(r.Odds.Lines) == 1 { // the model had nothing to choose
		t.aside(t.notes, "[%s: %s, seed %d%s]", t.words.Figure.OnlyLine, r.Odds.Lines[0].ID, r.Seed, t.because(r))
		return
	}
	t.aside(t.notes, "[%s %s, seed %d, %s%s]", r.Engine.Name, said(t.words.Code, r.Step), r.Seed, said(t.words.Code, string(r.Reason)), t.because(r))
	for i, o := range r.Odds.Lines {
		mark := " "
		if i == r.Odds.Said {
			mark = ">"
		}
		t.say(t.notes, "[%s%3.0f%% %s: %s]", mark, 100*o.P, o.ID, printable(o.Text))
	}
	t.aside(t.notes, "[chosen in %d ms, %d tokens read (%d reused)]", r.TTFT.Milliseconds(), r.Prefill.Computed+r.Prefill.Reused, r.Prefill.Reused)
}

func (t *teller) because(r *story.Reply) string {
	var parts []string
	if words := t.words.Why(r.Fault, r.FaultArgs...); r.Fault != "" && words != r.Fault {
		parts = append(parts, printable(words))
	}
	if r.Detail != "" && (r.Fault == "" || t.words.Code == "en") { // errors are worded in English
		parts = append(parts, strings.Trim(strconv.Quote(r.Detail), `"`)) // a stop string can be a line feed
	}
	if r.Why != "" {
		parts = append(parts, printable(t.words.Why(r.Why, r.WhyArgs...)))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}

// say prints one line, closing a streamed one first.
func (t *teller) say(w io.Writer, format string, args ...any) {
	if t.open {
		fmt.Fprintln(t.out)
		t.open = false
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// aside words one line about a turn in the person's language.
func (t *teller) aside(w io.Writer, format string, args ...any) {
	t.say(w, "%s", said(t.words.Code, format, args...))
}

func (t *teller) name(id string) string {
	if p := t.script.Persona(id); p != nil {
		return p.Name.In(t.speak, t.script.Languages...)
	}
	return id
}

func changesOf(list []plot.Change) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, ", %s %s → %s", c.Var, c.Before, c.After)
	}
	return b.String()
}
