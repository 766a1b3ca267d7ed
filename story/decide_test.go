package story_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/plot"
)

// Ensure that a person's no takes a beat back on that branch only: the old turn
// stays as it was, the reply is kept, and the state is that of a turn without
// the beat.
func TestRejectABeat(t *testing.T) {
	g := begun(t, plays(t, ""), "herbs=1")
	step, _ := g.say(story.Input{Text: "Here are the herbs."})
	if len(step.Turn.Fired) != 2 || step.Turn.Fired[0].Evidence.Rung != plot.Keywords {
		t.Fatalf("fired %+v", step.Turn.Fired)
	}
	kept := g.branch
	b, now, err := g.Decide(kept.ID, step.Alternative.ID, "gives_herbs", false)
	if err != nil {
		t.Fatal(err)
	}
	a := now.Alternative
	if len(now.Turn.Fired) != 1 || a.State.Vars["herbs"].Int != 1 || a.State.Vars["trust"].Int != 1 || a.Text != step.Alternative.Text {
		t.Errorf("fired %v, vars %v, text %q", now.Turn.Fired, a.State.Vars, a.Text)
	}
	if b.ID != kept.ID || b.Leaf != a.ID || now.Turn.ID == step.Turn.ID || now.Turn.Parent != step.Turn.Parent {
		t.Errorf("branch %s at %s, turn %s below %s", b.ID, b.Leaf, now.Turn.ID, now.Turn.Parent)
	}
	old, err := g.Reader().Alternative(step.Alternative.ID)
	if err != nil || old.State.Vars["trust"].Int != 2 {
		t.Errorf("the old one: %v, %v", old.State.Vars, err)
	}
	if _, _, err := g.Decide(b.ID, a.ID, "gives_herbs", false); !errors.Is(err, story.ErrNothing) {
		t.Errorf("twice: %v", err)
	}
	b, again, err := g.Decide(b.ID, a.ID, "landing.gives_herbs", true)
	if err != nil || again.Alternative.State.Vars["trust"].Int != 2 || again.Turn.Fired[0].Evidence.Rung != plot.ByHand {
		t.Errorf("accepted again: %v, %v", again.Turn.Fired, err)
	}
	if !slices.Equal(again.Turn.Decided, []story.Decision{{Beat: "landing.gives_herbs", Happened: true}}) {
		t.Errorf("decided %v", again.Turn.Decided)
	}
	g.sound()
}

// Ensure that a decision further up makes a branch of its own, and that nothing
// below the old turn changes.
func TestDecideFurtherUp(t *testing.T) {
	g := begun(t, plays(t, ""), "herbs=1")
	first, _ := g.say(story.Input{Text: "Hello."})
	g.say(story.Input{Text: "And then?"})
	was := g.branch
	b, step, err := g.Decide(was.ID, first.Alternative.ID, "gives_herbs", true)
	if err != nil {
		t.Fatal(err)
	}
	if b.ID == was.ID || b.Leaf != step.Alternative.ID || step.Alternative.State.Vars["trust"].Int != 1 {
		t.Errorf("branch %s, leaf %s, vars %v", b.ID, b.Leaf, step.Alternative.State.Vars)
	}
	still, err := g.Reader().Branch(string(was.ID))
	if err != nil || still.Leaf != was.Leaf {
		t.Errorf("the old branch ends at %s, not %s: %v", still.Leaf, was.Leaf, err)
	}
	g.sound()
}

// Ensure that a beat of the reply is decided beside it, and what is no beat of
// the node is refused by name.
func TestDecideTheReplysBeat(t *testing.T) {
	g := begun(t, plays(t, "reply\n say \"Thank you, stranger.\"\n"))
	step, _ := g.say(story.Input{Text: "Well?"})
	if len(step.Alternative.Fired) != 1 {
		t.Fatalf("fired %v", step.Alternative.Fired)
	}
	_, now, err := g.Decide(g.branch.ID, step.Alternative.ID, "warms", false)
	if err != nil {
		t.Fatal(err)
	}
	if now.Turn.ID != step.Turn.ID || len(now.Alternative.Fired) != 0 || now.Alternative.State.Node != "landing" {
		t.Errorf("turn %s, fired %v, at %s", now.Turn.ID, now.Alternative.Fired, now.Alternative.State.Node)
	}
	if _, _, err := g.Decide(g.branch.ID, now.Alternative.ID, "nothing", true); !errors.Is(err, story.ErrNotFound) || !strings.Contains(err.Error(), "gives_herbs") {
		t.Errorf("%v", err)
	}
	g.sound()
}

// Ensure that a beat can be marked by hand in the turn itself.
func TestMarkABeat(t *testing.T) {
	g := begun(t, plays(t, ""), "herbs=1")
	step, _ := g.say(story.Input{Text: "Take these.", Mark: []string{"gives_herbs"}})
	if len(step.Turn.Fired) != 1 || step.Turn.Fired[0].Evidence.Rung != plot.ByHand || step.Alternative.State.Vars["trust"].Int != 1 {
		t.Errorf("fired %+v, vars %v", step.Turn.Fired, step.Alternative.State.Vars)
	}
	if err := g.refused(story.Input{Text: "Take these.", Mark: []string{"gives_gold"}}); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
