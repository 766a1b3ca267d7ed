package catalog

import (
	"context"
	"fmt"

	"fabula/engine"
)

// absent stands where the one engine that was asked for cannot be had: it says
// why.
type absent struct{ reason Reason }

// Info names the engine that was asked for.
func (a absent) Info() engine.Info { return engine.Info{Name: a.reason.Engine} }

// Close has nothing to release.
func (absent) Close() error { return nil }

// Generate refuses.
func (a absent) Generate(ctx context.Context, _ engine.Request) (engine.Stream, error) {
	return nil, a.Ready(ctx)
}

// Ready tells at once that it never will be.
func (a absent) Ready(context.Context) error {
	detail := a.reason.Detail
	if detail == "" {
		detail = string(a.reason.Why)
	}
	return &engine.Failure{Code: string(a.reason.Why), Args: a.reason.args(),
		Err: fmt.Errorf("engine %s: %w: %s", a.reason.Engine, engine.ErrUnavailable, detail)}
}
