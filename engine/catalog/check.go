package catalog

import (
	"cmp"
	"context"
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
)

// checkFor bounds one check, load included.
const checkFor = 15 * time.Minute

// A chat outranks checks: they wait while somebody is answered and are called
// off when a reply begins, this many times in a row.
const (
	mostCalls = 3
	quietFor  = 100 * time.Millisecond // between looks whether anybody is answered
)

// moved hears of every move of trust; the first one down starts the checks.
func (c *Catalog) moved(m ladder.Move) {
	if c.o.Moved != nil {
		c.o.Moved(m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Up || c.closed {
		return
	}
	select {
	case c.checks <- struct{}{}:
	default:
	}
	if !c.checker {
		c.checker = true
		c.work.Go(c.watch)
	}
}

// watch checks engines that are due, one after the other, until Close.
func (c *Catalog) watch() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-c.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		due, next := c.health.Due()
		for _, key := range due {
			c.check(ctx, key)
			if ctx.Err() != nil {
				return
			}
		}
		if len(due) > 0 {
			continue
		}
		var later <-chan time.Time
		if !next.IsZero() {
			later = time.After(time.Until(next))
		}
		select {
		case <-c.done:
			return
		case <-c.checks:
		case <-later:
		}
	}
}

// check asks an engine that is not trusted whether it would serve. One that is
// not open is opened for it.
func (c *Catalog) check(ctx context.Context, key string) {
	s := c.slotOf(key)
	if s == nil {
		c.health.Forget(key)
		return
	}
	c.busy(s, 1)
	defer c.busy(s, -1)
	mine, cancel := context.WithCancel(ctx)
	defer cancel()
	if !c.begin(mine, s, cancel) {
		return
	}
	f := c.ask(mine, s)
	if c.end(s, mine.Err() != nil) {
		c.health.Checked(key, f)
	}
}

// begin waits until nobody is answered, unless the check was called off too
// often; false when the catalogue closes.
func (c *Catalog) begin(ctx context.Context, s *slot, cancel func()) bool {
	for {
		c.mu.Lock()
		urgent := s.calls >= mostCalls
		if urgent || c.replies == 0 {
			if !urgent {
				c.callOff = cancel
			}
			c.mu.Unlock()
			return ctx.Err() == nil
		}
		c.mu.Unlock()
		select {
		case <-ctx.Done():
			return false
		case <-time.After(quietFor):
		}
	}
}

// end reports whether a check came to its end.
func (c *Catalog) end(s *slot, off bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.callOff = nil
	if off {
		s.calls++
		return false
	}
	s.calls = 0
	return true
}

func (c *Catalog) slotOf(key string) *slot {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.slots {
		if s.key == key {
			return s
		}
	}
	return nil
}

func (c *Catalog) ask(ctx context.Context, s *slot) *engine.Failure {
	ctx, cancel := context.WithTimeout(ctx, checkFor)
	defer cancel()
	e, f := c.reopened(s)
	if f != nil || ctx.Err() != nil {
		return f
	}
	c.mu.Lock()
	last := s.last
	c.mu.Unlock()
	if e.Info().Kind == engine.Remote {
		last = nil // a word is enough: tokens of others cost money
	}
	limits := c.wish(engine.Ask{}).Limits
	f = ladder.Check(ctx, s.name, e, ladder.Limits{FirstToken: cmp.Or(limits.FirstToken, firstToken)}, last)
	if f != nil && (f.Code == ladder.LoadFailed || f.Code == ladder.NoMemory || f.Code == ladder.OutOfMemory) && s.how.open != nil {
		c.put(s, nil)
		_ = e.Close()
	}
	return f
}

// reopened gives the engine of a slot, opened anew if it was given up.
func (c *Catalog) reopened(s *slot) (engine.Engine, *engine.Failure) {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	e, m := s.engine, s.model
	c.mu.Unlock()
	if e != nil {
		if s.how.open == nil {
			return e, nil
		}
		if f := gaveUp(s.name, e); f == nil {
			return e, nil
		}
	}
	e, f := c.start(m, s.how)
	c.put(s, e)
	return e, f
}

// Health gives the state of every engine that was tried, by name.
func (c *Catalog) Health() []ladder.Report { return c.health.Reports() }
