package story

import (
	"context"
	"errors"
	"fmt"

	"fabula/engine"
	"fabula/story/prompt"
)

// Preview gives the prompt that Say would send, and stores nothing. It refuses
// what Say refuses; a turn that nobody would answer is ErrNothing.
func (s *Session) Preview(ctx context.Context, branch ID, in Input) (prompt.Prompt, error) {
	return s.Look(ctx, Spot{Branch: branch}, in, Look{})
}

// Spot is where a turn would be taken: below a branch's leaf or another of its
// alternatives, after a Jump from its leaf (Start is set too), or in a playthrough
// that is not begun (Branch is empty).
type Spot struct {
	Branch ID
	At     ID // alternative; empty = the leaf
	Start  *Start
}

// Look is what a person wants to see of a prompt beside its text.
type Look struct {
	Trace   bool          // why each entry of lore is there, or is not
	Without []prompt.Part // what is left out to see what it does
}

// Look is Preview at any spot, that also tells what the person wants to see.
func (s *Session) Look(ctx context.Context, at Spot, in Input, look Look) (prompt.Prompt, error) {
	var p plan
	var path []Step
	var err error
	switch in = previewed(in); {
	case at.Start == nil:
		p, path, err = s.nextTurn(at.Branch, at.At, in)
	case at.Branch == "":
		p, path, err = s.firstTurn(*at.Start, in)
	default:
		p, path, err = s.jumpedTurn(at.Branch, *at.Start, in)
	}
	if err != nil {
		return prompt.Prompt{}, err
	}
	return s.preview(ctx, &p, path, look)
}

// longText is the length in bytes from which on Fits measures a text.
const longText = 1000

// Fits refuses, with engine.ErrTooLong, a text that no prompt of the turn has room
// for. What else is wrong Say tells.
func (s *Session) Fits(ctx context.Context, at Spot, in Input) error {
	if len(in.Text) < longText {
		return nil
	}
	if _, err := s.Look(ctx, at, in, Look{}); errors.Is(err, engine.ErrTooLong) {
		return err
	}
	return nil
}

// nextTurn plans the player's side of a turn below an alternative of a branch,
// its leaf where none is given, and gives the path to there.
func (s *Session) nextTurn(branch, at ID, in Input) (plan, []Step, error) {
	if s.reader == nil {
		return plan{}, nil, fmt.Errorf("preview branch %s: %w", branch, ErrNotFound)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return plan{}, nil, err
	}
	if at == "" {
		at = b.Leaf
	}
	p, err := s.plan(place{branch: b, parent: at}, in)
	if err != nil {
		return plan{}, nil, err
	}
	history, err := s.path(at)
	return p, history, err
}

// CheckStart refuses what Begin and then Say would refuse, and stores nothing.
func (s *Session) CheckStart(start Start, in Input) error {
	_, _, err := s.firstTurn(start, in)
	return err
}

// CheckJump refuses what Jump and then Say would refuse, and stores nothing.
func (s *Session) CheckJump(branch ID, start Start, in Input) error {
	_, _, err := s.jumpedTurn(branch, start, in)
	return err
}

// firstTurn plays the player's side of a turn below an opening that is not
// stored. The path ends in that opening.
func (s *Session) firstTurn(start Start, in Input) (plan, []Step, error) {
	opening, lines, err := s.opening(s.refresh(), start)
	if err != nil {
		return plan{}, nil, err
	}
	p := plan{script: opening.script, lang: opening.lang, sandbox: start.Sandbox || in.Sandbox,
		turn: Turn{Playthrough: opening.turn.Playthrough, Depth: 1, Input: in}}
	first := Step{Turn: opening.turn, Alternative: Alternative{Lines: lines, State: opening.turn.Before}}
	return p, []Step{first}, p.play(opening.turn.Before)
}

// jumpedTurn plays the player's side of a turn below a jump that is not stored.
func (s *Session) jumpedTurn(branch ID, start Start, in Input) (plan, []Step, error) {
	if s.reader == nil {
		return plan{}, nil, fmt.Errorf("jump on branch %s: %w", branch, ErrNotFound)
	}
	jump, lines, err := s.jump(branch, start)
	if err != nil {
		return plan{}, nil, err
	}
	path, err := s.path(jump.parent)
	if err != nil {
		return plan{}, nil, err
	}
	p := plan{script: jump.script, lang: jump.lang, sandbox: in.Sandbox || jump.sandbox,
		turn: Turn{Playthrough: jump.turn.Playthrough, Depth: jump.turn.Depth + 1, Input: in}}
	last := Step{Turn: jump.turn, Alternative: Alternative{Lines: lines, State: jump.turn.Before}}
	return p, append(path[:len(path):len(path)], last), p.play(jump.turn.Before)
}

// previewed lets a prompt without a line be looked at.
func previewed(in Input) Input {
	if in.Text == "" && in.Choose == "" {
		in.Next = true
	}
	return in
}

func (s *Session) preview(ctx context.Context, p *plan, path []Step, look Look) (prompt.Prompt, error) {
	a, err := s.asking(p, path)
	if err != nil {
		return prompt.Prompt{}, err
	}
	a.trace, a.without = look.Trace, look.Without
	for rung := range s.rungs(&a, "") {
		a.rung = rung
		made, err := a.assemble(ctx, p)
		return made, err
	}
	return prompt.Prompt{}, fmt.Errorf("preview for %s: %w", a.persona.ID, ErrNoEngine)
}

// asking says what a planned turn would ask of an engine.
func (s *Session) asking(p *plan, path []Step) (asking, error) {
	persona := p.script.Persona(p.turn.Speaker)
	if persona == nil {
		return asking{}, fmt.Errorf("preview: nobody would reply: %w", ErrNothing)
	}
	a := asking{persona: persona, lang: persona.Language(p.lang), sampling: sampling(p.script, persona, Options{})}
	s.remind(p, &a, path, nil)
	return a, nil
}
