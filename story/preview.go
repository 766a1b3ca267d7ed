package story

import (
	"context"
	"fmt"

	"fabula/story/prompt"
)

// Preview gives the prompt that Say would send, and stores nothing. It refuses
// what Say refuses; a turn that nobody would answer is ErrNothing.
func (s *Session) Preview(ctx context.Context, branch ID, in Input) (prompt.Prompt, error) {
	p, history, err := s.nextTurn(branch, previewed(in))
	if err != nil {
		return prompt.Prompt{}, err
	}
	return s.preview(ctx, &p, history)
}

// nextTurn plans the player's side of a turn below a branch's leaf, and gives
// the path to there.
func (s *Session) nextTurn(branch ID, in Input) (plan, []Step, error) {
	if s.reader == nil {
		return plan{}, nil, fmt.Errorf("preview branch %s: %w", branch, ErrNotFound)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return plan{}, nil, err
	}
	p, err := s.plan(place{branch: b, parent: b.Leaf}, in)
	if err != nil {
		return plan{}, nil, err
	}
	history, err := s.path(b.Leaf)
	return p, history, err
}

// PreviewStart gives the prompt of the first turn of a playthrough that is not
// begun.
func (s *Session) PreviewStart(ctx context.Context, start Start, in Input) (prompt.Prompt, error) {
	p, path, err := s.firstTurn(start, previewed(in))
	if err != nil {
		return prompt.Prompt{}, err
	}
	return s.preview(ctx, &p, path)
}

// PreviewJump gives the prompt of the first turn after a Jump that is not
// made.
func (s *Session) PreviewJump(ctx context.Context, branch ID, start Start, in Input) (prompt.Prompt, error) {
	p, path, err := s.jumpedTurn(branch, start, previewed(in))
	if err != nil {
		return prompt.Prompt{}, err
	}
	return s.preview(ctx, &p, path)
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

func (s *Session) preview(ctx context.Context, p *plan, path []Step) (prompt.Prompt, error) {
	a, err := s.asking(p, path)
	if err != nil {
		return prompt.Prompt{}, err
	}
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
	a := asking{persona: persona, lang: persona.Language(p.lang), sampling: sampling(p.script, persona, Options{}),
		history: heard(p.script, path, persona.ID)}
	a.recall = s.recollect(p, &a, path)
	return a, nil
}
