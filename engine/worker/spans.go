package worker

import (
	"encoding/json"
	"sync"

	"fabula/engine"
	"fabula/engine/closed"
)

// spanning keeps the automaton of the last spans that were asked for: all
// replies of a world share one. The vocabulary is read once.
type spanning struct {
	mu     sync.Mutex
	pieces [][]byte
	key    string
	last   *closed.Automaton
}

// of gives the automaton of some spans; nil where there are none.
func (s *spanning) of(spans []engine.Span, b Backend) *closed.Automaton {
	if len(spans) == 0 {
		return nil
	}
	key, err := json.Marshal(spans)
	if err != nil {
		return nil // texts always marshal
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pieces == nil {
		s.pieces = make([][]byte, b.Facts().Vocab)
		for id := range s.pieces {
			s.pieces[id] = b.Piece(int32(id))
		}
	}
	if s.last == nil || s.key != string(key) {
		s.key, s.last = string(key), closed.New(spans, s.pieces)
	}
	return s.last
}

// span follows the reply through its spans and tells the sampler what may come.
func (r *reply) span(id int32) {
	if r.closed == nil {
		return
	}
	r.at, _ = r.closed.Next(r.at, r.backend.Piece(id)) // a token that was given may lead nowhere: then all is free
	r.sampler.Allow(r.closed.Mask(r.at))
}
