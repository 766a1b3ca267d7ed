package grounded

import (
	"context"
	"errors"
	"io"
	"time"

	"fabula/engine"
	"fabula/engine/recall"
)

// stream decides when it is first read, then hands the line out piece by piece.
type stream struct {
	ctx     context.Context
	start   time.Time
	request engine.Request
	hits    []recall.Hit
	remark  engine.Candidate // said where no hit answers
	scorer  engine.Scorer
	chooser *Chooser

	decided bool
	events  []engine.Event // up to Done
	pieces  []string
	stats   engine.Stats
	over    bool
}

// Next blocks while the model chooses.
func (s *stream) Next() (engine.Event, error) {
	if s.over {
		return nil, io.EOF
	}
	if !s.decided {
		s.decided = true
		if done, failed := s.decide(); failed {
			return s.end(done)
		}
	}
	switch {
	case s.ctx.Err() != nil:
		return s.end(engine.Done{Reason: engine.Cancelled})
	case len(s.events) > 0:
		e := s.events[0]
		s.events = s.events[1:]
		return e, nil
	case len(s.pieces) > 0:
		text := s.pieces[0]
		s.pieces = s.pieces[1:]
		return engine.Token{ID: engine.TailID, Text: text, At: time.Since(s.start)}, nil
	}
	return s.end(engine.Done{Reason: engine.Stop})
}

func (s *stream) end(d engine.Done) (engine.Event, error) {
	s.over = true
	d.Stats = s.stats
	return d, nil
}

// decide has the model choose and lays out what is to be told.
func (s *stream) decide() (done engine.Done, failed bool) {
	odds, read, err := s.choose()
	s.stats.Prefill = time.Since(s.start)
	switch {
	case err == nil:
	case s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()):
		return engine.Done{Reason: engine.Cancelled}, true
	default:
		return engine.Done{Reason: engine.Fault, Detail: err.Error(), Err: err}, true
	}
	s.stats.PromptTokens = read.Computed + read.Reused
	read.At = s.stats.Prefill
	s.events = []engine.Event{read, odds}
	s.pieces = recall.Pieces(odds.Lines[odds.Said].Text)
	return done, false
}
