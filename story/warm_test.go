package story_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/story"
)

// keeper is an engine that keeps prompts.
type keeper struct {
	*spy
	warmed []engine.Message
	err    error
}

func (k *keeper) Warm(_ context.Context, messages []engine.Message) error {
	k.warmed = messages
	return k.err
}

// What is computed beforehand is what the next prompt begins with; nothing is
// stored, and an engine that keeps nothing is not asked.
func TestWarm(t *testing.T) {
	k := &keeper{spy: &spy{answer: says("Mm.")}}
	g := begun(t, rungs{{Engine: k}}, "herbs=1")
	g.say(story.Input{Text: "Good day."})
	before, _ := g.store.Stats()
	if err := g.Warm(t.Context(), g.branch.ID); err != nil {
		t.Fatal(err)
	}
	if after, _ := g.store.Stats(); after.Writes != before.Writes {
		t.Error("a warm-up was stored")
	}
	g.say(story.Input{Text: "Here are the herbs."})
	sent := k.requests[len(k.requests)-1].Messages
	n := 0
	for n < len(sent) && n < len(k.warmed) && cmp.Equal(sent[n], k.warmed[n]) {
		n++
	}
	if n < len(sent)-1 || n == 0 {
		t.Errorf("%d of %d messages were computed beforehand: %v", n, len(sent), cmp.Diff(k.warmed, sent))
	}
	k.err = errors.New("no room")
	if err := g.Warm(t.Context(), g.branch.ID); !errors.Is(err, k.err) {
		t.Errorf("error %v", err)
	}
	if err := g.Warm(t.Context(), "nowhere"); err == nil {
		t.Error("a branch that is not there was warmed")
	}
	plain := begun(t, rungs{{Engine: &spy{answer: says("Mm.")}}})
	if err := plain.Warm(t.Context(), plain.branch.ID); err != nil {
		t.Errorf("an engine that keeps nothing: %v", err)
	}
}
