package ladder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fabula/engine"
)

// stream passes on the events of a reply until it ends or a deadline passes.
// Events are queued, so that a reader who left holds up nobody.
type stream struct {
	watch   *Watch
	request engine.Request
	limits  Limits
	cancel  context.CancelCauseFunc
	woke    chan struct{}

	mu       sync.Mutex
	queue    []engine.Event
	timer    *time.Timer
	armed    time.Time // when timer fires
	deadline time.Time // zero: none
	code     string    // of the failure when it passes
	limit    time.Duration
	tokens   int
	over     bool            // nothing more is passed on
	read     bool            // the last event was taken
	failure  *engine.Failure // a deadline that passed
}

// start sets the deadline of the first token.
func (s *stream) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limits.FirstToken > 0 {
		s.set(LateFirst, s.limits.FirstToken)
	}
}

// set moves the deadline. A timer that fires early looks again, so that few
// tokens cost a timer. It runs with s.mu held.
func (s *stream) set(code string, limit time.Duration) {
	s.code, s.limit = code, limit
	if limit == 0 {
		s.deadline = time.Time{}
		return
	}
	s.deadline = time.Now().Add(limit)
	if s.timer == nil || s.deadline.Before(s.armed) {
		s.arm(limit)
	}
}

// arm sets the timer anew.
func (s *stream) arm(in time.Duration) {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.armed = time.Now().Add(in)
	s.timer = time.AfterFunc(in, s.look)
}

// look ends the reply when its deadline has passed.
func (s *stream) look() {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return
	}
	s.timer = nil
	if s.deadline.IsZero() {
		s.mu.Unlock()
		return
	}
	if left := time.Until(s.deadline); left > 0 {
		s.arm(left)
		s.mu.Unlock()
		return
	}
	f := s.watch.late(s.code, s.limit)
	s.failure = f
	s.end(engine.Done{Reason: engine.Fault, Detail: f.Error(), Err: f, Stats: engine.Stats{Tokens: s.tokens}})
	s.mu.Unlock()
	s.watch.fault(s.request, f)
	s.cancel(errLate)
}

// end queues the last event. It runs with s.mu held.
func (s *stream) end(d engine.Done) {
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.put(d)
}

func (s *stream) put(ev engine.Event) {
	s.queue = append(s.queue, ev)
	select {
	case s.woke <- struct{}{}:
	default:
	}
}

// refused settles a reply that did not begin.
func (s *stream) refused(ctx context.Context, err error) error {
	s.mu.Lock()
	late := s.failure
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.cancel(nil)
	s.done()
	switch {
	case late != nil: // Health knows
		return late
	case ctx.Err() != nil || errors.Is(err, engine.ErrTooLong):
		return err
	case harmless(err):
		return Failure(s.watch.Name, err)
	}
	f := Failure(s.watch.Name, err)
	s.watch.fault(s.request, f)
	return f
}

func (s *stream) done() {
	if s.watch.Over != nil {
		s.watch.Over()
	}
}

// pump reads the engine's stream to its end, also when nobody waits for it any
// more. A panic of the engine is a fault.
func (s *stream) pump(from engine.Stream) {
	defer s.done()
	defer s.cancel(nil)
	defer func() {
		if r := recover(); r != nil {
			s.take(engine.Done{Reason: engine.Fault, Err: fmt.Errorf("engine panicked: %v", r)})
		}
	}()
	for {
		ev, err := from.Next()
		if err != nil {
			s.take(engine.Done{Reason: engine.Fault, Err: fmt.Errorf("the stream ended without a word: %w", err)})
			return
		}
		s.take(ev)
		if _, last := ev.(engine.Done); last {
			return
		}
	}
}

// take passes one event on and moves the deadline.
func (s *stream) take(ev engine.Event) {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return
	}
	var f *engine.Failure
	served := false
	switch ev := ev.(type) {
	case engine.Token:
		if !ev.Given { // it was not decoded
			s.tokens++
			s.set(LateNext, s.limits.Gap)
		}
		s.put(ev)
	case engine.Done:
		f, served = s.verdict(&ev)
		s.end(ev)
	default:
		s.put(ev)
	}
	s.mu.Unlock()
	switch {
	case f != nil:
		s.watch.fault(s.request, f)
	case served:
		s.watch.Health.Served(s.watch.Key)
	}
}

// verdict says what the end of a reply means for the rung, and gives a fault its
// code. A reply that was called off means nothing.
func (s *stream) verdict(d *engine.Done) (f *engine.Failure, served bool) {
	switch {
	case d.Reason == engine.Stop || d.Reason == engine.Length:
		return nil, true
	case d.Reason != engine.Fault || harmless(d.Err):
		return nil, false
	}
	err := d.Err
	if err == nil {
		err = fmt.Errorf("engine %s: %s", s.watch.Name, d.Detail)
	}
	f = Failure(s.watch.Name, err)
	d.Err = f
	return f, false
}

// Next implements engine.Stream.
func (s *stream) Next() (engine.Event, error) {
	for {
		s.mu.Lock()
		if s.read {
			s.mu.Unlock()
			return nil, io.EOF
		}
		if len(s.queue) > 0 {
			ev := s.queue[0]
			s.queue = s.queue[1:]
			_, s.read = ev.(engine.Done)
			s.mu.Unlock()
			return ev, nil
		}
		s.mu.Unlock()
		<-s.woke
	}
}
