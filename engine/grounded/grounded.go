// Package grounded has a small model choose among authored lines. A model of a
// hundred million words cannot stay in character, but it can tell which of
// eight lines answers what was said: recall gives the eight, the model re-ranks
// them, and the reply is one of them to the letter.
//
// The odds of all of them travel with the reply. A grounded reply is one
// decision and not decoded: it has a TTFT, but no rate.
// Non-goals: choosing the candidates (story/prompt does), deciding when a model
// is too small to speak freely (the story does).
package grounded

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/recall"
)

// shortlist is how many lines a model is given to choose from.
const shortlist = 8

// Chooser keeps what grounded replies share: the index of the lines, and what
// the model thinks of their cues. It is safe for concurrent use.
type Chooser struct {
	recall *recall.Engine
	mu     sync.Mutex
	known  map[prior]float64
}

// New makes a Chooser.
func New() *Chooser { return &Chooser{recall: recall.New(), known: map[prior]float64{}} }

// On gives an engine that says only given lines, chosen by the model of e. It
// is not closed: e's owner closes e. ok is false where e cannot score.
func (c *Chooser) On(e engine.Engine) (grounded engine.Engine, ok bool) {
	scorer, ok := e.(engine.Scorer)
	if !ok {
		return nil, false
	}
	g := chosen{Engine: e, scorer: scorer, chooser: c}
	if counter, ok := e.(engine.Counter); ok {
		return counting{g, counter}, true
	}
	return g, true
}

// chosen is an engine whose model chooses.
type chosen struct {
	engine.Engine
	scorer  engine.Scorer
	chooser *Chooser
}

// counting is chosen with the tokeniser of its model.
type counting struct {
	chosen
	engine.Counter
}

// Ready waits for the model, where it takes its time to load.
func (g chosen) Ready(ctx context.Context) error {
	if l, ok := g.Engine.(interface{ Ready(context.Context) error }); ok {
		return l.Ready(ctx)
	}
	return nil
}

// Close leaves the model to its owner.
func (chosen) Close() error { return nil }

// Generate chooses a line. Without candidates nothing starts.
func (g chosen) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("grounded: %w", err)
	}
	if len(r.Begin) > 0 {
		return nil, fmt.Errorf("grounded: %w: an authored line is said as it is, no reply begins with given tokens", engine.ErrUnsupported)
	}
	hits, remark, ok := g.chooser.recall.Shortlist(r, shortlist)
	if !ok {
		return nil, fmt.Errorf("grounded: %w: %w; give the persona style_samples or a greeting in language %q",
			engine.ErrUnavailable, engine.ErrNoLine, r.Language)
	}
	return &stream{ctx: ctx, start: time.Now(), request: r, hits: hits, remark: remark, scorer: g.scorer, chooser: g.chooser}, nil
}
