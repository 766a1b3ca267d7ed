package scripted

import (
	"context"
	"errors"
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
	limit   int           // MaxTokens, 0 = none
	chars   chat.Assembler
	hold    *chat.Holder
	reply   reply
	next    int // step
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

func newStream(ctx context.Context, r engine.Request, rep reply, load time.Duration, c engine.Count) *stream {
	s := &stream{
		ctx: ctx, start: time.Now(), limit: r.Sampling.MaxTokens, reply: rep, load: load,
		hold: chat.NewHolder(r.Stop),
		fill: prefill{computed: total(c)},
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

func (s *stream) step(st step) engine.Event {
	switch {
	case st.hang:
		<-s.ctx.Done()
		return s.cancelled()
	case st.end == engine.Fault:
		return s.done(engine.Done{Reason: engine.Fault, Detail: st.err, Err: errors.New(st.err)})
	case st.end != "":
		return s.done(engine.Done{Reason: st.end})
	case s.limit > 0 && s.stats.Tokens == s.limit:
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
