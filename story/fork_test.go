package story_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"fabula/engine"
	"fabula/story"
)

// speller gives the tokens a, b, c …, after those that it is to begin with.
type speller struct {
	info   engine.Info
	asks   []engine.Request
	reason engine.Reason // empty = stop
	more   int           // tokens beside those that were given; 0 = five in all
}

func (s *speller) Info() engine.Info { return s.info }
func (s *speller) Close() error      { return nil }
func (s *speller) Generate(_ context.Context, r engine.Request) (engine.Stream, error) {
	s.asks = append(s.asks, r)
	var events []engine.Event
	letter := func(id int32) string { return string(rune('a' + id)) }
	for _, id := range r.Begin {
		events = append(events, engine.Token{ID: id, Text: letter(id), Given: true, At: time.Millisecond})
	}
	next := int32(0)
	if n := len(r.Begin); n > 0 {
		next = r.Begin[n-1] + 1
	}
	most, reason := 5, engine.Stop
	if s.more > 0 {
		most = len(r.Begin) + s.more
	}
	if s.reason != "" {
		reason = s.reason
	}
	for id := next; id < 26 && len(events) < most; id++ {
		events = append(events, engine.Token{ID: id, Text: letter(id), At: time.Duration(len(events)+2) * time.Millisecond,
			Top: []engine.TopToken{{ID: id, Text: letter(id), Logprob: -0.1}, {ID: id + 10, Text: letter(id + 10), Logprob: -3}}})
	}
	return &listed{append(events, engine.Done{Reason: reason})}, nil
}

// Ensure that a reply is continued from another token than was drawn: an
// alternative that shares what came before, and says so.
func TestForkAt(t *testing.T) {
	e := &speller{info: engine.Info{Kind: engine.GGUF, Name: "speller", Build: engine.Build{BaseHash: "x"}}}
	g := begun(t, rungs{{Engine: e}})
	first, _ := g.say(story.Input{Text: "Hi"})
	if first.Alternative.Text != "abcde" {
		t.Fatalf("%q", first.Alternative.Text)
	}
	r, err := g.ForkAt(context.Background(), g.branch.ID, first.Alternative.ID, 2, 12, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	step, _ := g.wait(r)
	a := step.Alternative
	if a.Text != "abmno" || step.Turn.ID != first.Turn.ID || g.branch.Leaf != a.ID {
		t.Errorf("%q in %+v", a.Text, step.Turn)
	}
	stored, err := g.Reader().Alternative(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	reply := stored.Reply
	if reply.Fork == nil || *reply.Fork != (story.Fork{From: first.Alternative.ID, At: 2}) || !reply.Tokens[2].Given || reply.Tokens[3].Given || reply.Tokens[3].Top[1].ID != 23 {
		t.Errorf("stored %+v", reply)
	}
	if flat(e.asks[0]) != flat(e.asks[1]) || len(e.asks[1].Begin) != 3 {
		t.Errorf("asked %+v", e.asks[1])
	}
	g.sound()
}

// Ensure that no other engine goes on from tokens that mean something else to
// it, and that a token which is not there is refused.
func TestForkRefused(t *testing.T) {
	e := &speller{info: engine.Info{Kind: engine.GGUF, Name: "speller", Build: engine.Build{BaseHash: "x"}}}
	g := begun(t, rungs{{Engine: e}})
	first, _ := g.say(story.Input{Text: "Hi"})
	for _, at := range []int{-1, 5} {
		if _, err := g.ForkAt(context.Background(), g.branch.ID, first.Alternative.ID, at, 1, story.Options{}); !errors.Is(err, story.ErrNothing) {
			t.Errorf("token %d: %v", at, err)
		}
	}
	e.info.Build.BaseHash = "y"
	r, err := g.ForkAt(context.Background(), g.branch.ID, first.Alternative.ID, 1, 12, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Wait(); !errors.Is(err, story.ErrNoEngine) {
		t.Errorf("another model went on: %v", err)
	}
	if turn, _ := g.Reader().Turn(first.Turn.ID); len(turn.Children) != 1 {
		t.Errorf("a refused fork left something: %+v", turn.Children)
	}
}
