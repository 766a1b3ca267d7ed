package ladder

import (
	"context"
	"fmt"

	"fabula/engine"
)

// Score implements engine.ScoreGuard: it waits for the model, holds one request
// to the deadline of a first token, and tells Health how it ended. Errors are as
// those of Generate.
func (w *Watch) Score(ctx context.Context, e engine.Engine, r engine.ScoreRequest) ([]engine.Scored, error) {
	scorer, ok := e.(engine.Scorer)
	if !ok {
		return nil, engine.ErrUnsupported
	}
	if err := w.loaded(ctx, e); err != nil {
		return nil, err
	}
	inner, cancel := ctx, func() {}
	if w.Limits.FirstToken > 0 && r.Priority == engine.Chat {
		inner, cancel = context.WithTimeout(ctx, w.Limits.FirstToken)
	}
	defer cancel()
	if w.Began != nil {
		w.Began()
	}
	if w.Over != nil {
		defer w.Over()
	}
	out, err := scored(inner, scorer, r)
	switch {
	case err == nil:
		w.Health.Served(w.Key)
		return out, nil
	case ctx.Err() != nil:
		return nil, err
	case inner.Err() == nil && harmless(err):
		return nil, Failure(w.Name, err)
	}
	f := Failure(w.Name, err)
	if inner.Err() != nil {
		f = w.late(LateFirst, w.Limits.FirstToken)
	}
	w.fault(engine.Request{Messages: r.Messages}, f)
	return nil, f
}

// scored asks an engine. A panic of it is a fault.
func scored(ctx context.Context, e engine.Scorer, r engine.ScoreRequest) (out []engine.Scored, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("engine panicked: %v", p)
		}
	}()
	return e.Score(ctx, r)
}
