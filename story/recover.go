package story

import (
	"errors"
	"fmt"

	"fabula/engine"
)

// recover turns what a dead program left into interrupted alternatives: its
// text as far as it came, with the plot as that text has it. A turn without
// text is marked failed, a retry without text leaves nothing.
func (s *Session) recover() error {
	left, err := s.store.Pending()
	if err != nil {
		return fmt.Errorf("find unfinished turns: %w", err)
	}
	seen := map[ID]bool{}
	for _, u := range left {
		if seen[u.Turn.ID] { // several replies were in flight; the first is stored by now
			if u.Turn, err = s.reader.Turn(u.Turn.ID); err != nil {
				return fmt.Errorf("find unfinished turns: %w", err)
			}
		}
		seen[u.Turn.ID] = true
		if err := s.restore(u); err != nil { // what cannot be mended must not keep a world shut
			s.log.Error("unfinished turn not recovered", "turn", u.Turn.ID, "error", err)
		}
	}
	return nil
}

func (s *Session) restore(u Unfinished) error {
	head, tokens, text, ok := readLive(u.Live)
	retry := u.Turn.Status != Pending
	if ok {
		_, err := s.reader.Alternative(head.Alternative)
		stored := err == nil
		if retry && (text == "" || stored) {
			return s.store.DropLive(u.Turn.ID, u.Alternative)
		}
	} else if retry {
		return s.store.DropLive(u.Turn.ID, u.Alternative)
	}
	p, err := s.unfinished(u.Turn, head, retry)
	if err != nil {
		return err
	}
	a := Alternative{ID: s.id(), Turn: u.Turn.ID, Speaker: u.Turn.Speaker, Lines: p.lines, Status: Finished, Made: s.now()}
	if ok {
		a.ID = head.Alternative
		reply := head.Reply
		reply.finish(tokens, reply.Prefill, engine.Done{Reason: engine.Interrupted})
		a.Reply, a.Text = &reply, text
	}
	return s.storeRestored(p, a, retry)
}

// unfinished rebuilds the plan of a turn that was cut off.
func (s *Session) unfinished(t Turn, head liveHead, retry bool) (*plan, error) {
	through, err := s.reader.Playthrough(t.Playthrough)
	if err != nil {
		return nil, err
	}
	b, err := s.reader.Branch(string(t.Branch))
	if errors.Is(err, ErrNotFound) && head.Branch.ID != "" {
		b, err = head.Branch, nil
	}
	if err != nil {
		return nil, err
	}
	p := &plan{place: place{branch: b, parent: t.Parent}, script: s.Script(), lang: through.Language, turn: t, lines: t.Lines, retry: retry}
	p.sandbox = outside(t.Input, through, b)
	if retry { // the lines are in the replies that are stored
		first, err := s.reader.Alternative(t.Children[0])
		if err != nil {
			return nil, err
		}
		p.lines = first.Lines
	}
	if before, err := p.adopt(t.Before); err == nil {
		p.turn.Before = before
	}
	return p, nil
}

func (s *Session) storeRestored(p *plan, a Alternative, retry bool) error {
	status := Finished
	if a.Text != "" {
		a = s.settle(p, a).alternative
	} else {
		a.State, a.Lines = p.turn.Before.Clone(), p.lines
		if p.turn.Speaker != "" {
			a.Status, status = Failed, Failed
		}
	}
	b := p.branch
	if !retry && (b.Leaf == p.turn.Parent || b.Leaf == "") {
		b.Leaf, b.Touched = a.ID, s.touch()
	}
	return s.store.Finish(a, status, b, nil)
}
