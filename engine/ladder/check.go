package ladder

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fabula/engine"
)

// Check asks an engine whether it would serve: by its own Probe if it has one,
// else for one token in the background. last is the request it failed at, so
// that the check asks what a person would; nil = a word. Nil when it serves.
func Check(ctx context.Context, name string, e engine.Engine, limits Limits, last *engine.Request) *engine.Failure {
	if l, ok := e.(loader); ok {
		if err := l.Ready(ctx); err != nil {
			return Loading(name, err)
		}
	}
	if p, ok := e.(engine.Prober); ok {
		if err := p.Probe(ctx); err != nil {
			return Failure(name, err)
		}
		return nil
	}
	r := engine.Request{Messages: []engine.Message{{Role: engine.User, Parts: []string{"Hello"}}}}
	if last != nil {
		r = *last
	}
	r.Sampling.MaxTokens, r.Priority = 1, engine.Background
	// A health of its own, and the deadlines of a chat although it is none.
	w := &Watch{Health: New(Policy{}, nil, nil), Key: name, Name: name, Limits: Limits{FirstToken: limits.FirstToken}}
	return w.once(ctx, e, r)
}

// once asks for one reply and gives how it failed.
func (w *Watch) once(ctx context.Context, e engine.Engine, r engine.Request) *engine.Failure {
	s := &stream{watch: w, limits: w.Limits, woke: make(chan struct{}, 1)}
	inner, cancel := context.WithCancelCause(ctx)
	s.cancel = cancel
	s.start()
	from, err := e.Generate(inner, r)
	if err != nil {
		if err = s.refused(ctx, err); harmless(err) {
			return nil // too long for it, but it answers
		}
		return Failure(w.Name, err)
	}
	go s.pump(from)
	ended := make(chan *engine.Failure, 1)
	go func() { ended <- w.end(s) }()
	select {
	case f := <-ended:
		return f
	case <-ctx.Done():
	}
	select {
	case f := <-ended:
		return f
	case <-time.After(grace): // it does not stop when told to
		return Failure(w.Name, fmt.Errorf("%w: the check did not end", engine.ErrUnavailable))
	}
}

// grace is how long an engine may take to end a check that was called off.
const grace = 3 * time.Second

// end reads a reply to its end and gives how it failed.
func (w *Watch) end(s *stream) *engine.Failure {
	for {
		ev, err := s.Next()
		if err != nil {
			return nil
		}
		d, over := ev.(engine.Done)
		switch {
		case !over:
		case d.Err != nil:
			return Failure(w.Name, d.Err)
		case d.Reason == engine.Cancelled:
			return Failure(w.Name, fmt.Errorf("%w: the check took too long", engine.ErrUnavailable))
		default:
			return nil
		}
	}
}

// harmless errors say nothing about the health of an engine.
func harmless(err error) bool {
	return errors.Is(err, engine.ErrTooLong) || errors.Is(err, engine.ErrUnsupported) ||
		errors.Is(err, engine.ErrNoLine) || errors.Is(err, context.Canceled)
}
