package story

import (
	"context"
	"fmt"

	"fabula/engine"
)

// Fork says that a reply was continued from another one: it shares its first
// At tokens, and differs in the next.
type Fork struct {
	From ID  `json:"from"` // alternative
	At   int `json:"at"`
	// On: nothing was exchanged; the reply goes on where the other one was cut.
	On bool `json:"on,omitempty"`
}

// begun are the tokens that a reply has to begin with.
type begun struct {
	Fork
	ids []int32
	of  engine.Info // whose tokens they are
}

// ForkAt continues a reply from token number at on with another token than was
// drawn there: a new alternative of its turn, which shares everything before.
// The branch moves as for Retry. Errors: ErrNothing where there is no such
// token; ErrNoEngine comes from Wait when the engine whose tokens they are does
// not serve.
func (s *Session) ForkAt(ctx context.Context, branch, alternative ID, at int, token int32, o Options) (*Running, error) {
	old, err := s.reader.Alternative(alternative)
	if err != nil {
		return nil, err
	}
	tokens := old.Reply.Decoded()
	if at < 0 || at >= len(tokens) {
		return nil, fmt.Errorf("fork alternative %s at token %d: it has %d tokens: %w", alternative, at, len(tokens), ErrNothing)
	}
	f := &begun{Fork: Fork{From: alternative, At: at}, of: old.Reply.Engine}
	for _, t := range tokens[:at] {
		f.ids = append(f.ids, t.ID)
	}
	f.ids = append(f.ids, token)
	o.Engine = old.Reply.Engine.Name
	if o.Sampling == nil {
		o.Sampling = &old.Reply.Sampling
	}
	return s.retry(ctx, branch, alternative, f, o)
}

// Continue has a reply that was stopped, or cut at its length, go on: a new
// alternative of its turn that begins with all of its tokens and may have as many
// more as it might have had. The branch moves as for Retry. Errors: ErrNothing
// for a reply that ended by itself, or that no model decoded.
func (s *Session) Continue(ctx context.Context, branch, alternative ID, o Options) (*Running, error) {
	old, err := s.reader.Alternative(alternative)
	if err != nil {
		return nil, err
	}
	if !old.Reply.Unfinished() {
		return nil, fmt.Errorf("continue alternative %s: nothing of it is missing: %w", alternative, ErrNothing)
	}
	tokens := old.Reply.Decoded()
	f := &begun{Fork: Fork{From: alternative, At: len(tokens), On: true}, of: old.Reply.Engine}
	for _, t := range tokens {
		f.ids = append(f.ids, t.ID)
	}
	knobs := old.Reply.Sampling
	knobs.MaxTokens += len(tokens)
	o.Engine, o.Sampling, o.Without = old.Reply.Engine.Name, &knobs, old.Reply.Without
	return s.retry(ctx, branch, alternative, f, o)
}

// Unfinished reports whether a reply of a model was cut off before its end.
func (r *Reply) Unfinished() bool {
	if len(r.Decoded()) == 0 || r.Blocked != "" {
		return false
	}
	return r.Reason != engine.Stop
}

// Decoded gives the tokens of a reply that came out of a model, those that it
// was made to begin with included; none for an authored line.
func (r *Reply) Decoded() []engine.Token {
	if r == nil || r.Engine.Kind == engine.Recall || r.Step == engine.StepGrounded {
		return nil
	}
	tokens := r.Tokens
	for len(tokens) > 0 && tokens[len(tokens)-1].ID == engine.TailID {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// serves reports whether an engine's tokens mean the same.
func (f *begun) serves(info engine.Info) error {
	if info.Kind == f.of.Kind && info.Build.BaseHash == f.of.Build.BaseHash {
		return nil
	}
	return fmt.Errorf("the reply is of %s, whose tokens %s cannot go on from; use that engine: %w", f.of.Name, info.Name, ErrNoEngine)
}
