package story_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fabula/story"
)

// Ensure that the player's side comes before the prompt: the turn is counted,
// beats are detected first and take effect in order, then an exit is taken.
func TestPlayersSide(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   string
		in    story.Input
		node  string
		vars  string
		turns int
		beats []string
		taken string
		lines string
	}{
		{"talk counts the turn", "herbs=0", story.Input{Text: "Good day."}, "landing", "day=1 herbs=0 trust=0 sold=false warm=false", 1, nil, "", ""},
		{"beats all detected first, then effects in order", "herbs=1", story.Input{Text: "Here are the herbs."}, "landing",
			"day=1 herbs=0 trust=2 sold=false warm=false", 1, []string{"landing.gives_herbs", "landing.praised"}, "", ": Adu takes the herbs."},
		{"a choice with text counts and moves", "herbs=0", story.Input{Text: "Off I go.", Choose: "to_shop"}, "shop",
			"day=1 herbs=0 trust=0 sold=false warm=false", 0, nil, "landing.to_shop", ": You walk up the bank."},
		{"a pure choice is not counted", "herbs=0", story.Input{Choose: "buys"}, "landing",
			"day=1 herbs=1 trust=0 sold=false warm=false", 0, nil, "landing.buys", ""},
		{"spoken", "herbs=0", story.Input{Text: "Take me to the yamen!"}, "yamen",
			"day=1 herbs=0 trust=0 sold=false warm=false", 0, nil, "landing.sails", "qin: Papers."},
		{"beats, then the spoken exit", "herbs=1", story.Input{Text: "Here are the herbs, now to the yamen."}, "yamen",
			"day=1 herbs=0 trust=2 sold=false warm=false", 0, []string{"landing.gives_herbs", "landing.praised"}, "landing.sails", ": Adu takes the herbs. | qin: Papers."},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, plays(t, ""), c.set)
			r, err := g.Say(context.Background(), g.branch.ID, c.in, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			turn := r.Snapshot().Turn
			first := turn
			if _, _, err := r.Wait(); err != nil {
				t.Fatal(err)
			}
			var beats []string
			for _, f := range first.Fired {
				beats = append(beats, f.Beat)
			}
			taken := ""
			if first.Taken != nil {
				taken = first.Taken.Exit
			}
			st := first.Before
			if st.Node != c.node || vars(st) != c.vars || st.Turns != c.turns || strings.Join(beats, " ") != strings.Join(c.beats, " ") || taken != c.taken {
				t.Errorf("node %s, %s, turns %d, beats %v, taken %s", st.Node, vars(st), st.Turns, beats, taken)
			}
			stored, err := g.Reader().Turn(first.ID)
			if err != nil || len(stored.Children) == 0 {
				t.Fatal(err)
			}
			if a, err := g.Reader().Alternative(stored.Children[0]); err != nil || texts(a.Lines) != c.lines {
				t.Errorf("lines %q, %v", texts(a.Lines), err)
			}
		})
	}
}

// Ensure that `once` beats belong to the path and others fire once a turn.
func TestOncePerPath(t *testing.T) {
	g := begun(t, plays(t, ""), "herbs=2")
	root := g.branch
	step, _ := g.say(story.Input{Text: "here are the herbs"})
	step, _ = g.say(story.Input{Text: "here are the herbs"})
	if len(step.Turn.Fired) != 1 || step.Turn.Fired[0].Beat != "landing.praised" {
		t.Errorf("second time: %+v", step.Turn.Fired)
	}
	sibling, err := g.BranchAt(root.Leaf, "sibling")
	if err != nil {
		t.Fatal(err)
	}
	g.branch = sibling
	if step, _ = g.say(story.Input{Text: "here are the herbs"}); len(step.Turn.Fired) != 2 {
		t.Errorf("siblings share beats: %+v", step.Turn.Fired)
	}
}

// Ensure that a pure choice generates nothing and tells lines, state, done.
func TestPureChoice(t *testing.T) {
	e := &spy{answer: says("no")}
	g := begun(t, rungs{{Engine: e}})
	before, _ := g.store.Stats()
	step, events := g.say(story.Input{Choose: "to_shop"})
	if got := kinds(events); got != "line state done" || len(e.requests) != 0 {
		t.Errorf("events %s, %d requests", got, len(e.requests))
	}
	var line map[string]any
	data, _ := json.Marshal(events[2])
	if err := json.Unmarshal(data, &line); err != nil {
		t.Fatal(err)
	}
	if line["speaker"] != nil || line["engine"] != nil || line["reason"] != "stop" || line["turn"] != string(step.Turn.ID) || line["alternative"] != string(step.Alternative.ID) {
		t.Errorf("done %s", data)
	}
	if after, _ := g.store.Stats(); after.Writes-before.Writes != 2 {
		t.Errorf("%d Updates", after.Writes-before.Writes)
	}
	if step.Alternative.Reply != nil || step.Alternative.Speaker != "" || step.Alternative.State.Node != "shop" {
		t.Errorf("%+v", step.Alternative)
	}
}

// Ensure that choices which cannot be taken are refused, saying why, and
// nothing is stored.
func TestChoiceRefused(t *testing.T) {
	for _, c := range []struct {
		name, choose, says string
		is                 error
	}{
		{"closed by its when", "drags", "herbs >= 3", story.ErrClosed},
		{"unknown", "moon", "to_shop", story.ErrNotFound},
		{"only spoken", "sails", "to_shop", story.ErrNotFound},
		{"auto", "hides", "to_shop", story.ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := begun(t, plays(t, ""))
			for _, text := range []string{"", "and a word"} {
				err := g.refused(story.Input{Choose: c.choose, Text: text})
				if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	t.Run("closed by the target's when after the effects", func(t *testing.T) {
		g := newGame(t, plays(t, ""))
		g.begin(story.Start{Node: "cave"})
		if err := g.refused(story.Input{Choose: "out"}); !errors.Is(err, story.ErrClosed) || !strings.Contains(err.Error(), "day > 5") {
			t.Errorf("%v", err)
		}
	})
	t.Run("nothing at all", func(t *testing.T) {
		g := begun(t, plays(t, ""))
		if err := g.refused(story.Input{}); !errors.Is(err, story.ErrNothing) {
			t.Errorf("%v", err)
		}
	})
}

// Ensure that a spoken exit with confirm asks first, is taken on a yes, and is
// declined by anything else.
func TestConfirm(t *testing.T) {
	for _, c := range []struct {
		answer   string
		node     string
		sold     bool
		declined string
	}{
		{"yes", "yamen", true, ""}, {"Y", "yamen", true, ""}, {"是", "yamen", true, ""}, {"对。", "yamen", true, ""}, {"好", "yamen", true, ""},
		{"no", "landing", false, "sells"}, {"yes, but not today", "landing", false, "sells"},
		{"the salt is in the cellar", "landing", false, "sells"}, {"rather to the yamen", "yamen", false, "sells"},
	} {
		t.Run(c.answer, func(t *testing.T) {
			e := &spy{answer: says("Mm.")}
			g := begun(t, rungs{{Engine: e}})
			step, events := g.say(story.Input{Text: "The salt is in the cellar."})
			if kinds(events) != "line state done" || texts(step.Alternative.Lines) != "adu: You would swear to that?" || len(e.requests) != 0 {
				t.Fatalf("question: %s %s", kinds(events), texts(step.Alternative.Lines))
			}
			if step.Alternative.State.Node != "landing" || step.Alternative.State.Confirm != "sells" {
				t.Errorf("state %+v", step.Alternative.State)
			}
			r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: c.answer}, story.Options{})
			if err != nil {
				t.Fatal(err)
			}
			turn := r.Snapshot().Turn
			g.wait(r)
			if st := turn.Before; st.Node != c.node || st.Vars["sold"].True() != c.sold || turn.Declined != c.declined || st.Confirm != "" {
				t.Errorf("node %s, sold %v, declined %q, confirm %q", st.Node, st.Vars["sold"], turn.Declined, st.Confirm)
			}
		})
	}
}
