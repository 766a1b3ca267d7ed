package worker_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"fabula/engine"
	"fabula/engine/worker"
)

// counting is a text that does not repeat itself.
func counting(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprint(&b, i*i, " ")
	}
	return b.String()
}

// together has requests answered at the same time.
func (g *gate) together(c *worker.Client, requests ...engine.Request) []result {
	t := g.t
	t.Helper()
	g.shut()
	streams := make([]engine.Stream, len(requests))
	for i, r := range requests {
		s, err := c.Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		streams[i] = s
	}
	g.told(c)
	g.open()
	results := make([]result, len(requests))
	var group sync.WaitGroup
	for i, s := range streams {
		group.Go(func() { results[i] = read(t, s, nil) })
	}
	group.Wait()
	return results
}

// Alternatives of one prompt compute it once and decode together.
func TestAlternatives(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("seqs=6"))
	text := strings.Repeat("Who lit the lamp? ", 20) + "say:" + counting(20)
	r := ask(text)
	alone := generate(t, c, r)
	size := alone.prefill.Computed
	before := len(g.passes())
	got := g.together(c, r, r, r, r)
	if four := len(g.passes()) - before; four > len(alone.tokens)+4 {
		t.Errorf("%d passes for four replies of %d tokens", four, len(alone.tokens))
	}
	for i, g := range got {
		if g.text != alone.text || g.prefill.Computed != 1 || g.prefill.Reused != size-1 {
			t.Errorf("%d: %q, %+v", i, g.text, g.prefill)
		}
		if st := g.done.Stats; st.Company < 2 || st.Company > 4 {
			t.Errorf("%d: %+v", i, st)
		}
	}
	if alone.done.Stats.Company != 1 || alone.done.Stats.Held != 0 {
		t.Errorf("alone: %+v", alone.done.Stats)
	}
}

// A cold prompt is computed by the first alternative only.
func TestColdAlternatives(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("seqs=6"))
	r := ask(strings.Repeat("Who lit the lamp? ", 20) + "say:yes")
	got := g.together(c, r, r, r)
	size := got[0].done.Stats.PromptTokens
	computed := 0
	for _, g := range got {
		computed += g.prefill.Computed
		if g.prefill.Computed+g.prefill.Reused != size {
			t.Errorf("%+v of %d tokens", g.prefill, size)
		}
	}
	if computed != size+2 {
		t.Errorf("%d tokens computed, want %d", computed, size+2)
	}
}

// The prompt of one chat does not stop the tokens of another.
func TestPromptBesideTokens(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query(""))
	got := g.together(c, ask("say:"+counting(60)), ask(strings.Repeat("x", 600)+"say:second"))
	both := 0
	for _, p := range g.passes() {
		if strings.Contains(p, "x:") && strings.Contains(p, "s:1") && !strings.Contains(p, "x:1 ") && !strings.HasSuffix(p, "x:1") {
			both++
		}
	}
	// 600 tokens in chunks of 8 beside tokens.
	if both < 30 || got[1].text != "second" {
		t.Errorf("%d passes had tokens beside the 600 of a prompt; %q", both, got[1].text)
	}
}

// A chat goes on at its pace while others play in the background, and they do
// not starve.
func TestChatOutranks(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("delay=1ms&seqs=8"))
	g.shut()
	var background []engine.Request
	for i := range 3 {
		r := ask(strings.Repeat(fmt.Sprint(i), 300) + "say:" + counting(70))
		r.Priority = engine.Background
		background = append(background, r)
	}
	streams := make([]engine.Stream, len(background))
	for i, r := range background {
		s, err := c.Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		streams[i] = s
	}
	g.open()
	g.wait(10)
	g.shut()
	s, err := c.Generate(t.Context(), ask("say:"+counting(60)))
	if err != nil {
		t.Fatal(err)
	}
	g.told(c)
	waited := len(g.passes())
	g.open()
	if chat := read(t, s, nil); chat.done.Reason != engine.Stop {
		t.Errorf("chat: %+v", chat.done)
	}
	g.paced(waited)
	for i, s := range streams {
		if got := read(t, s, nil); got.text != counting(70) {
			t.Errorf("background %d: %q, %+v", i, got.text, got.done)
		}
	}
}

// With one sequence a chat takes it from the background, which goes on later
// where it stopped.
func TestLentSequence(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("delay=1ms&seqs=1"))
	r := ask(strings.Repeat("y", 100) + "say:" + counting(60))
	r.Priority = engine.Background
	s, err := c.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var chat result
	var group sync.WaitGroup
	back := read(t, s, func(e engine.Event) {
		if _, ok := e.(engine.Token); !ok {
			return
		}
		if n++; n == 10 {
			g.shut()
			over, err := c.Generate(t.Context(), ask("say:chat"))
			if err != nil {
				t.Error(err)
				return
			}
			g.told(c)
			g.open()
			group.Go(func() { chat = read(t, over, nil) })
		}
	})
	group.Wait()
	if chat.text != "chat" || back.text != counting(60) {
		t.Errorf("chat %q, background %q %+v", chat.text, back.text, back.done)
	}
	if back.done.Stats.Held == 0 {
		t.Errorf("the background was not held: %+v", back.done.Stats)
	}
}

// Stopping one of several leaves the others alone.
func TestCancelOneOfSeveral(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("delay=1ms"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	doomed, err := c.Generate(ctx, ask("say:"+counting(90)))
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := c.Generate(ctx, ask(strings.Repeat("z", 1600)+"say:never"))
	if err != nil {
		t.Fatal(err)
	}
	others := ask("say:" + counting(30))
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			if got := generate(t, c, others); got.text != counting(30) {
				t.Errorf("%q, %+v", got.text, got.done)
			}
		})
	}
	n := 0
	got := read(t, doomed, func(e engine.Event) {
		if _, ok := e.(engine.Token); ok {
			if n++; n == 8 {
				g.shut()
				cancel()
				g.told(c, doomed, waiting)
				g.open()
			}
		}
	})
	if got.done.Reason != engine.Cancelled {
		t.Errorf("%+v", got.done)
	}
	if got := read(t, waiting, nil); got.done.Reason != engine.Cancelled || got.text != "" {
		t.Errorf("the prompt: %q %+v", got.text, got.done)
	}
	group.Wait()
}

// What the backend cannot do ends the request that wants it, not the others in
// the pass.
func TestBrokenRun(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query(""))
	good, bad := ask("say:"+counting(30)), ask("say:this is broken! and ends")
	got := g.together(c, good, bad, good)
	if b := got[1]; b.done.Reason != engine.Fault || b.text != "this is broken!" || !strings.Contains(b.done.Detail, "this run is broken") {
		t.Errorf("bad: %q, %+v", b.text, b.done)
	}
	for _, i := range []int{0, 2} {
		if got[i].text != counting(30) {
			t.Errorf("%d: %q, %+v", i, got[i].text, got[i].done)
		}
	}
}

// A warm-up computes a prompt, keeps it, and gives way to a chat.
func TestWarm(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query(""))
	r := ask(strings.Repeat("the persona of an NPC ", 15) + "say:yes")
	if err := c.Warm(t.Context(), r.Messages); err != nil {
		t.Fatal(err)
	}
	if got := generate(t, c, r); got.prefill.Computed != 1 || got.text != "yes" {
		t.Errorf("%q, %+v", got.text, got.prefill)
	}
	long := ask(strings.Repeat("another persona of an NPC ", 60) + "say:yes")
	g.shut()
	warmed := make(chan error, 1)
	before := len(g.passes())
	go func() { warmed <- c.Warm(t.Context(), long.Messages) }()
	for n := range 4 { // let three passes through
		g.wait(before + n + 1)
		if n < 3 {
			g.next()
		}
	}
	s, err := c.Generate(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	g.told(c)
	if err := <-warmed; err != nil { // with the pass called off, though it is held
		t.Error(err)
	}
	g.open()
	got := read(t, s, nil)
	if got.text != "yes" || got.prefill.Reused == 0 || got.prefill.Computed < 100 {
		t.Errorf("%q, %+v", got.text, got.prefill)
	}
	ctx, cancel := context.WithCancel(t.Context())
	g.shut()
	before = len(g.passes())
	go func() { warmed <- c.Warm(ctx, ask(strings.Repeat("a third one ", 120)).Messages) }()
	g.wait(before + 1)
	cancel()
	if err := <-warmed; err == nil {
		t.Error("a warm-up that was cancelled says nothing")
	}
}

// A backend that gives only the best logits says the same, with the same
// probabilities.
func TestBestLogits(t *testing.T) {
	whole, best := start(t, ""), start(t, "best=yes")
	r := ask("say:The keeper did.")
	r.Top = 3
	r.Sampling = engine.Sampling{Temperature: 0.8, TopK: 20, TopP: 0.9, RepeatPenalty: 1.1, MaxTokens: 50}
	want, got := generate(t, whole, r), generate(t, best, r)
	if got.text != want.text || len(got.tokens) != len(want.tokens) {
		t.Fatalf("%q, want %q", got.text, want.text)
	}
	for i, tok := range got.tokens {
		if w := want.tokens[i]; tok.Logprob-w.Logprob > 1e-5 || w.Logprob-tok.Logprob > 1e-5 || len(tok.Top) != 3 || tok.Top[0].ID != w.Top[0].ID {
			t.Errorf("token %d: %+v, want %+v", i, tok, w)
		}
	}
}
