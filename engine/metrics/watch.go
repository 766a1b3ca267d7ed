package metrics

import (
	"context"
	"iter"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
)

// Ladder gives rungs, as a catalogue does.
type Ladder interface {
	Rungs(engine.Ask) iter.Seq[engine.Rung]
}

// Watch gives the same rungs, and counts what their engines do.
func (m *Meter) Watch(l Ladder) Ladder { return watched{m, l} }

type watched struct {
	m *Meter
	Ladder
}

// Rungs puts a guard before that of each rung.
func (w watched) Rungs(a engine.Ask) iter.Seq[engine.Rung] {
	return func(yield func(engine.Rung) bool) {
		for r := range w.Ladder.Rungs(a) {
			seen := r
			seen.Guard = guard{w.m, r}
			if !yield(seen) {
				return
			}
		}
	}
}

// guard counts one rung's replies.
type guard struct {
	m    *Meter
	rung engine.Rung // with the guard that it had
}

// Generate has the engine answer under the rung's own guard.
func (g guard) Generate(ctx context.Context, e engine.Engine, q engine.Request) (engine.Stream, error) {
	start := time.Now()
	rung := g.rung
	rung.Engine = e
	name := e.Info().Name
	g.m.flying.WithLabelValues(name).Inc()
	s, err := rung.Generate(ctx, q)
	info := e.Info() // complete once it has answered
	if err != nil {
		g.m.flying.WithLabelValues(name).Dec()
		g.m.refused(info, rung.Step, time.Since(start), err)
		return nil, err
	}
	c := &counted{Stream: s, recorder: latency.New(info.Kind)}
	c.landed = sync.OnceFunc(func() { g.m.flying.WithLabelValues(name).Dec() })
	c.over = func(d engine.Done) {
		c.landed()
		g.m.over(info, rung.Step, time.Since(start), c.recorder.Timing(), d)
	}
	c.forget = context.AfterFunc(ctx, func() { time.AfterFunc(abandoned, c.landed) })
	return c, nil
}

// abandoned is how long after its end a stream may still be read; one that
// nobody reads to its end is no longer in flight.
const abandoned = 10 * time.Second

// counted notes what passes.
type counted struct {
	engine.Stream
	recorder *latency.Recorder
	landed   func()
	over     func(engine.Done)
	forget   func() bool
}

// Next gives the next event.
func (c *counted) Next() (engine.Event, error) {
	e, err := c.Stream.Next()
	if err != nil {
		return e, err
	}
	c.recorder.Add(e)
	if d, ok := e.(engine.Done); ok {
		c.forget()
		c.over(d)
	}
	return e, nil
}
