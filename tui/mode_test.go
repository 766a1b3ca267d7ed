package tui_test

import (
	"context"
	"testing"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/story"
)

// toy is a small model: it holds every text for as likely as the next.
type toy struct{ engine.Engine }

func (t toy) Info() engine.Info {
	info := t.Engine.Info()
	info.Parameters = 135_000_000
	return info
}

func (toy) Score(_ context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	out := make([]engine.Scored, len(r.Texts))
	for i, text := range r.Texts {
		out[i] = engine.Scored{Tokens: []engine.ScoredToken{{Text: text, Logprob: -1}}, Computed: 1}
	}
	return out, nil
}

// Ensure that a small model's reply is an authored line with its odds below it,
// that one key has the model speak freely, and from then on too, and that the
// same key leads back.
func TestOneKeyFromGroundedToFree(t *testing.T) {
	t.Parallel()
	freely, err := scripted.Parse([]byte("reply\n  say \"Freely spoken.\" 4ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, setting{w: 120, h: 40, engine: toy{freely}})
	b.Wait("Adu")
	b.Type("nobody wrote an answer to this")
	b.Press("enter")
	b.Wait("the only authored line")
	b.idle()
	b.Press("esc")
	b.Wait("speak freely")
	b.Press("f")
	b.Wait("alt 2/2")
	b.Wait("Freely spoken.")
	b.idle()
	b.Press("i")
	b.say("and now?", "Freely spoken.")
	b.Press("esc", "f")
	b.idle()
	path := b.steps(t)
	last := path[len(path)-1].Alternative.Reply
	if last.Step != engine.StepGrounded || last.Odds == nil {
		t.Errorf("the same key again: step %s, odds %+v", last.Step, last.Odds)
	}
	if first := path[1].Alternative.Reply; first.Step == engine.StepGrounded {
		t.Errorf("the first turn ends as %s, mode %v", first.Step, story.Free)
	}
}
