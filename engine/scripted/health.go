package scripted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fabula/engine"
)

// refusal is how the first loads fail.
type refusal struct {
	times  int // that fail; -1 = all
	after  time.Duration
	why    string
	memory bool
}

// probe is how one check of health goes.
type probe struct {
	after time.Duration
	why   string // empty: it passes
}

const loadUsage = `load 3s, load 1s "why" [times=2] or load 1s memory [times=2]`

// loading reads a load line.
func (s *script) loading(args []string) error {
	if err := arity(args, 1, 3, loadUsage); err != nil {
		return err
	}
	after, err := duration(args[0])
	if err != nil || len(args) == 1 {
		s.load = after
		return err
	}
	s.refusal = refusal{times: -1, after: after, why: args[1], memory: args[1] == "memory"}
	if args[1] == "" {
		return errors.New("a load fails for a reason; write `" + loadUsage + "`")
	}
	if len(args) == 3 {
		count, ok := strings.CutPrefix(args[2], "times=")
		if !ok {
			return fmt.Errorf("unknown option %q; write `%s`", args[2], loadUsage)
		}
		s.refusal.times, err = number(count)
	}
	return err
}

// probe reads a probe line.
func (s *script) probe(args []string) error {
	if err := arity(args, 1, 2, `probe 10ms ["why"]`); err != nil {
		return err
	}
	after, err := duration(args[0])
	p := probe{after: after}
	if len(args) == 2 {
		p.why = args[1]
	}
	s.probes = append(s.probes, p)
	return err
}

// loadFails plays one failing load, if one is left.
func (e *Engine) loadFails(ctx context.Context) error {
	r := e.script.refusal
	e.mu.Lock()
	fails := !e.closed && r.why != "" && (r.times < 0 || e.failed < r.times)
	if fails {
		e.failed++
	}
	e.mu.Unlock()
	if !fails {
		return nil
	}
	if err := pause(ctx, r.after); err != nil {
		return err
	}
	if r.memory {
		return &engine.Shortage{Need: 8 << 30, Free: 2 << 30, Detail: "it needs 8 GiB of memory, 2 GiB are free"}
	}
	return &engine.Failure{Code: "load", Args: []string{e.script.name},
		Err: fmt.Errorf("scripted engine %s: %w: not loaded: %s", e.script.name, engine.ErrUnavailable, r.why)}
}

// Probe implements engine.Prober: it plays the next probe line. Without one a
// check passes, unless the next load would fail.
func (e *Engine) Probe(ctx context.Context) error {
	if len(e.script.probes) == 0 {
		return e.loadFails(ctx)
	}
	e.mu.Lock()
	p := e.script.probes[min(e.probed, len(e.script.probes)-1)]
	e.probed++
	e.mu.Unlock()
	if err := pause(ctx, p.after); err != nil {
		return err
	}
	if p.why != "" {
		return fmt.Errorf("scripted engine %s: %w: %s", e.script.name, engine.ErrUnavailable, p.why)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
