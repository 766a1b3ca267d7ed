package remote

import (
	"io"
	"sync"

	"fabula/engine"
)

// events is a stream whose events wait in memory, so that a slow reader bends
// no time stamp.
type events struct {
	mu     sync.Mutex
	list   []engine.Event
	over   bool
	prompt bool          // a Prefill was pushed
	signal chan struct{} // one slot: something changed
}

func newEvents() *events { return &events{signal: make(chan struct{}, 1)} }

// Next blocks until the next event; io.EOF after Done.
func (s *events) Next() (engine.Event, error) {
	for {
		s.mu.Lock()
		if len(s.list) > 0 {
			e := s.list[0]
			s.list = s.list[1:]
			s.mu.Unlock()
			return e, nil
		}
		over := s.over
		s.mu.Unlock()
		if over {
			return nil, io.EOF
		}
		<-s.signal
	}
}

func (s *events) push(e engine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e)
	switch e.(type) {
	case engine.Prefill:
		s.prompt = true
	case engine.Done:
		s.over = true
	}
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

func (s *events) prefilled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompt
}
