package story_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
)

// writer is a model large enough to be trusted with the past. It sums up by
// sums, and waits for go, if there is one, before it does.
type writer struct {
	listener
	size uint64
	sums string
	wait chan struct{}

	mu     sync.Mutex
	digest []engine.Request
}

func (w *writer) Info() engine.Info {
	return engine.Info{Kind: engine.GGUF, Name: "writer", Context: w.window, Parameters: w.size}
}

func (w *writer) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	if r.Priority == engine.Chat {
		return w.listener.Generate(ctx, r)
	}
	if w.wait != nil {
		select {
		case <-w.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.digest = append(w.digest, r)
	return says(w.sums)(ctx, r)
}

func (w *writer) digests() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.digest)
}

// eventually waits for something that happens in the background.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it never came", what)
		}
	}
}

// past lists who made the summaries of a path and what they say.
func (g *game) past(leaf story.ID) string {
	m, err := g.Memories(leaf, "adu", "")
	if err != nil {
		g.t.Fatal(err)
	}
	var out []string
	for _, d := range m.Past {
		line := fmt.Sprintf("@%d-%d %s:", d.First, d.Last, d.By)
		for _, p := range d.Points {
			line += " " + p.Text
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func (g *game) talk(from, turns int) {
	g.t.Helper()
	for i := range turns {
		g.say(story.Input{Text: fmt.Sprintf("The rain goes on over the river for day %d, and the boats lie still at the landing.", from+i)})
	}
}

// Ensure that a large model sums up what lies behind, in the background and
// under the hash of the turns: forks share it, an edit does not, sentences that
// it made up are left out, and it stands in the prompt in place of what is cut.
func TestModelSumsUp(t *testing.T) {
	w := &writer{listener: listener{window: 1400}, size: 3e9, sums: "The stranger spoke of rain and boats. Qin sold the ferry. It rained for 77 days. And then the"}
	g := begun(t, rungs{{Engine: w}})
	g.talk(0, 8)
	eventually(t, "a summary", func() bool { return w.digests() == 1 })
	eventually(t, "stored", func() bool {
		return strings.Contains(g.past(g.branch.Leaf), "@0-7 writer: The stranger spoke of rain and boats.")
	})
	if got := g.past(g.branch.Leaf); strings.Contains(got, "Qin") || strings.Contains(got, "77") || strings.Contains(got, "And then") {
		t.Errorf("what was made up stands in %q", got)
	}
	asked := flat(w.digest[0])
	if !strings.Contains(asked, "day 6") || strings.Contains(asked, "day 7") || w.digest[0].Priority != engine.Background {
		t.Errorf("asked for\n%s", asked)
	}
	stem := g.branch
	g.talk(8, 40)
	last := flat(w.asks[len(w.asks)-1])
	if !strings.Contains(last, "What happened before, in short:\nThe stranger spoke of rain and boats.") {
		t.Errorf("the summary is not in the prompt:\n%s", last)
	}
	eventually(t, "the rest", func() bool { return strings.Count(g.past(g.branch.Leaf), "writer:") >= 5 })
	before := w.digests()
	fork, err := g.BranchAt(stem.Leaf, "")
	if err != nil {
		t.Fatal(err)
	}
	g.branch = fork
	g.talk(100, 1)
	if got := g.past(g.branch.Leaf); !strings.HasPrefix(got, "@0-7 writer:") || w.digests() != before {
		t.Errorf("the fork has %q, %d summaries were made", got, w.digests())
	}
}

// Ensure that the turns' own words stand in where no model is trusted or one is
// still at it, that no turn waits for a summary, and that closing ends it.
func TestOwnWordsStandIn(t *testing.T) {
	for name, w := range map[string]*writer{
		"small": {listener: listener{window: 1400}, size: 135e6, sums: "Never."},
		"slow":  {listener: listener{window: 1400}, size: 3e9, sums: "Never.", wait: make(chan struct{})},
	} {
		g := begun(t, rungs{{Engine: w}})
		g.say(story.Input{Text: "I carried a jade comb across the pass for Adu's brother."})
		g.talk(0, 40)
		if last := flat(w.asks[len(w.asks)-1]); !strings.Contains(last, "What happened before, in short:\n") || !strings.Contains(last, "stranger: I carried a jade comb across the pass") {
			t.Errorf("%s: no summary by the turns' own words:\n%s", name, last)
		}
		if got := g.past(g.branch.Leaf); !strings.HasPrefix(got, "@0-7 :") || w.digests() != 0 {
			t.Errorf("%s: %q, %d asked", name, got, w.digests())
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Ensure that a turn in which the words of a secret fell is not put to the model.
func TestSecretsAreNotSummedUp(t *testing.T) {
	w := &writer{listener: listener{window: 1400}, size: 3e9, sums: "The stranger spoke of rain."}
	g := begun(t, rungs{{Engine: w}})
	secret := g.Script().Persona("adu").Secrets[0].Text.In("en")
	g.say(story.Input{Text: "Somebody told me this: " + secret})
	g.talk(0, 8)
	eventually(t, "a summary", func() bool { return w.digests() == 1 })
	if asked := flat(w.digest[0]); strings.Contains(asked, secret) || !strings.Contains(asked, "day 3") {
		t.Errorf("asked for\n%s", asked)
	}
	g.talk(8, 40)
	unlocked := g.Script().Unlocked(g.Script().Persona("adu"), &g.Script().Persona("adu").Secrets[0], func() plot.State { a, _ := g.Reader().Alternative(g.branch.Leaf); return a.State }())
	if last := flat(w.asks[len(w.asks)-1]); !unlocked && strings.Contains(last, secret) {
		t.Errorf("a locked secret is in the prompt:\n%s", last)
	} else if unlocked {
		t.Fatal("the secret is not locked: nothing was tried")
	}
}
