package prompt

import (
	"fabula/engine"
)

// By of the player's utterances.
const player = "player"

// history writes the past turns, each as its segments.
func (a *author) history() [][]item {
	turns := make([][]item, len(a.in.History))
	for i, x := range a.in.History {
		for _, l := range x.Lines {
			if l.Text == "" {
				continue // an empty message is none for many templates
			}
			turns[i] = append(turns[i], item{Segment: a.spoken(x.Turn, l), verbatim: l.By == player})
		}
	}
	return turns
}

// spoken writes one utterance: the speaker's own as an assistant's, all others
// as the user's. What the player typed stays as typed.
func (a *author) spoken(turn string, l Spoken) Segment {
	s := Segment{Kind: History, Source: turn, Role: engine.User, Text: l.Text}
	switch {
	case l.By == player:
	case l.By == "":
		s.Text = f(a.say.narration, l.Text)
	case a.speaks(l.By):
		s.Role = engine.Assistant
	default:
		s.Text = f(a.say.named, a.called(l.By), l.Text)
	}
	return s
}

// speaks also knows earlier ids of the speaker.
func (a *author) speaks(id string) bool {
	return id == a.in.Speaker.ID || a.in.Script.Persona(id) == a.in.Speaker
}

func (a *author) called(id string) string {
	if p := a.in.Script.Persona(id); p != nil {
		return a.nameOf(p)
	}
	return id
}

// stub is the source of a user's message that nobody said.
const stub = "stub"

// stubs stand before a turn that the speaker opens, since templates want user
// and assistant to alternate: lead at the beginning of a chat, next within.
// Without next, what it says in two turns would grow together, and the second
// turn could not reuse what was read for the first.
func (a *author) stubs() (lead, next item) {
	return a.user(History, stub, a.say.lead, a.player()), a.user(History, stub, a.say.next, a.name())
}

// line writes what the speaker answers: the player's line exactly as typed,
// then what was said after it in this turn.
func (a *author) line() []item {
	var out []item
	if a.in.Line != "" {
		out = append(out, a.user(Line, "says", a.say.says, a.player()),
			item{Segment: Segment{Kind: Line, Source: player, Role: engine.User, Text: a.in.Line}, verbatim: true})
	}
	for _, o := range a.in.Opening {
		s := a.spoken("opening", o)
		if s.Role == engine.Assistant {
			s.Text = f(a.say.said, o.Text)
		}
		s.Kind, s.Role = Line, engine.User
		out = append(out, item{Segment: s})
	}
	if a.in.Line == "" || len(a.in.Opening) > 0 {
		out = append(out, a.user(Line, "next", a.say.next, a.name()))
	}
	return out
}
