package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fabula/story/plot"
)

// ErrMisfit: a decision about a beat would lead to another speaker or place, so
// that the reply which is there would not fit.
var ErrMisfit = errors.New("the reply would not fit what then happened")

// hearing is what beats are looked for in, with what a person decided.
func hearing(by, text, lang string, decided []Decision) plot.Hearing {
	h := plot.Hearing{By: by, Text: text, Lang: lang}
	for _, d := range decided {
		if d.Happened {
			h.Accept = append(h.Accept, d.Beat)
		} else {
			h.Reject = append(h.Reject, d.Beat)
		}
	}
	return h
}

// marks checks the beats that a person marks in an input and completes their
// names.
func (p *plan) marks(st plot.State) error {
	in := &p.turn.Input
	for i, name := range in.Mark {
		if p.sandbox {
			return fmt.Errorf("mark %s: no beats in the sandbox: %w", name, ErrClosed)
		}
		key, err := beatOf(p.script, st.Node, name)
		if err != nil {
			return err
		}
		in.Mark[i] = key
	}
	return nil
}

// beatOf gives "node.id" of a beat of the present node.
func beatOf(script *plot.Script, node, name string) (string, error) {
	n := script.Node(node)
	var there []string
	if n != nil {
		id := strings.TrimPrefix(name, n.ID+".")
		for _, b := range n.Beats {
			if b.ID == id || slices.Contains(b.Was, id) {
				return n.ID + "." + b.ID, nil
			}
			there = append(there, b.ID)
		}
	}
	return "", fmt.Errorf("no beat %q in %s; there: %s: %w", name, node, strings.Join(there, ", "), ErrNotFound)
}

// Decide takes a person's word on whether a beat happened in a turn: in what the
// player said, or else in the reply. The turn is taken again with it, the reply
// kept as it is, and stored beside the old one, which stays. On the branch's
// leaf the branch moves there, further up a new branch is made. Errors:
// ErrNotFound for a beat that is not in the turn's node, ErrNothing for one that
// is as it was decided already, ErrMisfit, ErrBusy.
func (s *Session) Decide(branch, alternative ID, beat string, happened bool) (Branch, Step, error) {
	return s.amend("decide", branch, alternative, func(b Branch, turn Turn, old Alternative) (Branch, Step, error) {
		return s.decide(b, turn, old, beat, happened)
	})
}

func (s *Session) decide(b Branch, turn Turn, old Alternative, beat string, happened bool) (Branch, Step, error) {
	p, err := s.planAgain(b, turn, old)
	if err != nil {
		return b, Step{}, err
	}
	node := turn.Before.Node
	if parent, err := s.reader.Alternative(turn.Parent); err == nil && turn.Taken != nil {
		node = parent.State.Node // the player spoke before the exit was taken
	}
	d := Decision{Happened: happened}
	if d.Beat, err = beatOf(p.script, node, beat); err != nil {
		if d.Beat, err = beatOf(p.script, turn.Before.Node, beat); err != nil {
			return b, Step{}, err
		}
	}
	if fired := firedIn(turn, old, d.Beat); fired == happened {
		return b, Step{}, fmt.Errorf("decide %s: it is so already: %w", d.Beat, ErrNothing)
	}
	players := players(p.script.Beat(d.Beat), turn, old, d.Beat)
	if players {
		err = s.retake(&p, turn, old, d)
	} else {
		p.decided = decided(old.Decided, d)
	}
	if err != nil {
		return b, Step{}, err
	}
	return s.storeDecided(&p, old)
}

// planAgain is the plan of a stored turn, on the branch that the result goes to.
func (s *Session) planAgain(b Branch, turn Turn, old Alternative) (plan, error) {
	through, err := s.reader.Playthrough(turn.Playthrough)
	if err != nil {
		return plan{}, err
	}
	leaf, err := s.reader.Alternative(b.Leaf)
	if err != nil {
		return plan{}, err
	}
	p := plan{place: place{branch: b, parent: turn.Parent}, script: s.refresh(), lang: through.Language, turn: turn,
		lines: old.Lines, decided: old.Decided, judge: recorded(turn, old)}
	p.sandbox = outside(turn.Input, through, b)
	if p.sandbox || turn.Parent == "" {
		return p, fmt.Errorf("decide: turn %s is outside the plot: %w", turn.ID, ErrNothing)
	}
	if p.turn.Before, err = p.adopt(turn.Before); err != nil {
		return p, err
	}
	if leaf.Turn != turn.ID {
		p.branch, err = s.fork(b, old.ID, "")
		p.fork = true
	}
	return p, err
}

// recorded gives what a judging model said of this turn, so that it is not asked
// again.
func recorded(turn Turn, old Alternative) plot.Judge {
	return func(_ *plot.Beat, key, _ string) (plot.Verdict, plot.Evidence) {
		for _, f := range slices.Concat(turn.Fired, old.Fired) {
			if f.Beat == key && f.Evidence.Rung == plot.Judged {
				return plot.Happened, f.Evidence
			}
		}
		return plot.Unsure, plot.Evidence{}
	}
}

func firedIn(turn Turn, a Alternative, beat string) bool {
	return slices.ContainsFunc(slices.Concat(turn.Fired, a.Fired), func(f plot.Fired) bool { return f.Beat == beat })
}

// players reports whether a beat is one of what the player said in this turn.
func players(b *plot.Beat, turn Turn, a Alternative, key string) bool {
	by := func(list []plot.Fired, doubts []plot.Doubt) bool {
		return slices.ContainsFunc(list, func(f plot.Fired) bool { return f.Beat == key }) ||
			slices.ContainsFunc(doubts, func(d plot.Doubt) bool { return d.Beat == key })
	}
	switch {
	case by(turn.Fired, turn.Doubts):
		return true
	case by(a.Fired, a.Doubts), turn.Input.Text == "":
		return false
	}
	return b.Speaker == "" || b.Speaker == "player" || b.Speaker == "any" || a.Text == ""
}

// decided is a list with one decision more, the newest of a beat counting.
func decided(list []Decision, d Decision) []Decision {
	list = slices.DeleteFunc(slices.Clone(list), func(o Decision) bool { return o.Beat == d.Beat })
	return append(list, d)
}

// retake takes the player's side of a turn again, as a turn beside the old one.
func (s *Session) retake(p *plan, old Turn, a Alternative, d Decision) error {
	parent, err := s.reader.Alternative(old.Parent)
	if err != nil {
		return err
	}
	s0, err := p.adopt(parent.State)
	if err != nil {
		return err
	}
	p.turn = Turn{ID: s.id(), Playthrough: old.Playthrough, Parent: old.Parent, Branch: p.branch.ID, Depth: old.Depth,
		Input: old.Input, Decided: decided(old.Decided, d), Status: Pending, Made: s.now()}
	p.turn.Input.Mark = slices.DeleteFunc(slices.Clone(old.Input.Mark), func(m string) bool { return m == d.Beat })
	p.lines = nil
	if err := p.play(s0); err != nil {
		return err
	}
	if p.turn.Speaker != a.Speaker || p.question && a.Text != "" {
		return fmt.Errorf("decide %s: %w: retry the turn, or say something else", d.Beat, ErrMisfit)
	}
	var created *Branch
	if p.fork {
		created = &p.branch
	}
	return s.store.Begin(nil, created, p.turn)
}

// storeDecided stores the old reply below the turn as it now is.
func (s *Session) storeDecided(p *plan, old Alternative) (Branch, Step, error) {
	a := Alternative{ID: s.id(), Turn: p.turn.ID, Speaker: old.Speaker, Text: old.Text, Lines: p.lines, Human: old.Human,
		Reply: old.Reply, Status: Finished, Made: s.now()}
	var out settled
	if a.Speaker == "" {
		a.State = p.turn.Before.Clone()
		out = settled{alternative: a}
	} else {
		out = s.settle(p, a)
	}
	r := newRunning(func() {}, p.branch, p.turn)
	step, err := s.store6(r, p, out, Finished, nil)
	return p.branch, step, err
}
