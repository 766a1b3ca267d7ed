package story_test

import (
	"context"
	"errors"
	"testing"

	"fabula/story"
)

// leaf gives the leaf of the game's branch as it is stored.
func (g *game) leaf() story.ID {
	g.t.Helper()
	b, err := g.Reader().Branch(string(g.branch.ID))
	if err != nil {
		g.t.Fatal(err)
	}
	return b.Leaf
}

// retried takes the last turn again.
func (g *game) retried(of story.ID) story.Step {
	g.t.Helper()
	r, err := g.Retry(context.Background(), g.branch.ID, of, story.Options{})
	if err != nil {
		g.t.Fatal(err)
	}
	step, _ := g.wait(r)
	return step
}

// Ensure that undo goes back to every leaf that the branch had, over a restart
// too, that redo goes forth again, and that nothing is deleted.
func TestUndoGoesBackThroughLeaves(t *testing.T) {
	g := begun(t, plays(t, ""))
	opening := g.branch.Leaf
	first, _ := g.say(story.Input{Text: "one"})
	second := g.retried(first.Alternative.ID)
	third, _ := g.say(story.Input{Text: "two"})
	way := []story.ID{third.Alternative.ID, second.Alternative.ID, first.Alternative.ID, opening}
	for i, want := range way {
		if g.leaf() != want {
			t.Fatalf("undo %d: leaf %s, want %s", i, g.leaf(), want)
		}
		if i == 1 {
			if err := g.Close(); err != nil {
				t.Fatal(err)
			}
			g.open()
		}
		if i < len(way)-1 {
			if u, err := g.Undo(g.branch.ID); err != nil || u.Kind != story.Moving {
				t.Fatalf("undo %d: %+v, %v", i, u, err)
			}
		}
	}
	if _, err := g.Undo(g.branch.ID); !errors.Is(err, story.ErrNothing) {
		t.Errorf("undo at the opening: %v", err)
	}
	for i := len(way) - 2; i >= 0; i-- {
		if _, err := g.Redo(g.branch.ID); err != nil || g.leaf() != way[i] {
			t.Fatalf("redo to %d: leaf %s, want %s (%v)", i, g.leaf(), way[i], err)
		}
	}
	if _, err := g.Redo(g.branch.ID); !errors.Is(err, story.ErrNothing) {
		t.Errorf("redo at the end: %v", err)
	}
	if _, err := g.Undo(g.branch.ID); err != nil {
		t.Fatal(err)
	}
	g.say(story.Input{Text: "other"})
	if _, err := g.Redo(g.branch.ID); !errors.Is(err, story.ErrNothing) {
		t.Errorf("redo after something new: %v", err)
	}
	g.sound()
}

// Ensure that marks, titles, names and deleted branches come back, the newest
// change first, and go again.
func TestUndoOfMarksNamesAndDeletes(t *testing.T) {
	g := begun(t, plays(t, ""))
	step, _ := g.say(story.Input{Text: "one"})
	id := step.Alternative.ID
	if _, err := g.Mark(id, true, "good"); err != nil {
		t.Fatal(err)
	}
	other, err := g.BranchAt(id, "spare")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Rename(g.branch.ID, "main"); err != nil {
		t.Fatal(err)
	}
	if err := g.DeleteBranch(other.ID); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		a, _ := g.Reader().Alternative(id)
		b, _ := g.Reader().Branch(string(g.branch.ID))
		_, err := g.Reader().Branch("spare")
		s := b.Name
		if a.Mark {
			s += " marked " + a.Title
		}
		if err == nil {
			s += " spare"
		}
		return s
	}
	name := g.branch.Name
	states := []string{"main marked good", "main marked good spare", name + " marked good spare", name + " spare"}
	for i, want := range states {
		if got := state(); got != want {
			t.Fatalf("after %d undone: %q, want %q", i, got, want)
		}
		if i < len(states)-1 {
			if _, err := g.Undo(g.branch.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := len(states) - 2; i >= 0; i-- {
		if _, err := g.Redo(g.branch.ID); err != nil || state() != states[i] {
			t.Fatalf("redo to %d: %q, want %q (%v)", i, state(), states[i], err)
		}
	}
	g.sound()
}

// Ensure that undo leaves a branch alone on which a reply is in flight.
func TestUndoWhileBusy(t *testing.T) {
	g := begun(t, plays(t, "reply\nhang\n"))
	ctx, stop := context.WithCancel(context.Background())
	r, err := g.Say(ctx, g.branch.ID, story.Input{Text: "one"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Undo(g.branch.ID); !errors.Is(err, story.ErrBusy) {
		t.Errorf("undo during a reply: %v", err)
	}
	stop()
	_, _, _ = r.Wait()
}

// Ensure that the newest change of a playthrough is found on whichever branch it
// was made, back and forth.
func TestNewestOfAllBranches(t *testing.T) {
	g := begun(t, plays(t, ""))
	main := g.branch
	g.say(story.Input{Text: "one"})
	other, err := g.BranchAt(g.leaf(), "other")
	if err != nil {
		t.Fatal(err)
	}
	g.branch = other
	g.say(story.Input{Text: "two"})
	g.branch = main
	g.say(story.Input{Text: "three"})
	for _, forth := range []bool{false, true} {
		for _, want := range map[bool][]story.ID{false: {main.ID, other.ID}, true: {other.ID, main.ID}}[forth] {
			got, err := g.Newest(main.Playthrough, forth)
			if err != nil || got != want {
				t.Fatalf("newest, forth %v: %s, %v, want %s", forth, got, err, want)
			}
			step := g.Undo
			if forth {
				step = g.Redo
			}
			if _, err := step(got); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Ensure that the name of a branch on which a reply is in flight is not changed
// from another one: the turn would store it as it was.
func TestUndoWaitsForTheOtherBranch(t *testing.T) {
	g := begun(t, plays(t, "reply\nmatch \"wait\"\nsay \"A moment\"\nhang\nreply\nsay \"Yes.\" 1ms\n"))
	other, err := g.BranchAt(g.leaf(), "other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Rename(other.ID, "renamed"); err != nil {
		t.Fatal(err)
	}
	r, err := g.Say(context.Background(), other.ID, story.Input{Text: "Wait"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Undo(g.branch.ID); !errors.Is(err, story.ErrBusy) {
		t.Errorf("undo of a name while its branch is busy: %v", err)
	}
	r.Cancel()
	_, _, _ = r.Wait()
	if b, err := g.Reader().Branch(string(other.ID)); err != nil || b.Name != "renamed" {
		t.Errorf("the branch is called %q, %v", b.Name, err)
	}
}
