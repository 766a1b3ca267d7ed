package story_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/story"
)

// listener is an engine with a small window that notes its prompts.
type listener struct {
	window int
	asks   []engine.Request
}

func (l *listener) Info() engine.Info {
	return engine.Info{Kind: engine.GGUF, Name: "listener", Context: l.window}
}
func (l *listener) Close() error { return nil }
func (l *listener) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	l.asks = append(l.asks, r)
	return says("Look at the water.")(ctx, r)
}

// marker is a word that no other turn holds.
func marker(n int) string { return fmt.Sprintf("mark%dx", n) }

// Ensure that what no longer fits as history comes back when it is spoken of,
// says when it was and why it came, and that the place where the history begins is known.
func TestRecollection(t *testing.T) {
	e := &listener{window: 1200}
	g := begun(t, rungs{{Engine: e}})
	g.say(story.Input{Text: "I carried a jade comb across the pass for you."})
	for i := range 60 {
		g.say(story.Input{Text: fmt.Sprintf("The rain goes on and on over the river, for the %dth day in a row.", i)})
	}
	step, _ := g.say(story.Input{Text: "Do you remember the comb?"})
	last := flat(e.asks[len(e.asks)-1])
	if !strings.Contains(last, "turns ago): stranger: I carried a jade comb") {
		t.Errorf("the comb is forgotten:\n%s", last)
	}
	horizon := step.Alternative.Reply.Horizon()
	path, _ := g.Reader().Path(g.branch.Leaf)
	if horizon == "" || horizon == path[1].Turn.ID {
		t.Errorf("history begins at %q", horizon)
	}
	p, err := g.Preview(context.Background(), g.branch.ID, story.Input{Text: "And the comb?"})
	if err != nil {
		t.Fatal(err)
	}
	because := ""
	for _, s := range p.Segments {
		because += strings.Join(s.Because, " ")
	}
	if because != "comb" || p.Tokens > 1200 {
		t.Errorf("recalled because of %q, in %d tokens", because, p.Tokens)
	}
	if step, _ := g.say(story.Input{Text: "Hm."}); strings.Contains(flat(e.asks[len(e.asks)-1]), "jade comb") || step.Alternative.Text == "" {
		t.Error("the comb comes back unasked")
	}
}

// Ensure that on any tree no prompt ever holds a word of another branch, and
// that every word of its own path can come back.
func TestNoBranchRemembersAnother(t *testing.T) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	_ = checks.Set("20") // every turn is synced to the disk
	defer func() { _ = checks.Set(before) }()
	rapid.Check(t, func(rt *rapid.T) {
		e := &listener{window: rapid.SampledFrom([]int{700, 800, 2500}).Draw(rt, "window")}
		g := begun(t, rungs{{Engine: e}})
		defer g.Close()
		leaves := []story.ID{g.branch.Leaf}
		words := map[story.ID]string{leaves[0]: ""}
		for n := range rapid.IntRange(3, 12).Draw(rt, "turns") {
			from := leaves[rapid.IntRange(max(0, len(leaves)-4), len(leaves)-1).Draw(rt, "from")]
			b, err := g.BranchAt(from, "")
			if err != nil {
				rt.Fatal(err)
			}
			g.branch = b
			asked := words[from]
			line := fmt.Sprintf("%s is a word of its own, says the rain. Who said %s?", marker(n), asked)
			step, _ := g.say(story.Input{Text: line})
			words[step.Alternative.ID] = words[from] + " " + marker(n)
			leaves = append(leaves, step.Alternative.ID)
			sent := flat(e.asks[len(e.asks)-1])
			for i := range n {
				if mine := strings.Contains(asked+" ", " "+marker(i)+" "); strings.Contains(sent, marker(i)) != mine {
					rt.Fatalf("turn %d below %q: %s in the prompt: %v", n, asked, marker(i), !mine)
				}
			}
		}
	})
}
