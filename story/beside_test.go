package story_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/story"
)

// chorus answers every request by its seed, once opened for it; a seed that is
// told to fail ends without text.
type chorus struct {
	mu   sync.Mutex
	asks []engine.Request
	open map[uint64]chan struct{} // nil: at once
	fail map[uint64]bool
}

func (c *chorus) Info() engine.Info { return engine.Info{Kind: engine.Scripted, Name: "chorus"} }
func (c *chorus) Close() error      { return nil }
func (c *chorus) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks = append(c.asks, r)
	return &voice{ctx: ctx, open: c.open[r.Seed], fail: c.fail[r.Seed], text: fmt.Sprintf("voice %d", r.Seed)}, nil
}

type voice struct {
	ctx  context.Context
	open chan struct{}
	fail bool
	text string
	n    int
}

func (v *voice) Next() (engine.Event, error) {
	if v.n++; v.n == 1 && !v.fail {
		return engine.Token{ID: 3, Text: v.text, At: time.Millisecond}, nil
	}
	if v.n > 2 {
		return nil, io.EOF
	}
	if v.open != nil {
		select {
		case <-v.open:
		case <-v.ctx.Done():
			return engine.Done{Reason: engine.Cancelled}, nil
		}
	}
	if v.fail {
		return engine.Done{Reason: engine.Fault, Err: errors.New("lost its voice")}, nil
	}
	return engine.Done{Reason: engine.Stop}, nil
}

func (g *game) said(turn story.ID) string {
	t, err := g.Reader().Turn(turn)
	if err != nil {
		g.t.Fatal(err)
	}
	var all []string
	for _, id := range t.Children {
		a, err := g.Reader().Alternative(id)
		if err != nil {
			g.t.Fatal(err)
		}
		all = append(all, a.Text)
	}
	return strings.Join(all, ", ")
}

func (g *game) leafText() string {
	b, err := g.Reader().Branch(string(g.branch.ID))
	if err != nil {
		g.t.Fatal(err)
	}
	a, err := g.Reader().Alternative(b.Leaf)
	if err != nil {
		g.t.Fatal(err)
	}
	return a.Text
}

// all asks for n replies at once and gives them once they are over.
func (g *game) all(n int, seed uint64) ([]*story.Running, error) {
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{Count: n, Seed: &seed})
	if err != nil {
		return nil, err
	}
	return r.Beside(), nil
}

// Ensure that replies asked for at once have seeds of their own and stand in their
// order whichever ends first, and that the branch ends at the first by number.
func TestAlternativesAtOnce(t *testing.T) {
	e := &chorus{open: map[uint64]chan struct{}{7: make(chan struct{}), 8: make(chan struct{}), 9: make(chan struct{})}}
	g := begun(t, rungs{{Engine: e}})
	runs, err := g.all(3, 7)
	if err != nil || len(runs) != 3 {
		t.Fatalf("%d replies, %v", len(runs), err)
	}
	for _, want := range []struct {
		n    int
		leaf string
	}{{2, "voice 9"}, {0, "voice 7"}, {1, "voice 7"}} {
		close(e.open[uint64(7+want.n)])
		if _, step, err := runs[want.n].Wait(); err != nil || step.Alternative.Text != fmt.Sprintf("voice %d", 7+want.n) {
			t.Errorf("reply %d: %+v, %v", want.n, step.Alternative, err)
		}
		if got := g.leafText(); got != want.leaf {
			t.Errorf("after reply %d the branch ends at %q, want %q", want.n, got, want.leaf)
		}
	}
	if got := g.said(runs[0].Snapshot().Turn.ID); got != "voice 7, voice 8, voice 9" {
		t.Errorf("stored: %s", got)
	}
	if _, _, err := runs[1].Wait(); err != nil {
		t.Fatal(err)
	}
	g.say(story.Input{Text: "Go on."}) // nothing is claimed any more
	g.sound()
}

// Ensure that one that comes to nothing harms no other, whichever ends first,
// and that a turn has failed only when all of them have.
func TestAlternativesThatFail(t *testing.T) {
	for name, fail := range map[string][]uint64{"first": {7}, "others": {8, 9}, "all": {7, 8, 9}} {
		e := &chorus{fail: map[uint64]bool{}}
		for _, seed := range fail {
			e.fail[seed] = true
		}
		g := begun(t, rungs{{Engine: e}})
		runs, err := g.all(3, 7)
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for _, r := range runs {
			if _, _, err := r.Wait(); err != nil {
				failed++
			}
		}
		turn, _ := g.Reader().Turn(runs[0].Snapshot().Turn.ID)
		if failed != len(fail) || (turn.Status == story.Failed) != (name == "all") || (g.leafText() == "") != (name == "all") {
			t.Errorf("%s: %d failed, turn %s, leaf %q", name, failed, turn.Status, g.leafText())
		}
		g.sound()
	}
}

// Ensure that stopping one leaves the others alone, and closing stops all.
func TestAlternativesStopped(t *testing.T) {
	e := &chorus{open: map[uint64]chan struct{}{7: make(chan struct{}), 8: make(chan struct{})}}
	g := begun(t, rungs{{Engine: e}})
	runs, err := g.all(2, 7)
	if err != nil {
		t.Fatal(err)
	}
	until(t, runs[0], "voice 7")
	until(t, runs[1], "voice 8")
	runs[0].Cancel()
	_, step, _ := runs[0].Wait()
	if step.Alternative.Reply.Reason != engine.Cancelled || runs[1].Snapshot().Phase == story.Ended {
		t.Errorf("%+v beside %s", step.Alternative.Reply, runs[1].Snapshot().Phase)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if _, step, _ := runs[1].Wait(); step.Alternative.Text != "voice 8" {
		t.Errorf("closing lost %+v", step.Alternative)
	}
}

// Ensure that a program which dies leaves every reply that it had begun.
func TestAlternativesInterrupted(t *testing.T) {
	e := &chorus{open: map[uint64]chan struct{}{7: make(chan struct{}), 8: make(chan struct{})}}
	g := begun(t, rungs{{Engine: e}})
	runs, err := g.all(2, 7)
	if err != nil {
		t.Fatal(err)
	}
	until(t, runs[0], "voice 7")
	until(t, runs[1], "voice 8")
	dead := g.crash()
	for _, r := range runs {
		r.Cancel()
		<-r.Done()
	}
	dead.branch = g.branch
	got := dead.said(runs[0].Snapshot().Turn.ID)
	if got != "voice 7, voice 8" || dead.leafText() == "" {
		t.Errorf("left: %s; leaf %q", got, dead.leafText())
	}
	dead.sound()
}

// Ensure that a number which cannot be asked for is refused and stores nothing.
func TestTooManyAlternatives(t *testing.T) {
	g := begun(t, rungs{{Engine: &chorus{}}})
	for _, n := range []int{-1, story.MostAlternatives + 1} {
		before, _ := g.store.Stats()
		if _, err := g.all(n, 7); !errors.Is(err, story.ErrNothing) {
			t.Errorf("%d: %v", n, err)
		}
		if after, _ := g.store.Stats(); after.Writes != before.Writes {
			t.Errorf("%d: stored", n)
		}
	}
}
