package worker

import (
	"io"
	"sync"
	"time"

	"fabula/engine"
)

// stream is one reply as its reader sees it. Events wait in memory, so a slow
// reader never holds up the child.
type stream struct {
	id      uint64
	request engine.Request
	score   *engine.ScoreRequest // of a request that scores texts, else nil

	mu     sync.Mutex
	events []engine.Event
	stats  engine.Stats // as far as events tell; used when the child dies
	shown  bool         // an event came
	over   bool
	texts  []engine.Scored // as they come
	signal chan struct{}   // one slot: something changed
	stop   func() bool     // lifts the watch on the caller's context

	cancelled bool // guarded by Client.mu
}

func newStream(id uint64, r engine.Request) *stream {
	return &stream{id: id, request: r, signal: make(chan struct{}, 1), stop: func() bool { return true }}
}

// Next blocks until the next event; io.EOF after Done.
func (s *stream) Next() (engine.Event, error) {
	for {
		s.mu.Lock()
		if len(s.events) > 0 {
			e := s.events[0]
			s.events = s.events[1:]
			s.mu.Unlock()
			return e, nil
		}
		over := s.over
		s.mu.Unlock()
		if over {
			s.wake() // for a reader that asks again
			return nil, io.EOF
		}
		<-s.signal
	}
}

// push adds an event; those after Done are dropped.
func (s *stream) push(e engine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.events, s.shown = append(s.events, e), true
	switch e := e.(type) {
	case engine.Prefill:
		s.stats.Prefill, s.stats.PromptTokens = e.At-s.stats.Queue, e.Computed+e.Reused
	case engine.Token:
		if !e.Given {
			s.stats.Tokens++
		}
	case engine.Done:
		s.over = true
	}
	s.wake()
}

// end ends a request that no child will end; what was said is kept.
func (s *stream) end(d engine.Done) {
	s.mu.Lock()
	d.Stats = s.stats
	s.mu.Unlock()
	s.finish(d)
}

// finish pushes Done and lifts the watch on the context.
func (s *stream) finish(d engine.Done) {
	s.push(d)
	s.stop()
}

// untouched says whether nothing was shown yet, and forgets scores that came.
func (s *stream) untouched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.texts)
	return !s.shown
}

func (s *stream) wake() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// waited notes how long the request was queued.
func (s *stream) waited(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Queue = d
}
