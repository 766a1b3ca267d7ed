//go:build tensorrt

package tensorrt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

// growth compares memory after each cycle with that after the first few.
type growth struct {
	t                  *taker
	device, host, heap int64
}

func (g *growth) count(c *Cycles, cycle int) error {
	card, err := g.t.m.device.Card()
	if err != nil {
		return err
	}
	runtime.GC()
	debug.FreeOSMemory() // what Go keeps for later is no growth
	host, heap := anonymousMemory(), bridge.HeapInUse()
	if cycle == settle {
		g.device, g.host, g.heap = card.Free, host, heap
	}
	c.DeviceBytes, c.HostBytes, c.HeapBytes = g.device-card.Free, host-g.host, heap-g.heap
	if done := cycle - settle + 1; done > 0 && done*20/c.Count > len(c.Course) {
		c.Course = append(c.Course, c.HostBytes)
	}
	return nil
}

// cycles loads and unloads the plan.
func (t *taker) cycles(ctx context.Context) error {
	if t.o.Cycles == 0 {
		return nil
	}
	c, g := Cycles{Count: t.o.Cycles}, growth{t: t}
	start := time.Now()
	for i := range t.o.Cycles + settle {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := t.open()
		if err != nil {
			return err
		}
		if _, err := m.Decode([]worker.Run{{IDs: t.ids[:8], Want: 1}}); err != nil {
			return err
		}
		_ = m.Close() // never fails
		if err := g.count(&c, i); err != nil {
			return err
		}
	}
	c.Seconds = time.Since(start).Seconds()
	t.r.Cycles = &c
	return nil
}

// cancels stops prompts and replies that are under way.
func (t *taker) cancels(ctx context.Context) error {
	if t.o.Cancels == 0 {
		return nil
	}
	c, g := Cycles{Count: t.o.Cancels}, growth{t: t}
	start := time.Now()
	for i := range t.o.Cancels + settle {
		if err := ctx.Err(); err != nil {
			return err
		}
		waited, err := t.cancel(time.Duration(i%40) * 100 * time.Microsecond)
		if err != nil {
			return err
		}
		c.Longest = max(c.Longest, float64(waited.Nanoseconds())/1e6)
		if err := g.count(&c, i); err != nil {
			return err
		}
	}
	c.Seconds = time.Since(start).Seconds()
	t.r.Cancels = &c
	return nil
}

// cancel starts a prompt of 512 tokens and a reply, stops them after a while and
// says how long the stop took.
func (t *taker) cancel(after time.Duration) (time.Duration, error) {
	asked := make(chan time.Time, 1)
	timer := time.AfterFunc(after, func() {
		t.m.Abort(true)
		asked <- time.Now()
	})
	defer timer.Stop()
	ids := t.ids[:min(512, t.m.facts.Chunk, len(t.ids), t.m.facts.Context/2)]
	_, err := t.m.Decode([]worker.Run{{IDs: ids, Want: 1, Best: 1}})
	for at := len(ids); err == nil && at < t.m.facts.Context; at++ {
		_, err = t.m.Decode([]worker.Run{{At: at, IDs: ids[:1], Want: 1, Best: 1}})
	}
	if !errors.Is(err, worker.ErrAborted) {
		return 0, fmt.Errorf("a cancelled reply ended with %w", err)
	}
	end := time.Now()
	waited := end.Sub(<-asked)
	t.m.Abort(false)
	return waited, nil
}
