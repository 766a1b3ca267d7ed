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
	tokens := decoded(old.Reply)
	if at < 0 || at >= len(tokens) {
		return nil, fmt.Errorf("fork alternative %s at token %d: it has %d tokens: %w", alternative, at, len(tokens), ErrNothing)
	}
	f := &begun{Fork: Fork{From: alternative, At: at}, of: old.Reply.Engine}
	for _, t := range tokens[:at] {
		f.ids = append(f.ids, t.ID)
	}
	f.ids = append(f.ids, token)
	if o.Sampling == nil {
		o.Sampling = &old.Reply.Sampling
	}
	return s.retry(ctx, branch, alternative, f, o)
}

// decoded gives the tokens of a reply that came out of a model.
func decoded(r *Reply) []engine.Token {
	if r == nil || r.Engine.Kind == engine.Recall {
		return nil
	}
	tokens := r.Tokens
	for len(tokens) > 0 && tokens[len(tokens)-1].ID == engine.TailID {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// only keeps the rungs whose tokens mean the same: those of the same weights.
func (f *begun) only(all []engine.Rung) ([]engine.Rung, error) {
	var same []engine.Rung
	for _, r := range all {
		info := r.Engine.Info()
		if info.Kind == f.of.Kind && info.Name == f.of.Name && info.Build.BaseHash == f.of.Build.BaseHash {
			same = append(same, r)
		}
	}
	if len(same) == 0 {
		return nil, fmt.Errorf("the reply is of %s, whose tokens no other engine can go on from; use that engine: %w", f.of.Name, ErrNoEngine)
	}
	return same, nil
}
