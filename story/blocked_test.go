package story_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story"
)

// blocking is a game whose world ends replies on a taboo word.
func blocking(t *testing.T, mode lint.Mode, script string) *game {
	t.Helper()
	g := begun(t, plays(t, script))
	g.Script().Taboo = append(g.Script().Taboo, personas.Text{Plain: "phone"})
	g.Script().Lint.Set(lint.CodeTaboo, mode)
	return g
}

// tell says something to Adu and gives how the turn ended.
func (g *game) tell(text string) (story.Branch, story.Step, error) {
	g.t.Helper()
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: text, To: "adu"}, story.Options{})
	if err != nil {
		g.t.Fatal(err)
	}
	return r.Wait()
}

func codes(fs []lint.Finding) []string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Code)
	}
	return out
}

// Ensure that a taboo word ends a reply before anything of it is shown, and
// that what was shown is what is stored.
func TestTabooStopsTheStream(t *testing.T) {
	g := blocking(t, lint.StopReply, "reply\n text \"Look at the \" 0s\n text \"pho\" 0s\n text \"ne, guest.\" 0s\n text \" More.\" 0s\n")
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hello", To: "adu"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, step, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for _, e := range r.Events(0) {
		if e.Kind == story.TokenEvent {
			shown.WriteString(e.Token.Text)
		}
	}
	a := step.Alternative
	if a.Text != "Look at the " || shown.String() != a.Text {
		t.Errorf("stored %q, shown %q", a.Text, shown.String())
	}
	if !slices.Contains(codes(a.Findings), lint.CodeTaboo) || a.Reply.Blocked != lint.CodeTaboo || a.Reply.Reason != engine.Stop {
		t.Errorf("findings %v, blocked by %q, reason %s", codes(a.Findings), a.Reply.Blocked, a.Reply.Reason)
	}
}

// Ensure that a stopped reply is asked for again where the world says so, that
// both are kept beside each other, and that the branch ends at the clean one.
func TestTabooRegenerates(t *testing.T) {
	g := blocking(t, lint.Regenerate, "reply\n say \"Take my phone.\"\nreply\n say \"Look at the water.\"\n")
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hello", To: "adu"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, step, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if step.Alternative.Text != "Look at the water." || b.Leaf != step.Alternative.ID || len(step.Turn.Children) != 2 {
		t.Errorf("text %q, leaf %s of %s, %d alternatives", step.Alternative.Text, b.Leaf, step.Alternative.ID, len(step.Turn.Children))
	}
	old, err := g.Reader().Alternative(step.Turn.Children[0])
	if err != nil || old.Text != "Take my " || old.Reply.Blocked != lint.CodeTaboo {
		t.Errorf("the stopped one: %q, %v", old.Text, err)
	}
}

// Ensure that a reply which is stopped at its first word leaves nothing behind
// but the one that takes its place, and a failed turn where all are.
func TestTabooAtTheFirstWord(t *testing.T) {
	g := blocking(t, lint.Regenerate, "reply\n say \"Phone?\"\nreply\n say \"Water.\"\n")
	b, step, err := g.tell("Hello")
	if err != nil || step.Alternative.Text != "Water." || len(step.Turn.Children) != 1 {
		t.Errorf("%q, %d alternatives: %v", step.Alternative.Text, len(step.Turn.Children), err)
	}
	if again := b.Leaf; again != step.Alternative.ID {
		t.Errorf("the branch ends at %s", again)
	}
	g = blocking(t, lint.Regenerate, "reply\n say \"Phone?\"\n")
	_, step, err = g.tell("Hello")
	if !errors.Is(err, story.ErrBlocked) || step.Alternative.Status != story.Failed || step.Turn.Input.Text != "Hello" {
		t.Errorf("status %s: %v", step.Alternative.Status, err)
	}
	if !slices.Contains(codes(step.Alternative.Findings), lint.CodeTaboo) {
		t.Errorf("findings %v", codes(step.Alternative.Findings))
	}
}
