package story_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/plot"
)

// Ensure that a start is defaults, then --set, then enter.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		start  story.Start
		node   string
		vars   string
		lines  string
		forced bool
	}{
		{"defaults", story.Start{}, "landing", "day=1 herbs=0 trust=0 sold=false warm=false", "adu: Three qian of herbs, stranger.", false},
		{"set before enter", story.Start{Set: map[string]string{"day": "4", "herbs": "2"}}, "landing", "day=5 herbs=2 trust=0 sold=false warm=false", "adu: Three qian of herbs, stranger.", false},
		{"language", story.Start{Language: "zh"}, "landing", "day=1 herbs=0 trust=0 sold=false warm=false", "adu: 要三钱柴胡。", false},
		{"the middle, forced, without its when", story.Start{Node: "gate"}, "gate", "day=0 herbs=0 trust=0 sold=false warm=false", "adu: Aboard?", true},
		{"a greeting each where no line is", story.Start{Node: "yamen"}, "yamen", "day=0 herbs=0 trust=0 sold=false warm=false", "qin: Papers.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, nil)
			step := g.begin(c.start)
			st := step.Alternative.State
			if st.Node != c.node || vars(st) != c.vars || texts(step.Alternative.Lines) != c.lines {
				t.Errorf("node %s, %s, %s", st.Node, vars(st), texts(step.Alternative.Lines))
			}
			p, err := g.Reader().Playthrough(g.branch.Playthrough)
			if err != nil || p.Forced != c.forced || p.Root != step.Turn.ID {
				t.Errorf("playthrough %+v, %v", p, err)
			}
			if stats, _ := g.store.Stats(); stats.Turns != 1 || stats.Alternatives != 1 || step.Turn.Depth != 0 {
				t.Errorf("stored %+v", stats)
			}
		})
	}
}

// Ensure that a start which cannot be is refused and nothing stored.
func TestStartRefused(t *testing.T) {
	g := newGame(t, nil)
	g.begin(story.Start{Name: "taken"})
	before, _ := g.store.Stats()
	var set *plot.SetError
	for name, c := range map[string]struct {
		start story.Start
		is    func(error) bool
	}{
		"unknown node":     {story.Start{Node: "moon"}, func(err error) bool { return errors.Is(err, story.ErrNotFound) }},
		"unknown variable": {story.Start{Set: map[string]string{"moon": "1"}}, func(err error) bool { return errors.As(err, &set) }},
		"out of domain":    {story.Start{Set: map[string]string{"herbs": "9"}}, func(err error) bool { return errors.As(err, &set) }},
		"taken name":       {story.Start{Name: "taken"}, func(err error) bool { return errors.Is(err, story.ErrExists) }},
	} {
		if _, _, err := g.Begin(c.start); !c.is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := g.store.Stats(); after.Writes != before.Writes {
		t.Error("something was stored")
	}
}

// Ensure that jumping in the middle makes a new branch, ignores `when` and is
// marked forced.
func TestJump(t *testing.T) {
	g := begun(t, plays(t, ""))
	g.say(story.Input{Text: "Good day."})
	home := g.branch
	b, step, err := g.Jump(home.ID, story.Start{Node: "gate", Set: map[string]string{"trust": "3"}})
	if err != nil {
		t.Fatal(err)
	}
	if b.ID == home.ID || !has(b.Tags, story.ForcedTag) || step.Turn.Depth != 2 || step.Turn.Parent != home.Leaf {
		t.Errorf("%+v %+v", b, step.Turn)
	}
	if st := step.Alternative.State; st.Node != "gate" || st.TurnsTotal != 1 || st.Vars["trust"] != plot.IntValue(3) {
		t.Errorf("state %+v", st)
	}
	if now, _ := g.Reader().Branch(string(home.ID)); now.Leaf != home.Leaf {
		t.Error("the old branch moved")
	}
	if made, err := g.Look(t.Context(), story.Spot{Branch: home.ID, Start: &story.Start{Node: "shop"}}, story.Input{Text: "Herbs?", To: "cui"}, story.Look{}); err != nil || len(made.Segments) == 0 {
		t.Errorf("preview: %v", err)
	}
	if _, err := g.Look(t.Context(), story.Spot{Branch: home.ID, Start: &story.Start{Node: "shop"}}, story.Input{Text: "Herbs?", To: "adu"}, story.Look{}); !errors.Is(err, story.ErrAbsent) {
		t.Errorf("preview to an absent NPC: %v", err)
	}
	if _, _, err := g.Jump(home.ID, story.Start{Node: "moon"}); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("unknown node: %v", err)
	}
}

// Ensure that after an edit of the world the next turn uses the new files:
// values clamp with a finding, a vanished node offers a jump, and files that
// do not load leave the last good ones in use.
func TestEditedWorld(t *testing.T) {
	g := newGame(t, plays(t, ""))
	var now *plot.Script
	var broken error
	g.config.Reload = func() (*plot.Script, error) { return now, broken }
	_ = g.Close()
	g.open()
	now = g.config.Script
	g.begin(story.Start{Set: map[string]string{"herbs": "3"}})

	edited := ferryScript(t, func(_, text string) string { return strings.ReplaceAll(text, "herbs >= 3", "herbs >= 2") })
	edited.Vars[1].Max, edited.Vars[1].Default = 2, plot.IntValue(0)
	edited.Vars = append(edited.Vars, &plot.Variable{ID: "new", Kind: plot.Bool, Default: plot.BoolValue(true)})
	if faults := plot.Compile(edited); len(faults) > 0 {
		t.Fatal(faults)
	}
	now = edited
	step, events := g.say(story.Input{Text: "Good day."})
	if st := step.Alternative.State; st.Vars["herbs"] != plot.IntValue(2) || !st.Vars["new"].True() {
		t.Errorf("state %v", st.Vars)
	}
	if len(step.Alternative.Findings) == 0 || step.Alternative.Findings[0].Code != plot.CodeClamped || !strings.HasPrefix(kinds(events), "finding") {
		t.Errorf("findings %+v, events %s", step.Alternative.Findings, kinds(events))
	}

	broken = errors.New("world.yaml:3:1: no")
	g.say(story.Input{Text: "Still here?"})
	if g.Stale() == nil || g.Script() != edited {
		t.Errorf("stale %v", g.Stale())
	}

	broken, now = nil, ferryScript(t, func(_, text string) string { return strings.ReplaceAll(text, "landing", "pier") })
	if _, _, err := g.Begin(story.Start{}); err != nil { // numbers the new wording of adu
		t.Fatal(err)
	}
	err := g.refused(story.Input{Text: "Where am I?"})
	var gone *story.VanishedError
	if !errors.As(err, &gone) || !errors.Is(err, story.ErrVanished) || gone.Node != "landing" || gone.Start != "pier" {
		t.Errorf("%v", err)
	}
	if _, step, err := g.Jump(g.branch.ID, story.Start{Node: gone.Start}); err != nil || step.Alternative.State.Node != "pier" {
		t.Errorf("jump: %v", err)
	}
}
