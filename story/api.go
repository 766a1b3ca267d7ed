package story

import (
	"context"
	"errors"

	"fabula/story/prompt"
)

var errLanding = errors.New("landing")

type pathCache struct{}

func (s *Session) recover() error { return nil }

// Begin starts a playthrough.
func (s *Session) Begin(start Start) (Branch, Step, error) { return Branch{}, Step{}, errLanding }

// Jump goes to a node in the middle of a playthrough: a forced new branch.
func (s *Session) Jump(branch ID, start Start) (Branch, Step, error) {
	return Branch{}, Step{}, errLanding
}

// Say takes a turn.
func (s *Session) Say(ctx context.Context, branch ID, in Input, o Options) (*Running, error) {
	return nil, errLanding
}

// Retry adds an alternative.
func (s *Session) Retry(ctx context.Context, branch, alternative ID, o Options) (*Running, error) {
	return nil, errLanding
}

// EditInput makes a sibling turn.
func (s *Session) EditInput(ctx context.Context, branch, turn ID, text string, o Options) (*Running, error) {
	return nil, errLanding
}

// EditReply makes a human alternative.
func (s *Session) EditReply(branch, alternative ID, text string) (Branch, Step, error) {
	return Branch{}, Step{}, errLanding
}

// BranchAt makes a branch whose leaf is the alternative.
func (s *Session) BranchAt(alternative ID, name string) (Branch, error) { return Branch{}, errLanding }

// Goto shows another alternative.
func (s *Session) Goto(branch, alternative ID) (Branch, error) { return Branch{}, errLanding }

// Rename gives a branch another name.
func (s *Session) Rename(branch ID, name string) (Branch, error) { return Branch{}, errLanding }

// Mark sets or clears an alternative's mark and title.
func (s *Session) Mark(alternative ID, mark bool, title string) (Alternative, error) {
	return Alternative{}, errLanding
}

// Preview gives the prompt that Say would send, storing nothing.
func (s *Session) Preview(branch ID, in Input) (prompt.Prompt, error) {
	return prompt.Prompt{}, errLanding
}

// PreviewStart gives the prompt of a first turn, storing nothing.
func (s *Session) PreviewStart(start Start, in Input) (prompt.Prompt, error) {
	return prompt.Prompt{}, errLanding
}
