package story_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/story"
)

// Ensure that the NPC's side follows on the kept text: its beats, anchors,
// cues, findings, told secrets, then the first open auto exit.
func TestNPCSide(t *testing.T) {
	for _, c := range []struct {
		name   string
		reply  string
		turns  int
		node   string
		beats  string
		after  string
		cues   string
		told   int
		found  string
		events string
	}{
		{"plain", "Look at the water.", 1, "landing", "", "", "", 0, "", "token state done"},
		{"cue", "*sighs* Look at the water.", 1, "landing", "", "", "sigh", 0, "", "token cue token state done"},
		{"taboo", "Use the telephone.", 1, "landing", "", "", "", 0, "taboo", "token finding state done"},
		{"a beat, then the auto exit it opens", "Thank you, stranger.", 1, "cave", "landing.warms", "", "", 0, "", "token beat state done"},
		{"an anchor that is due", "Look at the water.", 2, "landing", "", "adu: My brother is ill.", "", 0, "", "token anchor line state done"},
		{"an anchor that was said", "It is for my brother.", 2, "landing", "", "", "", 0, "", "token anchor state done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &spy{answer: says("Yes.")}
			g := begun(t, rungs{{Engine: e}})
			for range c.turns - 1 {
				g.say(story.Input{Text: "Good day."})
			}
			e.answer = says(strings.SplitAfter(c.reply, " ")...)
			step, events := g.say(story.Input{Text: "Well?"})
			a := step.Alternative
			var beats, found []string
			for _, f := range a.Fired {
				beats = append(beats, f.Beat)
			}
			for _, f := range a.Findings {
				found = append(found, f.Code)
			}
			if a.State.Node != c.node || strings.Join(beats, " ") != c.beats || texts(a.After) != c.after || strings.Join(a.Cues, " ") != c.cues || len(a.State.Told) != c.told {
				t.Errorf("node %s, beats %v, after %q, cues %v, told %v", a.State.Node, beats, texts(a.After), a.Cues, a.State.Told)
			}
			if strings.Join(found, " ") != c.found || kinds(events) != c.events {
				t.Errorf("findings %v, events %s", found, kinds(events))
			}
			if a.Text != c.reply || a.State.Speaker != "adu" {
				t.Errorf("text %q, speaker %q", a.Text, a.State.Speaker)
			}
		})
	}
}

// Ensure that a locked secret is not in the prompt, an unlocked one is, and a
// told one is remembered.
func TestSecret(t *testing.T) {
	e := &spy{answer: says("The salt is in the cellar under the shrine.")}
	g := begun(t, rungs{{Engine: e}}, "herbs=1")
	g.say(story.Input{Text: "Where is it?"})
	if strings.Contains(flat(e.requests[0]), "cellar") {
		t.Error("a locked secret is in the prompt")
	}
	step, _ := g.say(story.Input{Text: "Here are the herbs."})
	if !strings.Contains(flat(e.requests[1]), "cellar") {
		t.Error("an unlocked secret is not in the prompt")
	}
	if step.Alternative.State.Told["adu.salt_cellar"] != 2 {
		t.Errorf("told %v", step.Alternative.State.Told)
	}
}

// Ensure that talk may go on at an ending, without beats.
func TestEpilogue(t *testing.T) {
	g := newGame(t, plays(t, ""))
	g.begin(story.Start{Node: "gate"})
	step, events := g.say(story.Input{Text: "No more herbs."})
	if len(step.Turn.Fired) != 0 || !step.Alternative.State.Ended || step.Alternative.Text == "" {
		t.Errorf("%+v", step)
	}
	if view := events[len(events)-2].State; !view.Ended || view.Node != "gate" || len(view.Exits) != 0 {
		t.Errorf("state %+v", view)
	}
}

// Ensure that the sandbox talks to anyone outside the plot, on a branch of its
// own.
func TestSandbox(t *testing.T) {
	g := begun(t, plays(t, "reply\nsay \"Thank you, brother.\"\n"), "herbs=1")
	home := g.branch
	step, events := g.say(story.Input{Text: "Here are the herbs, to the yamen!", To: "cui", Sandbox: true})
	if g.branch.ID == home.ID || !has(g.branch.Tags, story.SandboxTag) {
		t.Errorf("branch %+v", g.branch)
	}
	a := step.Alternative
	if a.Speaker != "cui" || len(step.Turn.Fired)+len(a.Fired)+len(a.After) != 0 || a.State.Node != "landing" || a.State.TurnsTotal != 0 || vars(a.State) != "day=1 herbs=1 trust=0 sold=false warm=false" {
		t.Errorf("%+v", a)
	}
	if view := events[len(events)-2].State; len(view.Exits) != 0 {
		t.Errorf("exits in the sandbox: %+v", view.Exits)
	}
	if err := g.refused(story.Input{Choose: "to_shop"}); !errors.Is(err, story.ErrClosed) {
		t.Errorf("choice in the sandbox: %v", err)
	}
	before := g.branch.ID
	if step, _ = g.say(story.Input{Text: "And you?"}); g.branch.ID != before || step.Alternative.Speaker != "cui" || step.Alternative.State.TurnsTotal != 0 {
		t.Errorf("the branch left the sandbox: %+v", step.Alternative)
	}
	if b, err := g.Reader().Branch(string(home.ID)); err != nil || b.Leaf != home.Leaf {
		t.Errorf("the plot's branch moved: %+v, %v", b, err)
	}
}

// Ensure that a dry run refuses what the turn would, on a branch outside the plot
// as on one inside, and stores nothing.
func TestCheckJump(t *testing.T) {
	g := begun(t, plays(t, ""))
	home := g.branch
	g.say(story.Input{Text: "Psst.", To: "cui", Sandbox: true})
	branches := g.branches()
	in := story.Input{Text: "Still you?", To: "cui"}
	if err := g.CheckJump(home.ID, story.Start{Node: "cave"}, in); !errors.Is(err, story.ErrAbsent) {
		t.Errorf("in the plot: %v", err)
	}
	if err := g.CheckJump(g.branch.ID, story.Start{Node: "cave"}, in); err != nil {
		t.Errorf("outside the plot: %v", err)
	}
	if err := g.CheckStart(story.Start{Node: "nowhere"}, in); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("nowhere: %v", err)
	}
	if n := g.branches(); n != branches {
		t.Errorf("%d branches, %d before", n, branches)
	}
}

func has(tags []string, tag string) bool {
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}
