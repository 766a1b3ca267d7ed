package bench

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fabula/engine"
	"fabula/engine/latency"
)

// measured is one reply.
type measured struct {
	latency.Timing
	prompt int // tokens of the prompt, 0 = not told
	events int // that tokens came in
}

// ask has a reply made and measures it.
func ask(ctx context.Context, e engine.Engine, r engine.Request) (measured, error) {
	stream, err := e.Generate(ctx, r)
	if err != nil {
		return measured{}, err
	}
	rec := latency.New(e.Info().Kind)
	var end engine.Done
	for {
		ev, err := stream.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return measured{}, err
		}
		rec.Add(ev)
		if d, ok := ev.(engine.Done); ok {
			end = d
		}
	}
	switch end.Reason {
	case engine.Fault:
		if end.Err != nil {
			return measured{}, end.Err
		}
		return measured{}, fmt.Errorf("engine %s: %s", e.Info().Name, end.Detail)
	case engine.Cancelled:
		return measured{}, context.Canceled
	}
	m := measured{Timing: rec.Timing(), prompt: end.Stats.PromptTokens}
	if m.Tokens > 0 {
		m.events = len(m.Gaps) + 1
	}
	if m.prompt == 0 {
		m.prompt = m.Computed + m.Reused
	}
	return m, nil
}
