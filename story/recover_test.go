package story_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story"
)

// crash gives a second game on a copy of the first one's files as they are at
// this moment: what a killed program leaves.
func (g *game) crash() *game {
	g.t.Helper()
	dead := &game{t: g.t, dir: g.t.TempDir(), config: g.config, branch: g.branch}
	if err := os.CopyFS(dead.dir, onlyFiles(g.t, g.dir)); err != nil {
		g.t.Fatal(err)
	}
	dead.config.Engines = plays(g.t, "")
	dead.open()
	g.t.Cleanup(func() { _ = dead.Close() })
	return dead
}

// until waits for a text in a running turn.
func until(t *testing.T, r *story.Running, text string) {
	t.Helper()
	for r.Snapshot().Text != text {
		select {
		case <-r.Changed():
		case <-r.Done():
			t.Fatalf("the turn ended at %q", r.Snapshot().Text)
		}
	}
}

// Ensure that a killed program leaves an interrupted alternative with the text
// that had come, and that the text has its say in the plot.
func TestInterrupted(t *testing.T) {
	g := begun(t, plays(t, "reply\nprefill 5 0\ntext \"Thank you, \" 2ms id=4 logprob=-0.5\ntext \"str\" 3ms id=5\nhang\n"))
	seed := uint64(7)
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	until(t, r, "Thank you, str")
	dead := g.crash()
	r.Cancel()
	g.wait(r)

	b, err := dead.Reader().Branch(string(g.branch.ID))
	if err != nil {
		t.Fatal(err)
	}
	a, err := dead.Reader().Alternative(b.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	if a.Text != "Thank you, str" || a.Status != story.Finished || a.State.Node != "cave" || a.Speaker != "adu" {
		t.Errorf("%+v", a)
	}
	if a.Reply.Reason != engine.Interrupted || a.Reply.Seed != 7 || len(a.Reply.Tokens) != 2 || a.Reply.Tokens[0].Logprob != -0.5 || a.Reply.Engine.Name == "" {
		t.Errorf("reply %+v", a.Reply)
	}
	if turn, _ := dead.Reader().Turn(a.Turn); turn.Input.Text != "Hi" || turn.Status != story.Finished {
		t.Errorf("turn %+v", turn)
	}
	if left, err := dead.store.Pending(); err != nil || len(left) != 0 {
		t.Errorf("still unfinished: %v, %v", left, err)
	}
	dead.sound()
}

// Ensure that a program killed before a token leaves the player's line, marked.
func TestInterruptedBeforeAToken(t *testing.T) {
	g := begun(t, plays(t, "reply\nhang\n"), "herbs=1")
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Here are the herbs."}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dead := g.crash()
	r.Cancel()
	<-r.Done()
	b, _ := dead.Reader().Branch(string(g.branch.ID))
	path, err := dead.Reader().Path(b.Leaf)
	if err != nil || len(path) != 2 {
		t.Fatalf("path of %d, %v", len(path), err)
	}
	step := path[1]
	if step.Turn.Input.Text != "Here are the herbs." || step.Turn.Status != story.Failed || step.Alternative.Status != story.Failed || texts(step.Alternative.Lines) != ": Adu takes the herbs." {
		t.Errorf("%+v", step)
	}
	dead.branch = b
	if again := dead.retry(step.Alternative.ID); again.Alternative.Text == "" || again.Turn.ID != step.Turn.ID {
		t.Errorf("retry: %+v", again)
	}
	dead.sound()
}

// Ensure that a program killed in a retry leaves the old reply active and what
// came as a marked sibling.
func TestInterruptedRetry(t *testing.T) {
	g := begun(t, plays(t, "reply\nsay \"Good.\"\nreply\nsay \"Better\"\nhang\n"))
	first, _ := g.say(story.Input{Text: "Hi"})
	r, err := g.Retry(context.Background(), g.branch.ID, first.Alternative.ID, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	until(t, r, "Better")
	dead := g.crash()
	r.Cancel()
	g.wait(r)
	b, _ := dead.Reader().Branch(string(g.branch.ID))
	turn, err := dead.Reader().Turn(first.Turn.ID)
	if err != nil || b.Leaf != first.Alternative.ID || len(turn.Children) != 2 {
		t.Fatalf("leaf %s, turn %+v, %v", b.Leaf, turn, err)
	}
	a, _ := dead.Reader().Alternative(turn.Children[1])
	if a.Text != "Better" || a.Reply.Reason != engine.Interrupted {
		t.Errorf("%+v", a)
	}
	dead.sound()
	again := dead.crash() // a second start finds nothing to do
	if turn, _ := again.Reader().Turn(first.Turn.ID); len(turn.Children) != 2 {
		t.Errorf("recovered twice: %+v", turn)
	}
}

// Ensure that a live file which was cut anywhere never stops a start.
func TestTornLive(t *testing.T) {
	g := begun(t, plays(t, "reply\nsay \"One two three\"\nhang\n"))
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	until(t, r, "One two three")
	files, err := filepath.Glob(g.dir + "/live/" + string(r.Snapshot().Turn.ID) + "*.jsonl")
	if err != nil || len(files) != 1 {
		t.Fatalf("live files %v, %v", files, err)
	}
	live, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(live); cut += 37 {
		dead := &game{t: t, dir: t.TempDir(), config: g.config}
		if err := os.CopyFS(dead.dir, onlyFiles(t, g.dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dead.dir+"/live/"+filepath.Base(files[0]), live[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		dead.open()
		b, _ := dead.Reader().Branch(string(g.branch.ID))
		a, err := dead.Reader().Alternative(b.Leaf)
		if err != nil || !strings.HasPrefix("One two three", a.Text) || (a.Status == story.Failed) != (a.Text == "") {
			t.Errorf("cut at %d: %+v, %v", cut, a, err)
		}
		if err := dead.Close(); err != nil {
			t.Error(err)
		}
	}
	r.Cancel()
	<-r.Done()
}

// Ensure that a preview gives the prompt that is sent, and stores nothing.
func TestPreview(t *testing.T) {
	e := &spy{answer: says("Mm.")}
	g := begun(t, rungs{{Engine: e}}, "herbs=1")
	g.say(story.Input{Text: "Good day."})
	before, _ := g.store.Stats()
	made, err := g.Preview(t.Context(), g.branch.ID, story.Input{Text: "Here are the herbs.", To: "adu"})
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := g.store.Stats(); after.Writes != before.Writes {
		t.Error("a preview was stored")
	}
	g.say(story.Input{Text: "Here are the herbs.", To: "adu"})
	if flat(e.requests[1]) != flat(engine.Request{Messages: made.Messages}) {
		t.Error("another prompt was sent")
	}
	if _, err := g.Preview(t.Context(), g.branch.ID, story.Input{To: "adu"}); err != nil {
		t.Errorf("without a line: %v", err)
	}
	if _, err := g.Preview(t.Context(), g.branch.ID, story.Input{Text: "Hi", To: "cui"}); !errors.Is(err, story.ErrAbsent) {
		t.Errorf("absent: %v", err)
	}
	reading, err := story.New(story.Config{Script: g.config.Script, Reader: g.store, Engines: rungs{{Engine: e}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reading.Preview(t.Context(), g.branch.ID, story.Input{Text: "Hi"}); err != nil {
		t.Errorf("without a store: %v", err)
	}
	if _, err := reading.Say(context.Background(), g.branch.ID, story.Input{Text: "Hi"}, story.Options{}); !errors.Is(err, story.ErrReadOnly) {
		t.Errorf("say without a store: %v", err)
	}
	start, err := reading.Look(t.Context(), story.Spot{Start: &story.Start{Set: map[string]string{"herbs": "1"}}}, story.Input{Text: "Here are the herbs."}, story.Look{})
	if err != nil || !strings.Contains(flat(engine.Request{Messages: start.Messages}), "cellar") {
		t.Errorf("start: %v", err)
	}
}

// Ensure that an NPC's history holds what it heard and nothing else.
func TestHistory(t *testing.T) {
	e := &spy{answer: says("I row.")}
	g := begun(t, rungs{{Engine: e}})
	g.say(story.Input{Text: "A word for Adu alone."})
	e.answer = says("Three coins.")
	g.say(story.Input{Text: "What does it cost, Cui?", Choose: "to_shop"})
	shop := flat(e.requests[1])
	if strings.Contains(shop, "Adu alone") || strings.Contains(shop, "I row.") || !strings.Contains(shop, "What does it cost") || !strings.Contains(shop, "walk up the bank") {
		t.Errorf("Cui heard:\n%s", shop)
	}
	g.say(story.Input{Choose: "back"})
	g.say(story.Input{Text: "Here again.", To: "adu"})
	back := flat(e.requests[2])
	if !strings.Contains(back, "Adu alone") || !strings.Contains(back, "I row.") || strings.Contains(back, "Three coins.") {
		t.Errorf("Adu heard:\n%s", back)
	}
	e.answer = says("Papers.")
	g.say(story.Input{Text: "Constable?", To: "qin"})
	if late := flat(e.requests[3]); strings.Contains(late, "Adu alone") || !strings.Contains(late, "Here again.") {
		t.Errorf("Qin heard:\n%s", late)
	}
}
