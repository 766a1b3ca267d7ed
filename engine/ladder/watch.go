package ladder

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"fabula/engine"
)

// Limits are the deadlines of a chat reply; 0 = none. Background requests have
// none: they wait by design.
type Limits struct {
	// FirstToken is from the request to the first token. The load of a model and
	// its warm-up do not count.
	FirstToken time.Duration
	// Gap is between two tokens.
	Gap time.Duration
	// Load is how long a reply waits for a model that is being loaded. The load
	// itself goes on.
	Load time.Duration
}

// Watch is an engine.Guard: it holds the replies of one rung to Limits and tells
// Health how they ended. A deadline that passes cancels the reply; the stream
// ends with Done{Reason: Fault, Err: *engine.Failure}, and what came is in the
// tokens before.
type Watch struct {
	Health *Health
	Key    string // of the rung in Health
	Name   string // of the engine, for people
	Limits Limits
	// Began and Over are called around every reply, Failed with a request that
	// the rung failed at; nil = not.
	Began, Over func()
	Failed      func(engine.Request)
}

// errLate is the cause of a context that a deadline ended.
var errLate = errors.New("deadline")

// loader is an engine that takes its time to load.
type loader interface{ Ready(context.Context) error }

// Generate implements engine.Guard. Errors are *engine.Failure, except those of
// ctx and engine.ErrTooLong, which are no fault of the engine.
func (w *Watch) Generate(ctx context.Context, e engine.Engine, r engine.Request) (engine.Stream, error) {
	if err := w.loaded(ctx, e); err != nil {
		return nil, err
	}
	limits := w.Limits
	if r.Priority != engine.Chat {
		limits = Limits{}
	}
	s := &stream{watch: w, request: r, limits: limits, woke: make(chan struct{}, 1)}
	inner, cancel := context.WithCancelCause(ctx)
	s.cancel = cancel
	s.start()
	if w.Began != nil {
		w.Began()
	}
	from, err := e.Generate(inner, r)
	if err != nil {
		return nil, s.refused(ctx, err)
	}
	go s.pump(from)
	return s, nil
}

// loaded waits for the model, as long as Limits allow.
func (w *Watch) loaded(ctx context.Context, e engine.Engine) error {
	l, ok := e.(loader)
	if !ok {
		return nil
	}
	waiting := ctx
	if w.Limits.Load > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, w.Limits.Load)
		defer cancel()
	}
	err := l.Ready(waiting)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &engine.Failure{Code: StillLoading, Args: []string{w.Name}, Err: fmt.Errorf("%w: %s is still loading", engine.ErrUnavailable, w.Name)}
	}
	f := Loading(w.Name, err)
	w.Health.Fault(w.Key, f)
	return f
}

// Loading gives the failure of a model that could not be loaded.
func Loading(name string, err error) *engine.Failure {
	f := Failure(name, err)
	if f.Code == Unavailable || f.Code == Broke || f.Code == Crashed {
		return &engine.Failure{Code: LoadFailed, Args: []string{name}, Err: err}
	}
	return f
}

// fault tells of a failed request.
func (w *Watch) fault(r engine.Request, f *engine.Failure) {
	if w.Failed != nil {
		w.Failed(r)
	}
	w.Health.Fault(w.Key, f)
}

// late is the failure of a reply that missed a deadline.
func (w *Watch) late(code string, limit time.Duration) *engine.Failure {
	ms := strconv.FormatInt(limit.Milliseconds(), 10)
	what := "no first token within"
	if code == LateNext {
		what = "no further token within"
	}
	return &engine.Failure{Code: code, Args: []string{w.Name, ms},
		Err: fmt.Errorf("%w: %s: %s %s ms", engine.ErrUnavailable, w.Name, what, ms)}
}
