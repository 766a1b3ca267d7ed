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
