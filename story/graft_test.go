package story_test

import (
	"errors"
	"testing"
	"time"

	"fabula/story"
	"fabula/story/plot"
)

func told(player string, chosen int, replies ...string) story.Told {
	t := story.Told{Player: player, Chosen: chosen, Made: time.Unix(1e9, 0)}
	for _, r := range replies {
		t.Replies = append(t.Replies, story.Said{By: "adu", Text: r, Made: t.Made})
	}
	return t
}

// Talks that begin alike share that; what is chosen leads on, the rest is beside it.
func TestGraft(t *testing.T) {
	f := newGame(t, plays(t, ""))
	first := story.Talk{Name: "old chat", With: "adu", Turns: []story.Told{told("", 1, "Ho.", "Hi."), told("Salt?", 0, "No.", "Yes."), told("Bye.", 0)}}
	second := story.Talk{Name: "old chat", With: "adu", Turns: []story.Told{told("", 0, "Hi."), told("Salt?", 0, "No."), told("Why?", 0, "Because.")}}
	first.Turns[1].Lines = []plot.Played{{ID: "narration.imported", Text: "It rains.", Kind: "line"}}
	second.Turns[1].Lines = first.Turns[1].Lines
	grown, err := f.Graft([]story.Talk{first, second})
	if err != nil {
		t.Fatal(err)
	}
	if grown[0].Turns != 3 || grown[0].Alternatives != 5 || grown[1].Turns != 1 || grown[1].Branch.Name == grown[0].Branch.Name {
		t.Errorf("grown: %+v", grown)
	}
	a, err := f.Reader().Path(grown[0].Branch.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Reader().Path(grown[1].Branch.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 3 || len(b) != 3 || a[1].Alternative.ID != b[1].Alternative.ID || a[2].Turn.ID == b[2].Turn.ID {
		t.Fatalf("paths of %d and %d steps", len(a), len(b))
	}
	if got := a[0].Alternative.Lines; len(got) != 1 || got[0].Text != "Hi." || len(a[0].Turn.Children) != 2 {
		t.Errorf("the opening is %+v", a[0])
	}
	if a[1].Alternative.Text != "No." || a[1].Alternative.Lines[0].Text != "It rains." || len(a[1].Turn.Children) != 2 || a[2].Alternative.Text != "" || !a[1].Turn.Input.Sandbox {
		t.Errorf("turn 1 is %+v", a[1])
	}
	f.sound()
	if len(b[2].Alternative.State.Beats) > 0 || b[2].Alternative.State.TurnsTotal != 2 {
		t.Errorf("the state is %+v", b[2].Alternative.State)
	}
}

// One talk that does not fit leaves nothing of the others.
func TestGraftIsAllOrNothing(t *testing.T) {
	f := newGame(t, plays(t, ""))
	good := story.Talk{Name: "good", With: "adu", Turns: []story.Told{told("", 0, "Hi.")}}
	bad := story.Talk{Name: "bad", With: "adu", Node: "nowhere", Turns: good.Turns}
	bad.Turns = []story.Told{told("", 0, "Ho.")}
	if _, err := f.Graft([]story.Talk{good, bad}); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("an unknown node gives %v", err)
	}
	if _, err := f.Graft([]story.Talk{good, {Name: "empty"}}); !errors.Is(err, story.ErrNothing) {
		t.Errorf("an empty talk gives %v", err)
	}
	if all, err := f.Reader().Branches(); err != nil || len(all) > 0 {
		t.Errorf("left behind: %v, %v", all, err)
	}
}
