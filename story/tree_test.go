package story_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story"
)

func (g *game) retry(alternative story.ID) story.Step {
	g.t.Helper()
	r, err := g.Retry(context.Background(), g.branch.ID, alternative, story.Options{})
	if err != nil {
		g.t.Fatal(err)
	}
	step, _ := g.wait(r)
	return step
}

func (g *game) branches() int {
	g.t.Helper()
	all, err := g.Reader().Branches()
	if err != nil {
		g.t.Fatal(err)
	}
	return len(all)
}

// sound checks that every id resolves, every leaf exists, and everything that
// is stored can be reached: R28's integrity check.
func (g *game) sound() {
	g.t.Helper()
	n := 0
	err := g.Reader().Walk(func(t story.Turn, alts []story.Alternative) error {
		n++
		if t.Parent != "" {
			if _, err := g.Reader().Alternative(t.Parent); err != nil {
				return err
			}
		}
		if len(alts) == 0 {
			g.t.Errorf("turn %s has no alternative", t.ID)
		}
		for _, a := range alts {
			if _, err := g.Reader().Path(a.ID); err != nil {
				return err
			}
		}
		return nil
	})
	stats, _ := g.store.Stats()
	if err != nil || n != stats.Turns {
		g.t.Errorf("%d of %d turns walked, %v", n, stats.Turns, err)
	}
	all, _ := g.Reader().Branches()
	for _, b := range all {
		if _, err := g.Reader().Path(b.Leaf); err != nil {
			g.t.Errorf("branch %s: %v", b.Name, err)
		}
	}
}

// Ensure that retry repeats from S1 and adds an alternative; on the leaf the
// branch moves, further up a new branch is made.
func TestRetry(t *testing.T) {
	e := &spy{answer: says("One.")}
	g := begun(t, rungs{{Engine: e}}, "herbs=1")
	first, _ := g.say(story.Input{Text: "Here are the herbs."})
	home := g.branch
	e.answer = says("Two.")
	second := g.retry(first.Alternative.ID)
	if second.Turn.ID != first.Turn.ID || second.Alternative.ID == first.Alternative.ID || g.branch.ID != home.ID || g.branch.Leaf != second.Alternative.ID {
		t.Errorf("%+v on %+v", second, g.branch)
	}
	if second.Alternative.State.Vars["trust"].Int != 2 || texts(second.Alternative.Lines) != texts(first.Alternative.Lines) {
		t.Errorf("not from S1: %+v", second.Alternative)
	}
	if flat(e.requests[0]) != flat(e.requests[1]) {
		t.Error("the prompts differ")
	}
	g.say(story.Input{Text: "And then?"})
	deep := g.branch
	third := g.retry(second.Alternative.ID)
	if g.branch.ID == deep.ID || g.branches() != 2 || third.Turn.ID != first.Turn.ID {
		t.Errorf("retry further up: %+v", g.branch)
	}
	if b, _ := g.Reader().Branch(string(deep.ID)); b.Leaf != deep.Leaf {
		t.Error("the old branch moved")
	}
	opening, _ := g.Reader().Path(deep.Leaf)
	if _, err := g.Retry(context.Background(), deep.ID, opening[0].Alternative.ID, story.Options{}); !errors.Is(err, story.ErrNothing) {
		t.Errorf("retry of the opening: %v", err)
	}
	g.sound()
}

// Ensure that with `turns: all` a retry of the first reply lets the others
// answer it anew, on a new branch.
func TestRetryTurnsAll(t *testing.T) {
	g := newGame(t, plays(t, ""))
	g.begin(story.Start{Node: "yamen"})
	last, _ := g.say(story.Input{Text: "Who are you two?"})
	home := g.branch
	path, _ := g.Reader().Path(home.Leaf)
	again := g.retry(path[1].Alternative.ID)
	if g.branch.ID == home.ID || again.Alternative.Speaker != "cui" || again.Turn.ID == last.Turn.ID {
		t.Errorf("%+v on %+v", again, g.branch)
	}
	if now, err := g.Reader().Path(g.branch.Leaf); err != nil || len(now) != 3 || now[1].Turn.ID != path[1].Turn.ID || now[1].Alternative.ID == path[1].Alternative.ID {
		t.Errorf("path %+v, %v", now, err)
	}
	g.retry(again.Alternative.ID)
	if now, _ := g.Reader().Path(g.branch.Leaf); len(now) != 3 {
		t.Errorf("retry of the last one: path of %d", len(now))
	}
	g.sound()
}

// Ensure that failed retries, five in a row, leave the old reply active and
// nothing dangling (R28).
func TestFailedRetry(t *testing.T) {
	for _, script := range []string{"fault \"no\"\n", "", "refuse \"no\"\n", "kill\n"} {
		g := begun(t, plays(t, "reply\nmatch \"Hi\"\nsay \"Good.\"\n"))
		first, _ := g.say(story.Input{Text: "Hi"})
		g.config.Engines = plays(t, "reply\n"+script)
		_ = g.Close()
		g.open()
		before, _ := g.store.Stats()
		for range 5 {
			r, err := g.Retry(context.Background(), g.branch.ID, first.Alternative.ID, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := r.Wait(); err == nil {
				t.Errorf("%q: no error", script)
			}
			if got := kinds(r.Events(0)); strings.Contains(got, "done") {
				t.Errorf("%q: done without storing: %s", script, got)
			}
		}
		_ = g.Close()
		g.open()
		after, _ := g.store.Stats()
		b, _ := g.Reader().Branch(string(g.branch.ID))
		if b.Leaf != first.Alternative.ID || after.Alternatives != before.Alternatives {
			t.Errorf("%q: leaf %s, %d alternatives", script, b.Leaf, after.Alternatives)
		}
		g.sound()
	}
}

// Ensure that a retry further up that comes to nothing leaves no branch and
// gives back the one it was asked on.
func TestFailedRetryFurtherUp(t *testing.T) {
	g := begun(t, plays(t, "reply\nsay \"Good.\"\nreply\nsay \"Good.\"\nreply\nfault \"no\"\n"))
	first, _ := g.say(story.Input{Text: "Hi"})
	g.say(story.Input{Text: "Hi again"})
	r, err := g.Retry(context.Background(), g.branch.ID, first.Alternative.ID, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, _, err := r.Wait(); err == nil || b.ID != g.branch.ID || b.Leaf != g.branch.Leaf || g.branches() != 1 {
		t.Errorf("%+v, %v, %d branches", b, err, g.branches())
	}
}

// Ensure that a failed retry at token 40 is a marked sibling and the first
// reply stays.
func TestRetryFailsMidway(t *testing.T) {
	g := begun(t, plays(t, "reply\nsay \"Good.\"\nreply\ntext \"ha \" 0ms times=40\nfault \"no\"\n"))
	first, _ := g.say(story.Input{Text: "Hi"})
	second := g.retry(first.Alternative.ID)
	if second.Alternative.Reply.Reason != engine.Fault || second.Alternative.Text != strings.Repeat("ha ", 40) {
		t.Errorf("%+v", second.Alternative)
	}
	if a, err := g.Reader().Alternative(first.Alternative.ID); err != nil || a.Text != "Good." {
		t.Errorf("first: %+v, %v", a, err)
	}
	g.sound()
}

// Ensure that editing the player's text makes a sibling turn on a new branch
// and keeps what follows the old one (R29).
func TestEditInput(t *testing.T) {
	g := begun(t, plays(t, ""))
	var steps []story.Step
	for range 6 {
		step, _ := g.say(story.Input{Text: "Good day."})
		steps = append(steps, step)
	}
	home := g.branch
	r, err := g.EditInput(context.Background(), home.ID, steps[2].Turn.ID, "Another day.", story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	edited, _ := g.wait(r)
	if edited.Turn.Parent != steps[1].Alternative.ID || edited.Turn.ID == steps[2].Turn.ID || edited.Turn.Depth != 3 || g.branch.ID == home.ID {
		t.Errorf("%+v on %+v", edited.Turn, g.branch)
	}
	if path, err := g.Reader().Path(home.Leaf); err != nil || len(path) != 7 {
		t.Errorf("the old path: %d steps, %v", len(path), err)
	}
	stats, _ := g.store.Stats()
	r, err = g.EditInput(context.Background(), home.ID, steps[5].Turn.ID, "Good day.", story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same, _ := g.wait(r)
	if after, _ := g.store.Stats(); same.Turn.ID != steps[5].Turn.ID || after.Turns != stats.Turns || after.Alternatives != stats.Alternatives+1 {
		t.Error("the same text is not a retry")
	}
	opening, _ := g.Reader().Path(home.Leaf)
	if _, err := g.EditInput(context.Background(), home.ID, opening[0].Turn.ID, "x", story.Options{}); !errors.Is(err, story.ErrNothing) {
		t.Errorf("edit of the opening: %v", err)
	}
	g.sound()
}

// Ensure that editing a reply adds an alternative marked human, with its own
// say in the plot, and that the opening's greeting can be edited.
func TestEditReply(t *testing.T) {
	g := begun(t, plays(t, ""))
	step, _ := g.say(story.Input{Text: "Good day."})
	b, same, err := g.EditReply(g.branch.ID, step.Alternative.ID, step.Alternative.Text)
	if err != nil || same.Alternative.ID != step.Alternative.ID || same.Alternative.Human || b.Leaf != g.branch.Leaf {
		t.Errorf("identical text: %+v, %v", same.Alternative, err)
	}
	b, edited, err := g.EditReply(g.branch.ID, step.Alternative.ID, "Thank you.")
	if err != nil {
		t.Fatal(err)
	}
	a := edited.Alternative
	if !a.Human || a.Text != "Thank you." || a.Reply != nil || a.State.Node != "cave" || a.Speaker != "adu" || b.ID != g.branch.ID || b.Leaf != a.ID {
		t.Errorf("%+v on %+v", a, b)
	}
	path, _ := g.Reader().Path(b.Leaf)
	ob, opening, err := g.EditReply(b.ID, path[0].Alternative.ID, "Herbs, now.")
	if err != nil || ob.ID == b.ID || opening.Alternative.Text != "Herbs, now." || opening.Alternative.Speaker != "adu" || len(opening.Alternative.Lines) != 0 {
		t.Errorf("opening: %+v on %+v, %v", opening.Alternative, ob, err)
	}
	if _, err := g.Reader().Path(b.Leaf); err != nil {
		t.Error(err)
	}
	g.sound()
}

// Ensure that every alternative and every branch can be reached, and that a
// return lands where one was (R30).
func TestGoto(t *testing.T) {
	g := begun(t, plays(t, ""))
	var deep story.Step
	g.say(story.Input{Text: "One."})
	two, _ := g.say(story.Input{Text: "Two."})
	for range 3 {
		g.say(story.Input{Text: "Down."})
	}
	a := g.branch
	second := g.retry(two.Alternative.ID)
	for range 3 {
		deep, _ = g.say(story.Input{Text: "Down again."})
	}
	swipe := g.retry(deep.Alternative.ID)
	b := g.branch
	for range 2 {
		got, err := g.Goto(b.ID, two.Alternative.ID)
		if err != nil || got.ID != a.ID || got.Leaf != a.Leaf {
			t.Fatalf("to A: %+v, %v", got, err)
		}
		got, err = g.Goto(a.ID, second.Alternative.ID)
		if err != nil || got.ID != b.ID || got.Leaf != swipe.Alternative.ID {
			t.Fatalf("to B: %+v, %v", got, err)
		}
	}
	n := g.branches()
	got, err := g.Goto(b.ID, deep.Alternative.ID)
	if err != nil || got.ID != b.ID || got.Leaf != deep.Alternative.ID || g.branches() != n {
		t.Errorf("alternatives of the leaf: %+v, %v", got, err)
	}
	if got, err = g.Goto(b.ID, swipe.Alternative.ID); err != nil || got.ID != b.ID || got.Leaf != swipe.Alternative.ID {
		t.Errorf("and back: %+v, %v", got, err)
	}
	if _, err := g.Goto(b.ID, "nope"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
	g.sound()
}

// Ensure that an alternative which no branch stands on gets one, so that
// nothing stored is out of reach.
func TestGotoMakesBranch(t *testing.T) {
	g := begun(t, plays(t, ""))
	one, _ := g.say(story.Input{Text: "One."})
	g.retry(one.Alternative.ID)
	g.say(story.Input{Text: "Two."})
	home := g.branch
	got, err := g.Goto(home.ID, one.Alternative.ID)
	if err != nil || got.ID == home.ID || got.Leaf != one.Alternative.ID {
		t.Errorf("%+v, %v", got, err)
	}
	if b, _ := g.Reader().Branch(string(home.ID)); b.Leaf != home.Leaf {
		t.Error("the old branch moved")
	}
}

// Ensure that branches are named, renamed, tagged and never alike.
func TestNames(t *testing.T) {
	g := begun(t, plays(t, ""))
	step, _ := g.say(story.Input{Text: "One."})
	b, err := g.BranchAt(step.Alternative.ID, "fork")
	if err != nil || b.Leaf != step.Alternative.ID {
		t.Fatal(err)
	}
	if _, err := g.BranchAt(step.Alternative.ID, "fork"); !errors.Is(err, story.ErrExists) {
		t.Errorf("second of a name: %v", err)
	}
	for range 3 {
		if _, err := g.BranchAt(step.Alternative.ID, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Rename(b.ID, g.branch.Name); !errors.Is(err, story.ErrExists) {
		t.Errorf("rename to a taken name: %v", err)
	}
	if b, err = g.Rename(b.ID, "spoon"); err != nil || b.Name != "spoon" {
		t.Errorf("rename: %+v, %v", b, err)
	}
	if b, err = g.Tag(b.ID, "keep"); err != nil || !has(b.Tags, "keep") {
		t.Errorf("tag: %+v, %v", b, err)
	}
	if a, err := g.Mark(step.Alternative.ID, true, "good"); err != nil || !a.Mark {
		t.Errorf("mark: %v", err)
	}
	if a, _ := g.Reader().Alternative(step.Alternative.ID); !a.Mark || a.Title != "good" || a.Text != step.Alternative.Text || len(a.Reply.Tokens) != len(step.Alternative.Reply.Tokens) {
		t.Errorf("marked: %+v", a)
	}
	seen := map[string]bool{}
	all, _ := g.Reader().Branches()
	for _, b := range all {
		if seen[b.Name] {
			t.Errorf("two branches are called %s", b.Name)
		}
		seen[b.Name] = true
	}
}
