package grounded

import (
	"context"

	"fabula/engine"
	"fabula/engine/recall"
	"fabula/engine/score"
)

func choose(ctx context.Context, s engine.Scorer, r engine.Request, hits []recall.Hit) (engine.Odds, engine.Prefill, error) {
	return engine.Odds{}, engine.Prefill{}, nil
}

var _ = score.Softmax
