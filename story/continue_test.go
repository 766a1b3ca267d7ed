package story_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Ensure that a reply that was cut goes on from its last token with as much room
// as it had, beside the old one, and that one which ended is refused.
func TestContinue(t *testing.T) {
	e := &speller{info: engine.Info{Kind: engine.GGUF, Name: "speller", Build: engine.Build{BaseHash: "x"}}, reason: engine.Length}
	g := begun(t, rungs{{Engine: e}})
	first, _ := g.say(story.Input{Text: "Hi"})
	e.reason, e.more = engine.Stop, 3
	r, err := g.Continue(context.Background(), g.branch.ID, first.Alternative.ID, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	step, _ := g.wait(r)
	if a := step.Alternative; a.Text != "abcdefgh" || a.Reply.Fork == nil || *a.Reply.Fork != (story.Fork{From: first.Alternative.ID, At: 5, On: true}) {
		t.Errorf("%q, fork %+v", a.Text, a.Reply.Fork)
	}
	if was, is := e.asks[0].Sampling.MaxTokens, e.asks[1].Sampling.MaxTokens; is != was+5 {
		t.Errorf("room for %d tokens, want %d more than %d", is, 5, was)
	}
	if _, err := g.Continue(context.Background(), g.branch.ID, step.Alternative.ID, story.Options{}); !errors.Is(err, story.ErrNothing) {
		t.Errorf("a reply that ended by itself: %v", err)
	}
	g.sound()
}

// Ensure that a segment that is switched off is not sent, that the reply says so,
// and that a replay leaves it out as well.
func TestWithout(t *testing.T) {
	s := &spy{answer: says("Look."), info: engine.Info{Kind: engine.GGUF, Name: "spy"}}
	g := begun(t, rungs{{Engine: s}})
	first, _ := g.say(story.Input{Text: "who are you"})
	off := []prompt.Part{{Kind: prompt.Cover}}
	r, err := g.Retry(context.Background(), g.branch.ID, first.Alternative.ID, story.Options{Without: off, Seed: &first.Alternative.Reply.Seed})
	if err != nil {
		t.Fatal(err)
	}
	step, _ := g.wait(r)
	a, err := g.Reader().Alternative(step.Alternative.ID)
	if err != nil {
		t.Fatal(err)
	}
	has := func(list []story.SegmentRef) bool {
		return slices.ContainsFunc(list, func(s story.SegmentRef) bool { return s.Kind == prompt.Cover })
	}
	if !has(first.Alternative.Reply.Segments) || has(a.Reply.Segments) || !slices.Equal(a.Reply.Without, off) {
		t.Errorf("segments %v, without %v", a.Reply.Segments, a.Reply.Without)
	}
	if !slices.ContainsFunc(a.Reply.Dropped, func(d prompt.Dropped) bool { return d.Why == prompt.WhyAsked }) {
		t.Errorf("dropped: %+v", a.Reply.Dropped)
	}
	for _, m := range s.requests[1].Messages {
		if strings.Contains(strings.Join(m.Parts, ""), "something you hide") {
			t.Errorf("the cover was sent: %q", m.Parts)
		}
	}
	err = g.Replay(context.Background(), a.ID, a.ID, story.ReplayOptions{PromptsOnly: true}, func(r story.Replayed) error {
		if len(r.Changed) > 0 {
			t.Errorf("a replay sends something else: %+v", r.Changed)
		}
		return r.Err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Ensure that the prompt of a stored reply reads as it was sent.
func TestSent(t *testing.T) {
	g := begun(t, plays(t, ""))
	step, _ := g.say(story.Input{Text: "who are you"})
	sent, err := g.Sent(context.Background(), step.Alternative)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(sent.Segments); n == 0 || sent.Segments[n-1].Text != "who are you" || sent.Segments[0].Kind != prompt.Rules || sent.Marks != nil {
		t.Errorf("%+v", sent)
	}
	if _, err := g.Sent(context.Background(), story.Alternative{}); !errors.Is(err, story.ErrNothing) {
		t.Errorf("a turn without an engine: %v", err)
	}
}

// Ensure that what the player is like is counted over acts, not over variables.
func TestProfile(t *testing.T) {
	g := newGame(t, plays(t, ""))
	script := ferryScript(t, nil)
	script.Var("herbs").Words = []plot.Word{{When: source.Cond{Src: "herbs >= 2"}, Text: personas.Text{Plain: "picks herbs"}}}
	g.begin(story.Start{})
	g.say(story.Input{Choose: "buys"})
	g.say(story.Input{Text: "here are the herbs"})
	path, err := g.Reader().Path(g.leaf())
	if err != nil {
		t.Fatal(err)
	}
	got := story.Profile(script, path, "en")
	if len(got) != 1 || got[0].Var != "herbs" || got[0].Acts != 1 || got[0].Of != 3 || len(got[0].Words) != 0 {
		t.Errorf("%+v", got)
	}
}
