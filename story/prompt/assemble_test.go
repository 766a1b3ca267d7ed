package prompt_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/story/plot"
	"fabula/story/prompt"
)

var update = flag.Bool("update", false, "write the golden files")

// at gives the state at the start, changed by edits.
func at(s *plot.Script, edits ...func(*plot.State)) plot.State {
	st := s.Initial()
	s.Enter(&st, s.Start, "en")
	for _, edit := range edits {
		edit(&st)
	}
	return st
}

func gaveHerbs(st *plot.State) {
	st.Beats = map[string]int{"landing.gives_herbs": 1}
	st.Days = map[string]int{"landing.gives_herbs": 10}
	st.Vars["day"] = plot.IntValue(200)
	st.Vars["trust"] = plot.IntValue(2)
}

// turn makes an exchange of what was said in turn.
func turn(id string, said ...string) prompt.Exchange {
	x := prompt.Exchange{Turn: id}
	for _, line := range said {
		by, text, _ := strings.Cut(line, ">")
		x.Lines = append(x.Lines, prompt.Spoken{By: by, Text: text})
	}
	return x
}

// dump writes a prompt as a person would check it.
func dump(p prompt.Prompt) string {
	var b strings.Builder
	next := 0
	for _, m := range p.Messages {
		fmt.Fprintf(&b, "=== %s\n", m.Role)
		for _, part := range m.Parts {
			s := p.Segments[next]
			next++
			fmt.Fprintf(&b, "--- %s %s (%d)\n%s", s.Kind, s.Source, s.Tokens, part)
			if !strings.HasSuffix(part, "\n") {
				b.WriteString("⏎\n")
			}
		}
	}
	fmt.Fprintf(&b, "=== %d tokens, %d of them the template's, estimated %v\n", p.Tokens, p.Control, p.Estimated)
	for _, d := range p.Dropped {
		fmt.Fprintf(&b, "dropped %s: %s (%d)\n", d.What, d.Why, d.Tokens)
	}
	return b.String()
}

// Ensure that prompts are as checked by a person, in both languages.
func TestGolden(t *testing.T) {
	s := ferry(t)
	history := func(zh bool) []prompt.Exchange {
		if zh {
			return []prompt.Exchange{turn("t0", ">雾起了。", "adu>要三钱柴胡，客官。"), turn("t1", "player>你好 {player}", "adu>嗯。", "qin>他一向这样。")}
		}
		return []prompt.Exchange{turn("t0", "adu>Three qian of herbs, Kesang."), turn("t1", "player>Hello {{char}}", "adu>Hm.", "qin>He's always like that.")}
	}
	tests := map[string]prompt.Input{
		"locked_en": {Language: "en", State: at(s), History: history(false), Line: "What of the shrine, and the tax?"},
		"locked_zh": {Language: "zh", State: at(s), History: history(true), Line: "庙里有什么？{weather}"},
		"unlocked_en": {Language: "en", State: at(s, gaveHerbs), History: history(false), Line: "Where is the salt?",
			Opening: []prompt.Spoken{{By: "adu", Text: "I'll remember."}, {Text: "Fog rises."}}},
		"unlocked_zh": {Language: "zh", State: at(s, gaveHerbs), History: history(true), Line: "盐在哪？"},
		"next_fr":     {Language: "fr", State: at(s), Opening: []prompt.Spoken{{By: "qin", Text: "Well?"}}},
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			in.Script, in.Speaker = s, s.Persona("adu")
			p, err := prompt.Assemble(in)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name, dump(p))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// Ensure that parts come in the order of FORMATS 2, and the player's line last.
func TestOrder(t *testing.T) {
	s := ferry(t)
	order := []prompt.Kind{
		prompt.Rules, prompt.Persona, prompt.Sample, prompt.Lore, prompt.History,
		prompt.Secret, prompt.Cover, prompt.Lore, prompt.Sample, prompt.Goal, prompt.Knows, prompt.Goal,
		prompt.Memory, prompt.Variables, prompt.Scene, prompt.Anchor, prompt.Line,
	}
	for _, edits := range [][]func(*plot.State){nil, {gaveHerbs}} {
		p, err := prompt.Assemble(prompt.Input{
			Script: s, State: at(s, edits...), Speaker: s.Persona("adu"), Language: "en",
			History: []prompt.Exchange{turn("t0", "player>Hi", "adu>Hm.")}, Line: "What of the shrine?",
		})
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for _, seg := range p.Segments {
			for next < len(order) && order[next] != seg.Kind {
				next++
			}
			if next == len(order) {
				t.Fatalf("%s %s is out of order", seg.Kind, seg.Source)
			}
		}
		last := p.Messages[len(p.Messages)-1]
		if last.Role != engine.User || last.Parts[len(last.Parts)-1] != "What of the shrine?" {
			t.Errorf("the last part is %q", last.Parts[len(last.Parts)-1])
		}
	}
}

// Ensure that macros are filled in where authors wrote them and never where
// players typed them (CASES R14).
func TestMacros(t *testing.T) {
	s := ferry(t)
	typed := "I am {player}, it is {weather}, {{char}} {{user}}"
	p, err := prompt.Assemble(prompt.Input{
		Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", Line: typed,
		History: []prompt.Exchange{turn("t0", "player>"+typed+"!", "adu>{weather}?")},
	})
	if err != nil {
		t.Fatal(err)
	}
	var all string
	for _, m := range p.Messages {
		all += strings.Join(m.Parts, "")
	}
	for _, want := range []string{typed, typed + "!", "{weather}?", "weather: rain"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in the prompt", want)
		}
	}
	if strings.Contains(all, "weather: {weather}") {
		t.Error("an author's macro was left")
	}
}

// Ensure that roles alternate from the user's on, whatever the history begins
// with: templates refuse anything else.
func TestRoles(t *testing.T) {
	s := ferry(t)
	for name, h := range map[string][]prompt.Exchange{
		"none":                {},
		"the speaker began":   {turn("t0", "adu>Boat?")},
		"narration began":     {turn("t0", ">Fog.", "adu>Boat?", "adu>Well?")},
		"others only":         {turn("t0", "player>Qin?", "qin>Yes."), turn("t1", "player>So?", "qin>So.")},
		"nothing was said":    {turn("t0", "player>", "adu>"), turn("t1", ">")},
		"two replies in line": {turn("t0", "player>a", "adu>b"), turn("t1", "adu>c")},
	} {
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", History: h, Line: "Go"})
		if err != nil {
			t.Fatal(err)
		}
		want := engine.System
		for i, m := range p.Messages {
			if m.Role != want {
				t.Errorf("%s: message %d is %s, want %s", name, i, m.Role, want)
			}
			if want = engine.User; m.Role == engine.User {
				want = engine.Assistant
			}
		}
	}
}

// Ensure that wrong input is an error, not a panic.
func TestBadInput(t *testing.T) {
	s := ferry(t)
	if _, err := prompt.Assemble(prompt.Input{}); err == nil {
		t.Error("no script: no error")
	}
	if _, err := prompt.Assemble(prompt.Input{Script: s}); err == nil {
		t.Error("no speaker: no error")
	}
	fail := errors.New("worker gone")
	in := prompt.Input{Script: s, Speaker: s.Persona("adu"), Line: "x"}
	in.Count = func([]engine.Message) (engine.Count, error) { return engine.Count{}, fail }
	if _, err := prompt.Assemble(in); !errors.Is(err, fail) {
		t.Errorf("got %v", err)
	}
	in.Count = func([]engine.Message) (engine.Count, error) { return engine.Count{}, nil }
	if _, err := prompt.Assemble(in); err == nil {
		t.Error("a count of nothing was believed")
	}
	in.Count, in.State.Node = nil, "nowhere"
	if _, err := prompt.Assemble(in); err != nil {
		t.Errorf("outside the plot: %v", err)
	}
}
