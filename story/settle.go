package story

import (
	"fmt"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/plot"
)

// settled is a reply with what it did to the plot, and the events that tell
// of it.
type settled struct {
	alternative Alternative
	events      []Event
}

// settle takes step 5 of a turn on the kept text: NPC beats, anchors, cues,
// findings, told secrets, then the first open auto exit. A panic in a rule
// keeps the text and leaves the state as it was before the reply.
func (s *Session) settle(p *plan, a Alternative) (out settled) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("rules of the plot panicked", "turn", p.turn.ID, "panic", r)
			a.State, a.Findings = p.turn.Before.Clone(), append(p.findings, panicked(r))
			out = settled{alternative: a}
		}
	}()
	a.State = p.turn.Before.Clone()
	a.State.Speaker = a.Speaker
	a.Decided = p.decided
	a.Findings = append(a.Findings, p.findings...)
	out.alternative = a
	if persona := p.script.Persona(a.Speaker); persona != nil && a.Text != "" {
		out.reply(p, persona, s.judged(p, persona, a.Text), s.asked(p.turn))
	}
	return out
}

func panicked(r any) lint.Finding {
	return lint.Finding{Code: "rules_panicked", Level: lint.Error, Args: []string{fmt.Sprint(r)}}
}

func (out *settled) reply(p *plan, persona *personas.Persona, in lint.Input, asked string) {
	a := &out.alternative
	if !p.sandbox {
		out.beats(p)
		var due []plot.Played
		a.Delivered, due = p.script.Deliver(&a.State, persona.ID, asked, a.Text, p.lang)
		for _, d := range a.Delivered {
			out.events = append(out.events, Event{Kind: AnchorEvent, Anchor: &d})
		}
		out.play(due)
	}
	for _, c := range cues.Parse(a.Text, p.script.Cues) { // told of while they streamed
		a.Cues = append(a.Cues, c.ID)
	}
	for _, f := range Findings(p.script, in, lint.Reply) {
		a.Findings = append(a.Findings, f)
		out.events = append(out.events, Event{Kind: FindingEvent, Finding: &f})
	}
	if p.sandbox {
		return
	}
	p.script.ToldSecrets(&a.State, persona.ID, a.Text)
	if e := p.script.Auto(a.State); e != nil {
		taken := p.script.Take(&a.State, e, "auto", p.lang)
		a.Taken = &taken
		out.play(taken.Lines)
	}
}

func (out *settled) beats(p *plan) {
	a := &out.alternative
	h := hearing(a.Speaker, a.Text, p.lang, a.Decided)
	h.Judge = p.judge
	a.Fired, a.Doubts = p.script.Hear(&a.State, h)
	for _, d := range a.Doubts {
		out.events = append(out.events, Event{Kind: UnsureEvent, Doubt: &d})
	}
	for _, f := range a.Fired {
		out.events = append(out.events, Event{Kind: BeatEvent, Beat: &f})
		out.play(f.Lines)
	}
}

func (out *settled) play(lines []plot.Played) {
	out.alternative.After = append(out.alternative.After, lines...)
	out.events = append(out.events, lineEvents(lines)...)
}

func lineEvents(lines []plot.Played) []Event {
	all := make([]Event, len(lines))
	for i := range lines {
		all[i] = Event{Kind: LineEvent, Line: &lines[i]}
	}
	return all
}
