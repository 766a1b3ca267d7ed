package story_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/recall"
	"fabula/story"
)

// reader is a spy with a model: what the player said makes a text likely that
// shares a word of four letters or more with it.
type reader struct {
	*spy
	err error
}

func (r *reader) Score(_ context.Context, q engine.ScoreRequest) ([]engine.Scored, error) {
	said := strings.ToLower(q.Messages[len(q.Messages)-1].Parts[0])
	var out []engine.Scored
	for _, text := range q.Texts {
		p := -20.0
		for _, w := range strings.Fields(strings.ToLower(text)) {
			if len(w) > 3 && strings.Contains(said, strings.Trim(w, "?.")) {
				p = -2
			}
		}
		out = append(out, engine.Scored{Tokens: []engine.ScoredToken{{Text: text, Logprob: p}}, Computed: 5, Reused: 30})
	}
	return out, r.err
}

func small(parameters uint64) *reader {
	return &reader{spy: &spy{answer: says("Freely."), info: engine.Info{Kind: engine.GGUF, Name: "small", Parameters: parameters}}}
}

func overRecall(full engine.Engine) rungs {
	return rungs{{Engine: full, Step: engine.StepFull}, {Engine: recall.New(), Step: engine.StepRecall}}
}

func (g *game) told(text string, o story.Options) (story.Step, []story.Event) {
	g.t.Helper()
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: text}, o)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.wait(r)
}

// Ensure that a small model says authored lines unless it is asked to speak
// freely, a large one the other way round, and that an engine that cannot
// choose is passed over with a word where a choice was asked for.
func TestGrounded(t *testing.T) {
	mute := &spy{answer: says("Freely."), info: engine.Info{Kind: engine.Remote, Name: "mute"}}
	broken := small(1e8)
	broken.err = fmt.Errorf("gone: %w", engine.ErrUnavailable)
	for name, c := range map[string]struct {
		engine     engine.Engine
		mode       story.Mode
		step, text string
		why        string
	}{
		"small":                {small(1e8), story.Auto, "grounded", "Look at the water.", ""},
		"small, freely":        {small(1e8), story.Free, "full", "Freely.", ""},
		"large":                {small(3e9), story.Auto, "full", "Freely.", ""},
		"large, grounded":      {small(3e9), story.Grounded, "grounded", "Look at the water.", ""},
		"size not known":       {small(0), story.Auto, "full", "Freely.", ""},
		"cannot choose":        {mute, story.Auto, "full", "Freely.", ""},
		"cannot, but is asked": {mute, story.Grounded, "recall", "Look at the water.", "ungrounded"},
		"fails":                {broken, story.Auto, "recall", "Look at the water.", "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			g := begun(t, overRecall(c.engine))
			step, events := g.told("Take me over, ferryman!", story.Options{Mode: c.mode})
			a := step.Alternative
			if a.Text != c.text || a.Reply.Step != c.step || (c.why == "") != (a.Reply.Why == "") || !strings.Contains(a.Reply.Why, c.why) {
				t.Errorf("said %q, step %s, why %q", a.Text, a.Reply.Step, a.Reply.Why)
			}
			if (a.Reply.Odds != nil) != (c.step == "grounded") || strings.Contains(kinds(events), "odds") != (c.step == "grounded") {
				t.Errorf("odds %+v, events %s", a.Reply.Odds, kinds(events))
			}
		})
	}
}

// Ensure that the odds of a grounded reply are stored, printed before its text,
// and that it has no speed; a fork at a token has nothing to begin with.
func TestOdds(t *testing.T) {
	g := begun(t, overRecall(small(1e8)))
	step, events := g.told("Take me over, ferryman!", story.Options{})
	stored, err := g.Reader().Alternative(step.Alternative.ID)
	if err != nil {
		t.Fatal(err)
	}
	odds := stored.Reply.Odds
	if odds == nil || odds.Lines[odds.Said].Text != stored.Text || math.Abs(odds.Lines[0].P-1) > 0.5 {
		t.Fatalf("stored odds %+v of %q", odds, stored.Text)
	}
	if m := stored.Reply.Timing(); m.Tokens != 0 || m.Rate != 0 || m.Gaps != nil || m.TTFT <= 0 || len(stored.Reply.Decoded()) != 0 {
		t.Errorf("timing %+v, decoded %v", m, stored.Reply.Decoded())
	}
	if got := kinds(events); !strings.HasPrefix(got, "prefill odds token ") {
		t.Errorf("events %s", got)
	}
	for _, e := range events {
		if e.Kind != story.OddsEvent {
			continue
		}
		line, err := json.Marshal(e)
		if err != nil || !strings.HasPrefix(string(line), `{"event":"odds","lines":[{"id":"adu.`) || !strings.Contains(string(line), `"said":`) {
			t.Errorf("JSON %s, %v", line, err)
		}
	}
}

// Ensure that a reply that a person marked or wrote can be recalled where the
// story has come as far, in other playthroughs too, and no longer once the mark
// is gone; what gives a locked secret away never is.
func TestApprovedRepliesAreRecalled(t *testing.T) {
	g := begun(t, overRecall(&spy{answer: says("Rain tomorrow, says my knee."), info: engine.Info{Kind: engine.GGUF, Name: "large", Parameters: 7e9}}))
	ask := func(text string) string {
		g.t.Helper()
		step, _ := g.told(text, story.Options{Engine: "recall"})
		return step.Alternative.Text
	}
	recalls := rungs{{Engine: recall.New(), Step: engine.StepRecall}}
	step, _ := g.told("What about the weather?", story.Options{})
	marked := step.Alternative.ID
	g.config.Engines = recalls
	reopen := func() {
		g.t.Helper()
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		g.open()
		g.begin(story.Start{})
	}
	reopen()
	if got := ask("And the weather?"); got == "Rain tomorrow, says my knee." {
		t.Errorf("nobody approved of %q", got)
	}
	if _, err := g.Mark(marked, true, ""); err != nil {
		t.Fatal(err)
	}
	g.begin(story.Start{})
	if got := ask("And the weather?"); got != "Rain tomorrow, says my knee." {
		t.Errorf("a marked reply is not recalled: %q", got)
	}
	reopen() // the walk finds it
	if got := ask("And the weather?"); got != "Rain tomorrow, says my knee." {
		t.Errorf("after a restart: %q", got)
	}
	if _, err := g.Mark(marked, false, ""); err != nil {
		t.Fatal(err)
	}
	g.begin(story.Start{})
	if got := ask("And the weather?"); got == "Rain tomorrow, says my knee." {
		t.Error("the mark is gone, the reply is still recalled")
	}
	step, _ = g.told("Any trouble at the shrine?", story.Options{})
	if _, _, err := g.EditReply(g.branch.ID, step.Alternative.ID, "None. The salt is in the cellar under the shrine."); err != nil {
		t.Fatal(err)
	}
	g.begin(story.Start{})
	if got := ask("Any trouble at the shrine?"); strings.Contains(got, "salt") {
		t.Errorf("a locked secret was recalled: %q", got)
	}
	g.begin(story.Start{Set: map[string]string{"herbs": "1"}})
	g.told("Here, here are the herbs.", story.Options{})
	if got := ask("Any trouble at the shrine?"); !strings.Contains(got, "salt") {
		t.Errorf("the secret is told and the reply is not recalled: %q", got)
	}
}
