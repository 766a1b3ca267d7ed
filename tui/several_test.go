package tui_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine"
)

// poet speaks three words, the last by its seed, and knows what else was
// likely. The voices of one turn end together once four were asked for.
type poet struct {
	mu   sync.Mutex
	asks int
	held chan struct{} // nil: nobody waits

	holds bool // text comes a token late
}

var poem = []string{"Look ", "at ", "the ", "lamp.", "river.", "moon.", "fox."}

func (p *poet) Info() engine.Info {
	return engine.Info{Kind: engine.GGUF, Name: "poet", Build: engine.Build{BaseHash: "p"}}
}
func (p *poet) Close() error { return nil }

func (p *poet) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asks++
	ids := []int32{0, 1, 2, 3 + int32(p.asks%4)}
	copy(ids, r.Begin)
	s := &verse{ctx: ctx, held: p.held, events: []engine.Event{engine.Prefill{Computed: 9, Reused: 90}}}
	for i, id := range ids {
		text := poem[id] // the first is held back, as rules do, and shown with the second
		if i == 0 && p.holds {
			text = ""
		} else if i == 1 && p.holds {
			text = poem[ids[0]] + text
		}
		s.events = append(s.events, engine.Token{ID: id, Text: text, At: time.Duration(i+1) * 9 * time.Millisecond, Logprob: -0.2, Given: i < len(r.Begin),
			Top: []engine.TopToken{{ID: id, Text: poem[id], Logprob: -0.2}, {ID: 6, Text: "fox.", Logprob: -2.3}}})
	}
	s.events = append(s.events, engine.Done{Reason: engine.Stop, Stats: engine.Stats{Tokens: 4 - len(r.Begin)}})
	return s, nil
}

// verse yields events; before the last it waits.
type verse struct {
	ctx    context.Context
	held   chan struct{}
	events []engine.Event
}

func (v *verse) Next() (engine.Event, error) {
	if len(v.events) == 0 {
		return nil, io.EOF
	}
	ev := v.events[0]
	if _, last := ev.(engine.Done); last && v.held != nil {
		select {
		case <-v.held:
		case <-v.ctx.Done():
			ev = engine.Done{Reason: engine.Cancelled}
		}
	}
	v.events = v.events[1:]
	return ev, nil
}

// Ensure that four alternatives asked for at once stream next to each other and
// that one of them is taken by its number.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	p := &poet{}
	b := open(t, setting{w: 200, h: 40, engine: p})
	b.Wait("Adu")
	b.say("hello", "river.")
	p.held = make(chan struct{})
	b.Press("esc", "R")
	for _, word := range []string{"lamp.", "river.", "moon.", "fox."} {
		b.Wait(word)
	}
	b.Wait("alternative")
	b.Exact(200, 40)
	if b.Row("streaming") == "" {
		t.Errorf("nothing streams:\n%s", b.Plain())
	}
	close(p.held)
	b.idle()
	b.Wait("alternative 2 of 5")
	b.Press("5", "enter")
	b.Wait("alt 5/5")
	path := b.steps(t)
	turn := path[len(path)-1].Turn
	if len(turn.Children) != 5 || path[len(path)-1].Alternative.ID != turn.Children[4] {
		t.Errorf("%d alternatives, at %s of %v", len(turn.Children), path[len(path)-1].Alternative.ID, turn.Children)
	}
	b.Press("v", "m")
	b.Wait("* ")
	b.Resize(60, 16)
	b.Exact(60, 16)
	b.Press("esc")
	b.Wait("alt 5/5")
}

// Ensure that esc stops all that stream, and a second one leaves.
func TestSeveralStopped(t *testing.T) {
	t.Parallel()
	p := &poet{}
	b := open(t, setting{w: 200, h: 40, engine: p})
	b.Wait("Adu")
	b.say("hello", "river.")
	p.held = make(chan struct{})
	b.Press("esc", "R")
	b.Wait("fox.")
	b.Press("esc")
	b.idle()
	b.Wait("stopped")
	b.Press("esc")
	if strings.Contains(b.Plain(), "alternative 2 of") {
		t.Errorf("still over the talk:\n%s", b.Plain())
	}
}

// Ensure that a reply is gone through token by token and continued from another.
func TestTokens(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 100, h: 30, engine: &poet{holds: true}})
	b.Wait("Adu")
	b.say("hello", "river.")
	b.Press("esc", "T")
	b.Wait("token 1 of 4")
	b.Wait(`> * 1  81.9 % "Look "`)
	b.Press("l", "l")
	b.Wait("token 3 of 4")
	b.Wait("gap 9.0ms")
	for _, row := range []string{`> * 1  81.9 % "the "`, `  2  10.0 % "fox."`} {
		if !strings.Contains(b.Plain(), row) {
			t.Errorf("no row %q:\n%s", row, b.Plain())
		}
	}
	b.Press("enter")
	b.Wait("choose another")
	b.Press("j", "enter")
	b.idle()
	b.Wait("alt 2/2")
	b.Wait("Look at fox.")
	b.Wait("forked at token 3")
	b.Press("T", "l", "l")
	b.Wait("put here by a fork")
	b.Resize(60, 16)
	b.Exact(60, 16)
}

// warmed is a poet that keeps prompts.
type warmed struct {
	poet
	prompts chan []engine.Message
}

func (w *warmed) Warm(ctx context.Context, messages []engine.Message) error {
	w.prompts <- messages
	<-ctx.Done()
	return ctx.Err()
}

// Ensure that opening a branch has its prompt computed before a line is sent, and
// that this holds nothing up.
func TestOpenedBranchIsWarmed(t *testing.T) {
	t.Parallel()
	w := &warmed{prompts: make(chan []engine.Message, 8)}
	b := open(t, setting{w: 120, h: 30, engine: w})
	b.Wait("Adu")
	if m := <-w.prompts; len(m) == 0 || m[0].Role != engine.System {
		t.Errorf("warmed by %v", m)
	}
	b.say("hello", "river.")
}
