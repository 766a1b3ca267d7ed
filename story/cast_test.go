package story_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story"
)

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
	for i, r := range e.requests {
		if r.Query != "Who are you two?" {
			t.Errorf("request %d answers %q", i, r.Query)
		}
	}
	if step.Turn.Depth != 2 || step.Turn.Input.Text != "" || step.Alternative.State.TurnsTotal != 1 {
		t.Errorf("second turn %+v", step.Turn)
	}
	if path, err := g.Reader().Path(g.branch.Leaf); err != nil || len(path) != 3 {
		t.Errorf("path of %d, %v", len(path), err)
	}
}

// Ensure that one who leaves the cast while others speak is passed over, and
// the rest still have their say.
func TestTurnsAllOneLeaves(t *testing.T) {
	g := newGame(t, plays(t, "reply\nsay \"Off you go.\"\n"))
	g.config.Script = ferryScript(t, func(_, text string) string {
		return strings.Replace(text, "    cast: [qin, cui]\n", `    cast: [qin, {npc: cui, when: not sold}, adu]
    beats:
      - beat: sends_cui_out
        speaker: qin
        detect: {any: [off you go]}
        effects: [sold = true]
`, 1)
	})
	_ = g.Close()
	g.open()
	g.begin(story.Start{Node: "yamen"})
	_, events := g.say(story.Input{Text: "Leave us, Cui."})
	var spoke []string
	for _, e := range events {
		if e.Kind == story.DoneEvent {
			spoke = append(spoke, e.Done.Speaker)
		}
	}
	if got := strings.Join(spoke, " "); got != "qin adu" {
		t.Errorf("spoke %q, want qin, then adu", got)
	}
}

func flat(r engine.Request) string {
	var all []string
	for _, m := range r.Messages {
		all = append(all, m.Parts...)
	}
	return strings.Join(all, "\n")
}
