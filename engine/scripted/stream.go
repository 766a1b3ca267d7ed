package scripted

import (
	"context"
	"io"
	"time"

	"fabula/engine"
	"fabula/engine/chat"
)

// stream plays one reply. Next does the waiting, so a stream that nobody
// reads costs nothing.
type stream struct {
	ctx     context.Context
	start   time.Time     // when the request was sent
	at      time.Duration // script time of the last event
	limit   int           // tokens to come at most, 0 = no limit unless full
	full    bool          // what was given reaches MaxTokens
	chars   chat.Assembler
	hold    *chat.Holder
	reply   reply
	begin   []step // given tokens that are still to come
	next    int    // step
	stats   engine.Stats
	load    time.Duration
	fill    prefill
	state   state
	stopped bool // a stop string hit
}

type state int

const (
	filling state = iota
	decoding
	over
)

func newStream(ctx context.Context, r engine.Request, rep reply, begin []step, load time.Duration, c engine.Count) *stream {
	s := &stream{
		ctx: ctx, start: time.Now(), limit: r.Sampling.MaxTokens, reply: rep, load: load,
		hold: chat.NewHolder(r.Stop),
		fill: prefill{computed: total(c) + len(begin)}, begin: begin,
	}
	if s.limit > 0 {
		s.limit = max(s.limit-len(begin), 0)
		s.full = s.limit == 0
	}
	for s.next < min(len(begin), len(rep.steps)) && rep.steps[s.next].raw != nil {
		s.next++
	}
	if rep.prefill != nil {
		s.fill = *rep.prefill
	}
	s.stats = engine.Stats{PromptTokens: s.fill.computed + s.fill.reused, ControlTokens: c.Control}
	return s
}

// Next waits until the next event of the script is due.
func (s *stream) Next() (engine.Event, error) {
	switch s.state {
	case over:
		return nil, io.EOF
	case filling:
		return s.prefill(), nil
	}
	if s.stopped {
		return s.done(engine.Done{Reason: engine.Stop, Detail: s.hold.Stop()}), nil
	}
	if len(s.begin) > 0 {
		return s.given(), nil
	}
	if s.next == len(s.reply.steps) {
		return s.done(engine.Done{Reason: engine.Stop}), nil
	}
	return s.step(s.reply.steps[s.next]), nil
}

func (s *stream) prefill() engine.Event {
	if !s.wait(s.load) {
		return s.cancelled()
	}
	s.stats.Load = s.load
	if !s.wait(s.reply.queue) {
		return s.cancelled()
	}
	s.stats.Queue = s.reply.queue
	if !s.wait(s.fill.took) {
		return s.cancelled()
	}
	s.stats.Prefill = s.fill.took
	s.state = decoding
	return engine.Prefill{Computed: s.fill.computed, Reused: s.fill.reused, At: s.at}
}

// given hands out a token that the request gave; it takes no time.
func (s *stream) given() engine.Event {
	st := s.begin[0]
	s.begin = s.begin[1:]
	var text string
	text, s.stopped = s.hold.Write(s.chars.Write(st.raw))
	return engine.Token{ID: st.id, Text: text, At: s.at, Given: true}
}

func (s *stream) step(st step) engine.Event {
	switch {
	case st.hang:
		<-s.ctx.Done()
		return s.cancelled()
	case st.end == engine.Fault:
		return s.done(engine.Done{Reason: engine.Fault, Detail: st.err.Error(), Err: st.err})
	case st.end != "":
		return s.done(engine.Done{Reason: st.end})
	case s.full || s.limit > 0 && s.stats.Tokens == s.limit:
		return s.done(engine.Done{Reason: engine.Length})
	case !s.wait(st.after):
		return s.cancelled()
	}
	s.next++
	s.stats.Tokens++
	var text string
	text, s.stopped = s.hold.Write(s.chars.Write(st.raw))
	return engine.Token{ID: st.id, Text: text, At: s.at, Logprob: st.logprob}
}

func (s *stream) cancelled() engine.Event { return s.done(engine.Done{Reason: engine.Cancelled}) }

// done ends the stream with what was held back and with the figures so far.
func (s *stream) done(d engine.Done) engine.Event {
	s.state = over
	s.chars.Flush() // half a character is not text
	d.Tail = s.hold.Flush()
	d.Stats = s.stats
	return d
}

// wait sleeps until script time has moved on by d; false when cancelled. It
// aims at times since the start, so that oversleeping does not add up.
func (s *stream) wait(d time.Duration) bool {
	if s.ctx.Err() != nil {
		return false
	}
	s.at += d
	left := time.Until(s.start.Add(s.at))
	if d == 0 || left <= 0 {
		return true
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-s.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
