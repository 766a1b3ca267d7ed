package story

import (
	"fmt"
	"slices"
	"strings"

	"fabula/personas/lint"
	"fabula/story/plot"
)

// place is where a turn is added: below an alternative, on a branch.
type place struct {
	branch Branch
	fork   bool // the branch is new and not stored yet
	parent ID
}

// plan is a turn that is worked out up to S1 and not stored.
type plan struct {
	place
	script   *plot.Script
	lang     string // of the playthrough
	sandbox  bool
	turn     Turn
	lines    []plot.Played  // before the reply, in play order
	question bool           // a confirm was asked: it stands in for the reply
	findings []lint.Finding // of the carrying over to an edited world
	queue    []string       // who speaks after the first, with `turns: all`
	// alternative is the id that the reply will have; retry says that the turn
	// is stored already.
	alternative ID
	blocked     bool // a rule ended the reply, and another is wanted
	again       bool // it stands in for one that a rule ended
	tries       int  // how many it stands in for
	judge       plot.Judge
	decided     []Decision // of the reply
	retry       bool
	home        Branch // of a retry: where it was asked, should it come to nothing
	// shelf is shared by replies that were asked for at once; nil for one alone.
	shelf  *shelf
	nth    int    // of several replies to the same line, from 1; 0 = the seed decides
	number int    // of this reply on the shelf
	forced *begun // tokens that the reply begins with; nil = none
}

// plan works out steps 1 to 3 of a turn and stores nothing.
func (s *Session) plan(at place, in Input) (plan, error) {
	parent, err := s.reader.Alternative(at.parent)
	if err != nil {
		return plan{}, err
	}
	turn, err := s.reader.Turn(parent.Turn)
	if err != nil {
		return plan{}, err
	}
	through, err := s.reader.Playthrough(turn.Playthrough)
	if err != nil {
		return plan{}, err
	}
	p := plan{place: at, script: s.refresh(), lang: through.Language}
	p.sandbox = outside(in, through, at.branch)
	p.turn = Turn{ID: s.id(), Playthrough: through.ID, Parent: at.parent, Branch: at.branch.ID,
		Depth: turn.Depth + 1, Input: in, Status: Pending, Made: s.now()}
	p.alternative, p.judge = s.id(), s.Judge(p.lang)
	s0, err := p.adopt(parent.State)
	if err != nil {
		return plan{}, err
	}
	return p, p.play(s0)
}

// outside reports whether a turn is taken outside the plot: the input, the
// playthrough or the branch says so.
func outside(in Input, through Playthrough, b Branch) bool {
	return in.Sandbox || through.Sandbox || slices.Contains(b.Tags, SandboxTag)
}

// adopt carries a stored state over to the script as it now is.
func (p *plan) adopt(st plot.State) (plot.State, error) {
	now, faults := p.script.Adopt(st)
	if now.Node != "" && p.script.Node(now.Node) == nil {
		return now, &VanishedError{Node: now.Node, Start: p.script.Start}
	}
	for _, f := range faults {
		p.findings = append(p.findings, lint.Finding{Code: f.Code, Level: lint.Warning, Args: f.Args})
	}
	return now, nil
}

// play takes the player's side from S0 to S1 and names who is to speak.
func (p *plan) play(s0 plot.State) error {
	in := &p.turn.Input
	if strings.TrimSpace(in.Text) == "" && in.Choose == "" && !in.Next {
		return fmt.Errorf("say: no text and no choice: %w", ErrNothing)
	}
	to, err := p.addressee(s0)
	if err != nil {
		return err
	}
	if to != "" {
		in.To = to
	}
	if err := p.marks(s0); err != nil {
		return err
	}
	s1 := s0.Clone()
	moved := false
	if p.sandbox {
		if in.Choose != "" {
			return fmt.Errorf("choose %s: no exits in the sandbox: %w", in.Choose, ErrClosed)
		}
	} else {
		if in.Text != "" {
			p.script.CountTurn(&s1)
		}
		p.beats(&s1)
		if err := p.exit(&s1); err != nil {
			return err
		}
		moved = p.turn.Taken != nil && s1.Node != s0.Node
	}
	p.cast(s0, s1, to, moved)
	p.turn.Before, p.turn.Lines = s1, p.lines
	return nil
}

func (p *plan) beats(st *plot.State) {
	st.InTurn = nil
	h := hearing("player", p.turn.Input.Text, p.lang, p.turn.Decided)
	h.Judge, h.Accept = p.judge, append(h.Accept, p.turn.Input.Mark...)
	p.turn.Fired, p.turn.Doubts = p.script.Hear(st, h)
	for _, f := range p.turn.Fired {
		p.lines = append(p.lines, f.Lines...)
	}
}

// exit takes the chosen exit, or answers a question, or takes or asks about a
// spoken one.
func (p *plan) exit(st *plot.State) error {
	in := p.turn.Input
	asked := st.Confirm
	st.Confirm = ""
	switch {
	case in.Choose != "":
		return p.choose(st, asked)
	case in.Text == "":
		st.Confirm = asked // letting an NPC speak answers no question
		return nil
	case asked != "":
		return p.answer(st, asked)
	}
	if e, ev, ok := p.script.Spoken(*st, in.Text); ok {
		p.spoken(st, e, ev)
	}
	return nil
}

func (p *plan) choose(st *plot.State, asked string) error {
	id := p.turn.Input.Choose
	id = strings.TrimPrefix(id, st.Node+".")
	if e := p.script.Exit(st.Node + "." + id); e != nil {
		id = e.ID // by an old id
	}
	offers := p.script.Offers(*st, p.lang)
	i := slices.IndexFunc(offers, func(o plot.Offer) bool { return o.ID == id })
	if i < 0 {
		return &ExitError{Exit: id, Offers: offers}
	}
	if !offers[i].Open {
		return &ExitError{Exit: id, Closed: true, Why: offers[i].Why, Offers: offers}
	}
	if asked != "" && asked != id {
		p.turn.Declined = asked
	}
	p.turn.Input.Choose = id
	p.take(st, offers[i].Exit, "choice", plot.Evidence{})
	return nil
}

// answer takes the exit that was asked about on a yes. Anything else declines
// it, and may still say another exit.
func (p *plan) answer(st *plot.State, asked string) error {
	text := p.turn.Input.Text
	e := p.script.Exit(st.Node + "." + asked)
	if e != nil && p.script.Yes(text) {
		if open, _ := p.script.Open(e, *st); open {
			p.take(st, e, "said", plot.Evidence{End: len(text), Quote: text, Rule: "confirm"})
			return nil
		}
	}
	p.turn.Declined = asked
	if other, ev, ok := p.script.Spoken(*st, text); ok && other.ID != asked {
		p.spoken(st, other, ev)
	}
	return nil
}

func (p *plan) spoken(st *plot.State, e *plot.Exit, ev plot.Evidence) {
	question, ask := p.script.Question(*st, e, p.lang)
	if !ask {
		p.take(st, e, "said", ev)
		return
	}
	st.Confirm = e.ID
	if question.By != "" {
		st.Speaker = question.By
	}
	p.lines = append(p.lines, question)
	p.question = true
}

func (p *plan) take(st *plot.State, e *plot.Exit, by string, ev plot.Evidence) {
	taken := p.script.Take(st, e, by, p.lang)
	taken.Evidence = ev
	p.turn.Taken = &taken
	p.lines = append(p.lines, taken.Lines...)
}
