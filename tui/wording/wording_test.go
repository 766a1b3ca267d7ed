package wording_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"fabula/engine"
	"fabula/story"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

var inn = fstest.MapFS{
	"world.yaml":          {Data: []byte("world: inn\nlanguages: [en, zh]\nstart: hall\n")},
	"personas/zhou.yaml":  {Data: []byte("persona: zhou\nname: {zh: 老周, en: Lao Zhou}\nvoice: short\n")},
	"personas/third.yaml": {Data: []byte("persona: third\nname: {zh: 老周三, en: Zhou the Third}\nvoice: short\n")},
	"plot/a.yaml": {Data: []byte("nodes:\n  - node: hall\n    title: The hall\n    cast: [zhou, third]\n" +
		"    exits:\n      - {exit: up, to: room, choice: Go up}\n      - {exit: out, to: room}\n  - node: room\n    title: The room\n" +
		"  - {node: cellar, ending: {kind: good}}\n  - {node: attic, ending: {kind: bittersweet}}\n")},
}

func words(t *testing.T) wording.Wording {
	t.Helper()
	w, err := worlds.OpenFS(inn, "inn")
	if err != nil {
		t.Fatal(err)
	}
	return wording.Wording{Script: w.Script, Text: lang.For("en"), Speaks: "en"}
}

func TestInput(t *testing.T) {
	w := words(t)
	present := w.Present(w.Script.Initial(), true)
	for _, tc := range []struct{ raw, to, said, err string }{
		{" hello ", "", "hello", ""},
		{"@zhou hello", "zhou", "hello", ""},
		{"@LAO ZHOU, hello", "zhou", "hello", ""},
		{"＠老周，你好", "zhou", "你好", ""},
		{"@老周你好", "zhou", "你好", ""},
		{"@老周三 你好", "third", "你好", ""},
		{"@zhouxx hello", "", "", "@zhouxx is not here; here: Zhou the Third, Lao Zhou"},
		{"@zhou", "", "", "write something first"},
	} {
		in, err := w.Input(tc.raw, present)
		if tc.err != "" {
			if err == nil || err.Error() != tc.err {
				t.Errorf("Input(%q): %v, want %q", tc.raw, err, tc.err)
			}
			continue
		}
		if err != nil || in.To != tc.to || in.Text != tc.said {
			t.Errorf("Input(%q) = %q to %q, %v", tc.raw, in.Text, in.To, err)
		}
	}
}

func TestExit(t *testing.T) {
	w := words(t)
	st := w.Script.Initial()
	st.Node = "hall"
	for id, want := range map[string]string{"hall.up": "Go up", "up": "Go up", "out": "The room", "gone.away": "gone.away"} {
		if got := w.Exit(id, st); got != want {
			t.Errorf("Exit(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestEnd(t *testing.T) {
	w := words(t)
	for _, tc := range []struct{ lang, node, want, gone string }{
		{"en", "cellar", "The end (good).", ""},
		{"zh", "cellar", "剧终（结局：好）。", ""},
		{"en", "attic", "The end (bittersweet).", ""},
		{"en", "room", "", ""},
		{"en", "hell\x1b", "", "hell^[ is gone from this world: F2 lists the nodes, tab and enter jump to one"},
	} {
		w.Text = lang.For(tc.lang)
		st := w.Script.Initial()
		st.Node, st.Ended = tc.node, true
		if got := w.End(st); got != tc.want {
			t.Errorf("End(%q) in %s = %q, want %q", tc.node, tc.lang, got, tc.want)
		}
		if got := w.Vanished(st); got != tc.gone {
			t.Errorf("Vanished(%q) = %q, want %q", tc.node, got, tc.gone)
		}
	}
}

func TestOutcome(t *testing.T) {
	w := words(t)
	reply := func(r story.Reply) story.Step { return story.Step{Alternative: story.Alternative{Reply: &r}} }
	for name, tc := range map[string]struct {
		step story.Step
		want []string
	}{
		"plain":    {reply(story.Reply{Reason: engine.Stop}), nil},
		"stopped":  {story.Step{Alternative: story.Alternative{Status: story.Failed, Reply: &story.Reply{Reason: engine.Cancelled}}}, []string{"stopped"}},
		"failed":   {story.Step{Turn: story.Turn{Status: story.Failed}}, []string{"no reply came"}},
		"fault":    {reply(story.Reply{Reason: engine.Fault, Detail: "lost\x1b[2J"}), []string{"the engine failed: lost^[[2J"}},
		"standing": {reply(story.Reply{Why: "no_model", Engine: engine.Info{Name: "recall"}}), nil},
		"stood in": {reply(story.Reply{Why: "no memory", Engine: engine.Info{Name: "recall"}}), []string{"degraded: recall answers: no memory"}},
	} {
		if got := w.Outcome(tc.step); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
