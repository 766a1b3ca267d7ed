package story_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fabula/engine"
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

// Ensure that the cast is checked against S0 and an absent NPC refused,
// naming who is there.
func TestCastRefused(t *testing.T) {
	g := begun(t, plays(t, ""))
	for _, c := range []struct {
		in story.Input
		is error
	}{
		{story.Input{Text: "Hello", To: "cui"}, story.ErrAbsent},
		{story.Input{Text: "Hello", To: "qin"}, story.ErrAbsent},
		{story.Input{Text: "@cui hello"}, story.ErrAbsent},
		{story.Input{Text: "@崔婆在吗"}, story.ErrAbsent},
		{story.Input{Text: "Hello", To: "moon"}, story.ErrNotFound},
		{story.Input{Text: "@moon hello"}, story.ErrNotFound},
		{story.Input{Text: "To the shop", To: "cui", Choose: "to_shop"}, story.ErrAbsent},
	} {
		err := g.refused(c.in)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), "here: adu") {
			t.Errorf("%+v: %v", c.in, err)
		}
	}
}

// Ensure that the speaker is the addressed NPC, else the last one if still in
// the cast, else the first; and that the addressee yields after a move.
func TestSpeaker(t *testing.T) {
	for _, c := range []struct {
		name  string
		start string
		ins   []story.Input
		want  string
	}{
		{"first of the cast", "landing", []story.Input{{Text: "Hello"}}, "adu"},
		{"addressed", "yamen", []story.Input{{Text: "Hello", To: "cui"}}, "cui qin"},
		{"addressed by @id", "yamen", []story.Input{{Text: "@cui hello"}}, "cui qin"},
		{"addressed by @name in Chinese, text going on", "yamen", []story.Input{{Text: "@崔婆你好"}}, "cui qin"},
		{"addressed by @name of two words", "yamen", []story.Input{{Text: "@constable qin, hello"}}, "qin cui"},
		{"an @ that names nobody", "landing", []story.Input{{Text: "@_@ oh"}}, "adu"},
		{"the addressee yields after a move", "landing", []story.Input{{Text: "To the yamen!", To: "adu"}}, "qin cui"},
		{"the last one is not in the new cast", "landing", []story.Input{{Text: "Hello"}, {Text: "Off.", Choose: "to_shop"}}, "adu cui"},
		{"the last one stays", "landing", []story.Input{{Text: "Off.", Choose: "to_shop"}, {Text: "Back.", Choose: "back"}, {Text: "You?", To: "qin"}, {Text: "And?"}}, "cui adu qin qin"},
		{"an empty cast", "cave", []story.Input{{Text: "Anybody?"}}, ""},
		{"the next one in turn", "yamen", []story.Input{{Next: true}, {Next: true}, {Next: true}}, "qin cui qin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, plays(t, ""))
			g.begin(story.Start{Node: c.start})
			var spoke []string
			for _, in := range c.ins {
				_, events := g.say(in)
				for _, e := range events {
					if e.Kind == story.DoneEvent && e.Done.Speaker != "" {
						spoke = append(spoke, e.Done.Speaker)
					}
				}
			}
			if got := strings.Join(spoke, " "); got != c.want {
				t.Errorf("spoke %q, want %q", got, c.want)
			}
		})
	}
}

// Ensure that with an empty cast the turn is stored without a reply.
func TestEmptyCast(t *testing.T) {
	g := newGame(t, plays(t, ""))
	g.begin(story.Start{Node: "cave"})
	step, events := g.say(story.Input{Text: "Anybody?"})
	if kinds(events) != "state done" || step.Turn.Input.Text != "Anybody?" || step.Alternative.State.Turns != 1 {
		t.Errorf("%s %+v", kinds(events), step)
	}
}

// Ensure that with `turns: all` each speaks in turn, in a turn of its own,
// with its own prompt, having heard the ones before.
func TestTurnsAll(t *testing.T) {
	e := &spy{}
	e.answer = func(ctx context.Context, r engine.Request) (engine.Stream, error) {
		return says("I am number ", string(rune('0'+len(e.requests))), ".")(ctx, r)
	}
	g := newGame(t, rungs{{Engine: e}})
	g.begin(story.Start{Node: "yamen"})
	step, events := g.say(story.Input{Text: "Who are you two?"})
	if kinds(events) != "token state done token state done" {
		t.Errorf("events %s", kinds(events))
	}
	if len(e.requests) != 2 || !strings.Contains(flat(e.requests[1]), "I am number 1.") || strings.Contains(flat(e.requests[0]), "I am number") {
		t.Errorf("%d requests; the second did not hear the first", len(e.requests))
	}
	if step.Turn.Depth != 2 || step.Turn.Input.Text != "" || step.Alternative.State.TurnsTotal != 1 {
		t.Errorf("second turn %+v", step.Turn)
	}
	if path, err := g.Reader().Path(g.branch.Leaf); err != nil || len(path) != 3 {
		t.Errorf("path of %d, %v", len(path), err)
	}
}

func flat(r engine.Request) string {
	var all []string
	for _, m := range r.Messages {
		all = append(all, m.Parts...)
	}
	return strings.Join(all, "\n")
}

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
		{"cue", "*sighs* Look at the water.", 1, "landing", "", "", "sigh", 0, "", "token cue state done"},
		{"taboo", "Use the telephone.", 1, "landing", "", "", "", 0, "taboo", "token finding state done"},
		{"a beat, then the auto exit it opens", "Thank you, stranger.", 1, "cave", "landing.warms", "", "", 0, "", "token beat state done"},
		{"an anchor that is due", "Look at the water.", 2, "landing", "", "adu: My brother is ill.", "", 0, "", "token line state done"},
		{"an anchor that was said", "It is for my brother.", 2, "landing", "", "", "", 0, "", "token state done"},
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

func has(tags []string, tag string) bool {
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
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
