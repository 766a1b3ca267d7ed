// Package scripted is an engine that plays a file: a fake for tests, CI and
// demonstrations, never a measurement. Every event, delay and fault is as the
// file says, so that what a screen or an export shows can be compared with it.
//
// The file is lines of text. Blank lines and lines that begin with # are
// skipped; strings are written as in Go, in double quotes. Settings come first:
//
//	engine   lamplighter        name shown to people; default: the file's name
//	window   4096               context window in tokens; default: none
//	languages en zh             what it speaks; default: any
//	load     3s                 the first request waits this long
//	load     1s "why" times=2   the first two requests fail to load it, each after this
//	                            time; without times= all do
//	load     1s memory times=2  the same for want of memory
//	probe    10ms               a check of health passes after this time; several lines
//	probe    10ms "why"         are taken in order, the last one again and again
//	choose   "yes" 0.9 "lamp"   scores the label of the option that holds "yes" with 0.9
//	                            where the prompt holds "lamp" (and all other texts given);
//	                            the first line that serves counts, "" has no opinion
//
// Each `reply` opens one reply. A reply with `match` lines serves queries that
// hold one of those texts, case folded; a reply without serves every other
// query. Among those that serve, replies are played in file order, and from
// the first again after the last. If only replies with `match` exist and none
// fits, the request is refused.
//
//	reply
//	  match   "lamp"
//	  queue   10ms              waits before anything runs
//	  prefill 120 30 2s         tokens computed, reused; time. Default: as counted, 0, 0s
//	  text    "The " 100ms      one token: visible text, time since the token before;
//	                            options id=7 logprob=-0.2 times=40
//	  bytes   f09f 50ms         one token of raw bytes in hex; valid UTF-8 or not
//	  say     "Who asks?" 30ms  a token a word (a character in CJK), 30ms apart
//
// A reply ends after its last step with reason stop, or by one of
//
//	end     length            any engine.Reason
//	fault   "device lost"     fails after the tokens so far
//	kill                      as if the engine's process had been killed: a crash
//	memory                    runs out of memory after the tokens so far
//	hang                      waits until it is cancelled
//	refuse  "no memory"       Generate itself fails, with ErrUnavailable; must be the only step
//
// A reply without steps yields nothing at all. Stop strings and MaxTokens of
// the request are obeyed. Tokens are stamped with the times of the file, not
// of the clock, so that figures are exact; delivery keeps to those times.
//
// Tokens that a request gives (engine.Request.Begin) stand in place of as many
// tokens of the reply; their ids must occur in the file.
// Non-goals: sampling, seeds, capacity.
package scripted

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fabula/engine"
)

// Engine plays a script. It is safe for concurrent use.
type Engine struct {
	script script

	mu     sync.Mutex
	loaded bool
	failed int   // loads that failed
	probed int   // checks so far
	played []int // times each reply was played
	closed bool
}

// errClosed is what Generate says after Close.
var errClosed = errors.New("scripted engine: closed")

// Open reads and parses a script file. Errors name the line and what to do.
func Open(file string) (engine.Engine, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("scripted engine: %w: %w", engine.ErrUnavailable, err)
	}
	return made(parse(data, filepath.Base(file)))
}

// Parse reads a script from memory.
func Parse(data []byte) (engine.Engine, error) {
	return made(parse(data, "script"))
}

// made gives a script that chooses as an engine that can be asked to.
func made(e *Engine, err error) (engine.Engine, error) {
	switch {
	case err != nil:
		return nil, err
	case len(e.script.likings) > 0:
		return Chooser{e}, nil
	}
	return e, nil
}

// Info describes the fake; it never claims a build.
func (e *Engine) Info() engine.Info {
	return engine.Info{
		Kind:      engine.Scripted,
		Name:      e.script.name,
		Languages: e.script.languages,
		Context:   e.script.window,
		Build:     engine.Build{Runtime: "script " + e.script.hash[:12]},
	}
}

// Generate plays the next reply that serves the query. Without a query the
// last part of the last user message counts as one.
func (e *Engine) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	if err := e.loadFails(ctx); err != nil {
		return nil, err
	}
	reply, load, err := e.take(query(r))
	if err != nil {
		return nil, err
	}
	if reply.refuse != "" {
		return nil, fmt.Errorf("scripted engine %s: %w: %s", e.script.name, engine.ErrUnavailable, reply.refuse)
	}
	count, err := e.Count(ctx, r.Messages)
	if err != nil {
		return nil, err
	}
	begin, err := e.script.spell(r.Begin)
	if err != nil {
		return nil, err
	}
	return newStream(ctx, r, reply, begin, load, count), nil
}

// Close makes later requests fail; streams that run play on.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return nil
}

// take picks a reply and says how long this request waits for the load.
func (e *Engine) take(query string) (reply, time.Duration, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return reply{}, 0, errClosed
	}
	serving := e.script.serving(query)
	if len(serving) == 0 {
		return reply{}, 0, fmt.Errorf("scripted engine %s: %w: no reply matches %q; add a reply without match",
			e.script.name, engine.ErrUnavailable, query)
	}
	pick := serving[0]
	for _, i := range serving {
		if e.played[i] < e.played[pick] {
			pick = i
		}
	}
	e.played[pick]++
	load := e.script.load
	if e.loaded {
		load = 0
	}
	e.loaded = true
	return e.script.replies[pick], load, nil
}

func query(r engine.Request) string {
	if r.Query != "" {
		return r.Query
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := r.Messages[i]
		if m.Role == engine.User && len(m.Parts) > 0 {
			return m.Parts[len(m.Parts)-1]
		}
	}
	return ""
}

// serving lists the replies for a query: those that match, else those that
// match nothing in particular.
func (s script) serving(query string) []int {
	folded := strings.ToLower(query)
	var matching, general []int
	for i, r := range s.replies {
		switch {
		case len(r.match) == 0:
			general = append(general, i)
		case r.serves(folded):
			matching = append(matching, i)
		}
	}
	if len(matching) > 0 {
		return matching
	}
	return general
}

// spell finds tokens that a reply shall begin with among those of the script.
func (s script) spell(ids []int32) ([]step, error) {
	known := map[int32]step{}
	for _, r := range s.replies {
		for _, st := range r.steps {
			if _, twice := known[st.id]; !twice && st.raw != nil {
				known[st.id] = st
			}
		}
	}
	var steps []step
	for _, id := range ids {
		st, ok := known[id]
		if !ok {
			return nil, fmt.Errorf("scripted engine %s: %w: no token of the script has id %d", s.name, engine.ErrUnsupported, id)
		}
		steps = append(steps, st)
	}
	return steps, nil
}

func (r reply) serves(folded string) bool {
	for _, m := range r.match {
		if strings.Contains(folded, m) {
			return true
		}
	}
	return false
}
