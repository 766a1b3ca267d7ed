package story_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/story"
)

// Ensure that the log of a turn is JSON lines as printed by `say --json`, and
// that the tokens' texts concatenate to the stored reply.
func TestEventLines(t *testing.T) {
	g := begun(t, plays(t, `
reply
prefill 12 30 5ms
text "*sighs* " 10ms id=7 logprob=-0.5
text "" 10ms id=8
bytes e9 10ms
bytes 9c 10ms
bytes b2 10ms
text " telephone" 30ms id=9
`))
	seed := uint64(7)
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	step, events := g.wait(r)
	var text strings.Builder
	var got []string
	for _, e := range events {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == story.TokenEvent {
			text.WriteString(e.Token.Text)
		}
		line := strings.NewReplacer(string(step.Turn.ID), "TURN", string(step.Alternative.ID), "ALT", string(g.branch.ID), "BRANCH").Replace(string(data))
		got = append(got, line)
	}
	want := []string{
		`{"event":"prefill","computed":12,"reused":30}`,
		`{"event":"token","id":7,"text":"*sighs* ","at_ms":15,"logprob":-0.5}`,
		`{"event":"cue","id":"sigh","kind":"action","start":0,"end":7}`,
		`{"event":"token","id":8,"text":"","at_ms":25}`,
		`{"event":"token","id":0,"text":"","at_ms":35}`,
		`{"event":"token","id":0,"text":"","at_ms":45}`,
		`{"event":"token","id":0,"text":"露","at_ms":55}`,
		`{"event":"token","id":9,"text":" telephone","at_ms":85}`,
	}
	for i, w := range want {
		if got[i] != w {
			t.Errorf("line %d:\n got %s\nwant %s", i, got[i], w)
		}
	}
	if !strings.HasPrefix(got[8], `{"event":"finding","code":"taboo","level":"error"`) {
		t.Errorf("finding: %s", got[8])
	}
	state := `{"event":"state","node":"landing","vars":{"day":1,"herbs":0,"sold":false,"trust":0,"warm":false},"beats":[],"exits":[{"id":"to_shop","to":"shop","label":"To the shop","open":true}`
	if !strings.HasPrefix(got[9], state) || !strings.HasSuffix(got[9], `"ended":false}`) {
		t.Errorf("state: %s", got[9])
	}
	done := `{"event":"done","branch":"BRANCH","turn":"TURN","alternative":"ALT","speaker":"adu","engine":"script","step":"full","reason":"stop","seed":7,"ttft_ms":15,"tokens":6,"gaps":[10,10,10,10,30]}`
	if got[10] != done {
		t.Errorf("done:\n got %s\nwant %s", got[10], done)
	}
	if text.String() != step.Alternative.Text || step.Alternative.Text != "*sighs* 露 telephone" {
		t.Errorf("text %q, stored %q", text.String(), step.Alternative.Text)
	}
	stored, err := g.Reader().Alternative(step.Alternative.ID)
	if err != nil || stored.Reply.Seed != 7 || len(stored.Reply.Tokens) != 6 || stored.Reply.Prompt == "" || stored.Reply.Persona.Ordinal != 1 {
		t.Errorf("stored %+v, %v", stored.Reply, err)
	}
	for _, seg := range stored.Reply.Segments {
		if _, err := g.Reader().Blob(seg.Blob); err != nil {
			t.Errorf("segment %s: %v", seg.Source, err)
		}
	}
}

// Ensure that characters cut in half by an engine are joined, bytes that are
// none are marked once, and a dangling tail is dropped (R19).
func TestWholeCharacters(t *testing.T) {
	for _, c := range []struct{ name, steps, want string }{
		{"one emoji in three tokens", "bytes f09f 1ms\nbytes 92 1ms\nbytes a1 1ms\n", "💡"},
		{"a family of emoji", "bytes f09f91a8e2 1ms\nbytes 808df09f91a9 1ms\n", "👨\u200d👩"},
		{"invalid bytes are marked once", "bytes 61ff62 1ms\n", "a\uFFFDb"},
		{"a dangling tail", "bytes 61f09f92 1ms\n", "a"},
		{"length in the middle", "bytes 61e9 1ms\nend length\n", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, plays(t, "reply\n"+c.steps))
			step, events := g.say(story.Input{Text: "Hi"})
			all := ""
			for _, e := range events {
				if e.Kind == story.TokenEvent {
					all += e.Token.Text
				}
			}
			if step.Alternative.Text != c.want || all != c.want {
				t.Errorf("stored %q, streamed %q, want %q", step.Alternative.Text, all, c.want)
			}
		})
	}
}

// Ensure that a failure before a token keeps the input, marked; that the plot's
// side of the input holds; and that a retry from S1 mends it.
func TestFailureBeforeAToken(t *testing.T) {
	for _, c := range []struct {
		name, script string
		is           error
		reason       engine.Reason
	}{
		{"fault", "reply\nfault \"device lost\"\nreply\nsay \"There.\"\n", nil, engine.Fault},
		{"nothing", "reply\nreply\nsay \"There.\"\n", story.ErrNoText, engine.Stop},
		{"refused", "reply\nrefuse \"no memory\"\nreply\nsay \"There.\"\n", engine.ErrUnavailable, engine.Fault},
		{"killed", "reply\nkill\nreply\nsay \"There.\"\n", nil, engine.Fault},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, plays(t, c.script), "herbs=1")
			r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Here are the herbs."}, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, step, err := r.Wait()
			if err == nil || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("Wait: %v", err)
			}
			a := step.Alternative
			if a.Status != story.Failed || step.Turn.Status != story.Failed || a.Text != "" || a.Reply.Reason != c.reason || a.Reply.Detail == "" {
				t.Errorf("%+v, reply %+v", a, a.Reply)
			}
			if step.Turn.Input.Text != "Here are the herbs." || a.State.Vars["trust"].Int != 2 || b.Leaf != a.ID {
				t.Errorf("the input is not kept: %+v", step.Turn)
			}
			if got := kinds(r.Events(0)); !strings.HasSuffix(got, "state done") {
				t.Errorf("events %s", got)
			}
			r, err = g.Retry(context.Background(), b.ID, a.ID, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			again, _ := g.wait(r)
			if again.Turn.ID != step.Turn.ID || again.Alternative.Text != "There." || again.Alternative.State.Vars["trust"].Int != 2 || again.Turn.Status != story.Finished {
				t.Errorf("retry: %+v", again)
			}
		})
	}
}

// Ensure that what came before a fault or a stop is kept, labelled, and has
// its say in the plot.
func TestPartialReply(t *testing.T) {
	t.Run("fault", func(t *testing.T) {
		g := begun(t, plays(t, "reply\nsay \"Thank you, str\"\nfault \"device lost\"\n"))
		step, _ := g.say(story.Input{Text: "Hi"})
		a := step.Alternative
		if a.Text != "Thank you, str" || a.Reply.Reason != engine.Fault || a.Reply.Detail != "device lost" || a.State.Node != "cave" || a.Status != story.Finished {
			t.Errorf("%+v, reply %+v", a, a.Reply)
		}
	})
	t.Run("stop", func(t *testing.T) {
		g := begun(t, plays(t, "reply\nsay \"Thank you\"\nhang\nreply\nsay \"Next.\"\n"))
		r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r.Snapshot().Text != "Thank you" {
			<-r.Changed()
		}
		r.Cancel()
		step, events := g.wait(r) // for ever, if it waited for the engine
		if a := step.Alternative; a.Text != "Thank you" || a.Reply.Reason != engine.Cancelled || a.State.Node != "cave" {
			t.Errorf("%+v", a)
		}
		if done := events[len(events)-1].Done; done == nil || done.Reason != engine.Cancelled {
			t.Errorf("done %+v", done)
		}
	})
	t.Run("stop before a token", func(t *testing.T) {
		g := begun(t, plays(t, "reply\nhang\n"))
		ctx, cancel := context.WithCancel(context.Background())
		r, err := g.Say(ctx, g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		_, step, err := r.Wait()
		if !errors.Is(err, context.Canceled) || step.Alternative.Status != story.Failed || step.Alternative.Reply.Reason != engine.Cancelled || step.Turn.Input.Text != "Hi" {
			t.Errorf("%v, %+v", err, step)
		}
	})
}

// Ensure that an engine which panics, or does not stop when told, harms
// nothing (R23).
func TestBadEngine(t *testing.T) {
	t.Run("panic", func(t *testing.T) {
		e := &spy{answer: func(context.Context, engine.Request) (engine.Stream, error) { return panicky{}, nil }}
		g := begun(t, rungs{{Engine: e}})
		r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, step, err := r.Wait(); err == nil || step.Alternative.Status != story.Failed {
			t.Errorf("%v, %+v", err, step)
		}
	})
	t.Run("deaf", func(t *testing.T) {
		release := make(chan struct{})
		e := &spy{answer: func(context.Context, engine.Request) (engine.Stream, error) { return &deaf{release}, nil }}
		g := begun(t, rungs{{Engine: e}})
		r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.Cancel()
		_, _, err = r.Wait() // for ever, if it waited for the engine
		close(release)
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

type panicky struct{}

func (panicky) Next() (engine.Event, error) { panic("no") }

type deaf struct{ release chan struct{} }

func (d *deaf) Next() (engine.Event, error) {
	<-d.release
	return engine.Done{Reason: engine.Stop}, nil
}

// Ensure that rungs are tried in order while nothing came, that the reply says
// which one served and why, and that there is no falling back later.
func TestRungs(t *testing.T) {
	unavailable := func(context.Context, engine.Request) (engine.Stream, error) {
		return nil, fmt.Errorf("no model: %w", engine.ErrUnavailable)
	}
	dead := func(context.Context, engine.Request) (engine.Stream, error) {
		return &listed{[]engine.Event{engine.Prefill{}, engine.Done{Reason: engine.Fault, Err: fmt.Errorf("gone: %w", engine.ErrUnavailable)}}}, nil
	}
	half := func(context.Context, engine.Request) (engine.Stream, error) {
		return &listed{[]engine.Event{engine.Token{Text: "Half"}, engine.Done{Reason: engine.Fault, Err: engine.ErrUnavailable}}}, nil
	}
	long := func(context.Context, engine.Request) (engine.Stream, error) { return nil, engine.ErrTooLong }
	broken := func(context.Context, engine.Request) (engine.Stream, error) { return nil, engine.ErrIncompatible }
	rung := func(name string, answer func(context.Context, engine.Request) (engine.Stream, error)) engine.Rung {
		return engine.Rung{Engine: &spy{answer: answer, info: engine.Info{Name: name}}, Step: name}
	}
	for _, c := range []struct {
		name   string
		ladder rungs
		step   string
		why    string
		text   string
		is     error
	}{
		{"the first serves", rungs{rung("full", says("A")), rung("recall", says("B"))}, "full", "", "A", nil},
		{"Generate fails", rungs{rung("full", unavailable), rung("recall", says("B"))}, "recall", "no model", "B", nil},
		{"the stream fails before a token", rungs{rung("full", dead), rung("smaller", unavailable), rung("recall", says("B"))}, "recall", "no model", "B", nil},
		{"no falling back after a token", rungs{rung("full", half), rung("recall", says("B"))}, "full", "", "Half", nil},
		{"another fault", rungs{rung("full", broken), rung("recall", says("B"))}, "recall", "incompatible", "B", nil},
		{"too long is refused, not shortened", rungs{rung("full", long), rung("recall", says("B"))}, "full", "", "", engine.ErrTooLong},
		{"none", rungs{rung("full", unavailable), rung("recall", unavailable)}, "recall", "no model", "", engine.ErrUnavailable},
		{"no rung at all", nil, "", "", "", story.ErrNoEngine},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, c.ladder)
			r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, step, err := r.Wait()
			if !errors.Is(err, c.is) {
				t.Errorf("err %v", err)
			}
			a := step.Alternative
			if a.Text != c.text || a.Reply.Step != c.step || c.why == "" && a.Reply.Why != "" || !strings.Contains(a.Reply.Why, c.why) {
				t.Errorf("text %q, step %q, why %q", a.Text, a.Reply.Step, a.Reply.Why)
			}
		})
	}
}

// Ensure that a seed is drawn and stored, and that an asked one is sent.
func TestSeed(t *testing.T) {
	e := &spy{answer: says("A")}
	g := begun(t, rungs{{Engine: e}})
	for range 2 {
		step, _ := g.say(story.Input{Text: "Hi"})
		if r := e.requests[len(e.requests)-1]; r.Seed == 0 || r.Seed>>53 != 0 || step.Alternative.Reply.Seed != r.Seed {
			t.Errorf("sent %d, stored %d", r.Seed, step.Alternative.Reply.Seed)
		}
	}
	if e.requests[0].Seed == e.requests[1].Seed {
		t.Error("the same seed was drawn twice")
	}
}

// Ensure that shown figures are the script's: one stall is in the gaps, a
// reply of one token has none, held-back text is no decoded token (R53).
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		name, script string
		ttft         time.Duration
		tokens       int
		gaps         []time.Duration
	}{
		{"a stall", "reply\nprefill 9 0 20ms\ntext a 10ms\ntext b 5ms\ntext c 70ms\n", 30 * time.Millisecond, 3, []time.Duration{5 * time.Millisecond, 70 * time.Millisecond}},
		{"one token", "reply\ntext a 10ms\n", 10 * time.Millisecond, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, plays(t, strings.NewReplacer("text a", `text "a"`, "text b", `text "b"`, "text c", `text "c"`).Replace(c.script)))
			_, events := g.say(story.Input{Text: "Hi"})
			d := events[len(events)-1].Done
			if d.TTFT != c.ttft || d.Tokens != c.tokens || fmt.Sprint(d.Gaps) != fmt.Sprint(c.gaps) {
				t.Errorf("%+v", d)
			}
		})
	}
	t.Run("tail", func(t *testing.T) {
		e := &spy{answer: func(context.Context, engine.Request) (engine.Stream, error) {
			return &listed{[]engine.Event{engine.Token{ID: 1, Text: "a", At: 5}, engine.Done{Reason: engine.Stop, Tail: "\nPl"}}}, nil
		}}
		g := begun(t, rungs{{Engine: e}})
		step, events := g.say(story.Input{Text: "Hi"})
		if d := events[len(events)-1].Done; d.Tokens != 1 || len(d.Gaps) != 0 || step.Alternative.Text != "a\nPl" {
			t.Errorf("%+v, %q", d, step.Alternative.Text)
		}
	})
}

// Ensure that one reply is in flight on a branch, that reads do not wait for
// it, and that other branches go on.
func TestConcurrency(t *testing.T) {
	g := begun(t, plays(t, "reply\nmatch \"wait\"\nsay \"A moment\"\nhang\nreply\nsay \"Yes.\" 1ms\n"))
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Wait"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{}); !errors.Is(err, story.ErrBusy) {
		t.Errorf("second reply: %v", err)
	}
	if g.Running(g.branch.ID) != r {
		t.Error("the running turn is not known")
	}
	if _, err := g.Reader().Path(g.branch.Leaf); err != nil {
		t.Error(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			b, _, err := g.Begin(story.Start{})
			if err != nil {
				t.Error(err)
				return
			}
			for range 5 {
				other, err := g.Say(context.Background(), b.ID, story.Input{Text: "Hi"}, story.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				for open := true; open; {
					select {
					case <-other.Changed():
						_ = other.Snapshot()
						_ = other.Events(0)
					case <-other.Done():
						open = false
					}
				}
			}
		})
	}
	all.Wait()
	if err := g.Close(); err != nil { // stops the reply and keeps it
		t.Fatal(err)
	}
	if _, step, err := r.Wait(); err != nil || step.Alternative.Text == "" || step.Alternative.Reply.Reason != engine.Cancelled {
		t.Errorf("%v, %+v", err, step.Alternative)
	}
}
