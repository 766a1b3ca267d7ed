package story

import (
	"slices"
	"strings"

	"fabula/engine"
	"fabula/story/prompt"
)

// Mode says whether a model speaks freely.
type Mode string

// The modes of a reply.
const (
	Auto     Mode = ""         // a model under SmallModel is grounded, a larger one speaks
	Free     Mode = "free"     // every model speaks
	Grounded Mode = "grounded" // every model only chooses among authored lines
)

// SmallModel is the number of parameters below which a model is grounded
// unless asked otherwise: smaller ones do not stay in character.
const SmallModel = 1_000_000_000

// ground has a small model choose among the authored lines that may be said
// now. A rung whose engine cannot choose stays as it is, and so does one that
// nobody asked to be grounded where nothing is authored to say.
func (s *Session) ground(rung engine.Rung, p *plan, a *asking, mode Mode) engine.Rung {
	info := rung.Engine.Info()
	small := info.Toy || info.Parameters > 0 && info.Parameters < SmallModel
	if mode == Free || mode == Auto && !small || p.forced != nil {
		return rung
	}
	chooser, ok := s.chooser.On(rung.Engine)
	if !ok || mode == Auto && len(a.candidates(p, s.kept)) == 0 {
		return rung
	}
	rung.Engine, rung.Step = chooser, engine.StepGrounded
	return rung
}

// groundable reports whether a rung says authored lines only, if asked to.
func (s *Session) groundable(rung engine.Rung) bool {
	_, ok := s.chooser.On(rung.Engine)
	return ok || rung.Engine.Info().Kind == engine.Recall
}

// candidates gives the lines that the speaker may say now; they are the same
// for every rung.
func (a *asking) candidates(p *plan, kept func() []prompt.Kept) []engine.Candidate {
	if a.lines == nil {
		a.lines = prompt.Candidates(prompt.Input{Script: p.script, State: p.turn.Before, Speaker: a.persona, Language: a.lang,
			Opening: spoken(p.lines), Kept: kept()})
		if p.turn.Input.Next {
			a.lines = a.unsaid(a.lines)
		}
	}
	return a.lines
}

// unsaid leaves out the lines that the speaker said before, as long as that
// leaves any. Who speaks without having been asked has no reason to say the same
// again; who is asked the same again has.
func (a *asking) unsaid(lines []engine.Candidate) []engine.Candidate {
	said := map[string]bool{}
	for _, e := range a.history {
		for _, l := range e.Lines {
			if l.By == a.persona.ID {
				said[strings.TrimSpace(l.Text)] = true
			}
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(lines), func(c engine.Candidate) bool { return said[strings.TrimSpace(c.Text)] })
	if len(fresh) == 0 {
		return lines
	}
	return fresh
}
