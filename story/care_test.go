package story_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that a deleted branch comes back with its name, or with another one
// where its own was given away.
func TestRestoreHidden(t *testing.T) {
	g := newGame(t, plays(t, ""))
	g.begin(story.Start{Name: "main"})
	g.say(story.Input{Text: "Good day."})
	b := g.branch
	for _, want := range []string{"main", "main-1"} {
		if err := g.DeleteBranch(b.ID); err != nil {
			t.Fatal(err)
		}
		if want != "main" {
			g.begin(story.Start{Name: "main"})
		}
		hidden, herr := g.Reader().Hidden()
		if herr != nil || len(hidden) != 1 {
			t.Fatal(hidden, herr)
		}
		back, err := g.Restore(hidden[0])
		if err != nil || back.Name != want || !back.Hidden.IsZero() {
			t.Fatalf("%+v, %v", back, err)
		}
		if path, err := g.Reader().Path(back.Leaf); err != nil || len(path) != 2 {
			t.Errorf("%d steps, %v", len(path), err)
		}
	}
}

// Ensure that ids and branches stay in the order of what happened when the clock
// is set back between and during sessions.
func TestClockSetBack(t *testing.T) {
	g := newGame(t, plays(t, ""))
	clock := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	g.config.Now = func() time.Time { return clock }
	var ids []story.ID
	for i := range 6 {
		clock = clock.AddDate(0, 0, -100)
		if i%3 == 0 {
			if err := g.Close(); err != nil {
				t.Fatal(err)
			}
			g.open()
		}
		step := g.begin(story.Start{})
		ids = append(ids, step.Turn.ID, step.Alternative.ID)
		step, _ = g.say(story.Input{Text: "Good day."})
		ids = append(ids, step.Turn.ID, step.Alternative.ID)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids are not in order: %v", ids)
	}
	all, err := g.Reader().Branches()
	if err != nil || all[0].ID != g.branch.ID {
		t.Errorf("the branch used last is not the first: %v, %v", all, err)
	}
}

// fullStore takes no reply while it is full. It may fill with the next input it takes,
// for the reply to that input is on its way as soon as the input is stored.
type fullStore struct {
	*store.Store
	full, filling atomic.Bool
}

func (s *fullStore) Finish(a story.Alternative, status story.Status, b story.Branch, blobs map[string]string) error {
	if s.full.Load() {
		return store.ErrFull
	}
	return s.Store.Finish(a, status, b, blobs)
}

func (s *fullStore) Begin(p *story.Playthrough, b *story.Branch, t story.Turn) error {
	if s.full.Load() {
		return store.ErrFull
	}
	err := s.Store.Begin(p, b, t)
	s.full.Store(s.filling.Load())
	return err
}

// Ensure that a reply which the store could not take is kept and stored before
// the next turn, or at the end, and that meanwhile nothing hangs below it.
func TestOwed(t *testing.T) {
	g := newGame(t, plays(t, ""))
	full := &fullStore{Store: g.store}
	g.config.Store = full
	var err error
	if g.Session, err = story.New(g.config); err != nil {
		t.Fatal(err)
	}
	g.begin(story.Start{})
	for _, next := range []bool{true, false} {
		full.filling.Store(true)
		r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Good day."}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Wait(); !errors.Is(err, store.ErrFull) {
			t.Fatalf("%v", err)
		}
		if owed := g.Owed(); len(owed) != 1 || owed[0].Text == "" {
			t.Fatalf("owed: %+v", owed)
		}
		if _, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "And now?"}, story.Options{}); !errors.Is(err, store.ErrFull) {
			t.Errorf("a turn below what is not stored: %v", err)
		}
		full.filling.Store(false)
		full.full.Store(false)
		if next {
			if step, _ := g.say(story.Input{Text: "And now?"}); step.Turn.Depth != 2 {
				t.Errorf("depth %d", step.Turn.Depth)
			}
		}
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	g.config.Store = nil
	g.open()
	b, err := g.Reader().Branch(string(g.branch.ID))
	if err != nil {
		t.Fatal(err)
	}
	path, err := g.Reader().Path(b.Leaf)
	if err != nil || len(path) != 4 {
		t.Fatalf("%d steps, %v", len(path), err)
	}
	for _, s := range path[1:] {
		if s.Alternative.Text == "" || s.Turn.Status != story.Finished {
			t.Errorf("%+v", s)
		}
	}
}
