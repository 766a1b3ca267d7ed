package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// texts gives the segments of one kind in the last user message.
func texts(p prompt.Prompt, k prompt.Kind) []string {
	var out []string
	for _, s := range p.Segments {
		if s.Kind == k && s.Role == "user" {
			out = append(out, strings.TrimSpace(s.Text))
		}
	}
	return out
}

// Ensure that lore comes in by its keys, in any language, to those who know
// it, the most important first.
func TestLore(t *testing.T) {
	s := ferry(t)
	entry := func(id string, change func(*personas.Lore)) *personas.Lore {
		l := &personas.Lore{ID: id, Keys: []personas.Text{both("盐", "salt")}, Text: plain(id)}
		change(l)
		return l
	}
	s.Lore = []*personas.Lore{
		entry("plain", func(*personas.Lore) {}),
		entry("important", func(l *personas.Lore) { l.Priority = 9 }),
		entry("all", func(l *personas.Lore) { l.Keys = append(l.Keys, plain("boat")); l.Match = "all" }),
		entry("secondary", func(l *personas.Lore) { l.Secondary = []personas.Text{plain("tax")} }),
		entry("deep", func(l *personas.Lore) { l.Keys = []personas.Text{plain("heron")}; l.Depth = 2 }),
		entry("others", func(l *personas.Lore) { l.KnownTo = []string{"qin"} }),
		entry("never", func(l *personas.Lore) { l.When = cond("trust > 3") }),
		entry("now", func(l *personas.Lore) { l.Keys = nil; l.Constant = true; l.When = cond("trust == 0") }),
		entry("keyless", func(l *personas.Lore) { l.Keys = nil }),
	}
	if faults := plot.Compile(s); len(faults) > 0 {
		t.Fatal(faults)
	}
	heron := turn("t0", "player>a heron")
	other := turn("t1", "adu>so")
	tests := map[string]struct {
		line    string
		history []prompt.Exchange
		want    []string
	}{
		"one key":                   {"Salt?", nil, []string{"important", "plain", "now"}},
		"its other language":        {"盐呢", nil, []string{"important", "plain", "now"}},
		"all keys":                  {"salt in a boat", nil, []string{"important", "plain", "all", "now"}},
		"a secondary key":           {"the tax on salts", nil, []string{"important", "plain", "secondary", "now"}},
		"a secondary key alone":     {"the tax", nil, []string{"now"}},
		"part of a word is no word": {"basalt", nil, []string{"now"}},
		"two turns back":            {"and?", []prompt.Exchange{heron, other}, []string{"deep", "now"}},
		"three turns back":          {"and?", []prompt.Exchange{heron, other, other}, []string{"now"}},
	}
	for name, tc := range tests {
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", Line: tc.line, History: tc.history})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, w := range tc.want {
			want = append(want, "You know: "+w)
		}
		if diff := cmp.Diff(want, texts(p, prompt.Lore)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Ensure that an NPC remembers what it saw and what it was told, and when.
func TestMemory(t *testing.T) {
	s := ferry(t)
	day := func(then, now int) func(*plot.State) {
		return func(st *plot.State) {
			st.Days = map[string]int{"landing.gives_herbs": then}
			st.Vars["day"] = plot.IntValue(now)
		}
	}
	gave := func(st *plot.State) { st.Beats = map[string]int{"landing.gives_herbs": 1} }
	told := func(what string) func(*plot.State) {
		return func(st *plot.State) { st.Learned = map[string]int{what: 1} }
	}
	herbs := "the traveller fetched herbs for his brother"
	tests := map[string]struct {
		npc   string
		edits []func(*plot.State)
		want  []string
	}{
		"this season":         {"adu", []func(*plot.State){gave, day(3, 80)}, []string{"You remember: " + herbs + " (this autumn)"}},
		"last season":         {"adu", []func(*plot.State){gave, day(100, 200)}, []string{"You remember: " + herbs + " (last winter)"}},
		"a year ago":          {"adu", []func(*plot.State){gave, day(3, 380)}, []string{"You remember: " + herbs + " (last autumn)"}},
		"two years ago":       {"adu", []func(*plot.State){gave, day(3, 780)}, []string{"You remember: " + herbs + " (in autumn, 2 years ago)"}},
		"not there, not told": {"qin", []func(*plot.State){gave}, nil},
		"told of a beat":      {"qin", []func(*plot.State){gave, told("qin:landing.gives_herbs")}, []string{"You were told: " + herbs + " (this autumn)"}},
		"told of an exit":     {"qin", []func(*plot.State){told("qin:landing.to_yamen")}, []string{"You were told what Kesang chose: To the yamen"}},
		"told of a secret":    {"qin", []func(*plot.State){told("qin:adu.salt_cellar")}, []string{"Adu told you a secret: The salt is in the cellar under the shrine."}},
		"another was told":    {"adu", []func(*plot.State){told("qin:landing.to_yamen")}, nil},
	}
	for name, tc := range tests {
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s, tc.edits...), Speaker: s.Persona(tc.npc), Language: "en", Line: "?"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, texts(p, prompt.Memory)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Ensure that a variable enters only in words, and only to those who know it.
func TestVariables(t *testing.T) {
	s := ferry(t)
	edit := func(st *plot.State) {
		st.Vars["sold_adu"] = plot.BoolValue(true)
		st.Vars["trust"] = plot.IntValue(3)
	}
	for npc, want := range map[string][]string{
		"adu": {"So far: the traveller can be trusted"},
		"qin": {"So far: the traveller sold Adu", "So far: the traveller can be trusted"},
	} {
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s, edit), Speaker: s.Persona(npc), Language: "en", Line: "?"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, texts(p, prompt.Variables)); diff != "" {
			t.Errorf("%s: %s", npc, diff)
		}
	}
}

// Ensure that the speaker is pushed to an anchor less once it was touched on,
// more when its authored line is due, and not at all once it was said.
func TestSteering(t *testing.T) {
	s := ferry(t)
	s.Node("landing").Anchors = []*plot.Anchor{{ID: "storm", By: "adu", Say: plain("a storm comes"), After: 4,
		Detect: plot.Detect{Any: [][]personas.Text{{plain("storm")}}}, Line: plain("Storm.")}}
	turns := func(n int) func(*plot.State) { return func(st *plot.State) { st.Turns = n } }
	said := func(st *plot.State) { st.Anchors = map[string]int{"landing.storm": 1} }
	old := []prompt.Exchange{turn("t0", "player>a storm?"), turn("t1", "adu>so"), turn("t2", "adu>so")}
	for name, tc := range map[string]struct {
		line    string
		history []prompt.Exchange
		edit    func(*plot.State)
		want    []string
	}{
		"open":                 {"?", nil, turns(1), []string{"Bring this up soon: a storm comes"}},
		"the player asks":      {"Is that a storm?", nil, turns(1), []string{"Only if it fits what was just said: a storm comes"}},
		"it was just said":     {"?", old[:2], turns(1), []string{"Only if it fits what was just said: a storm comes"}},
		"it was said long ago": {"?", old, turns(1), []string{"Bring this up soon: a storm comes"}},
		"just begun":           {"?", nil, turns(0), []string{"When the talk allows it, bring this up: a storm comes"}},
		"its line is due":      {"?", nil, turns(3), []string{"Bring this up now: a storm comes"}},
		"delivered":            {"?", nil, said, nil},
	} {
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s, tc.edit), Speaker: s.Persona("adu"), Language: "en", Line: tc.line, History: tc.history})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, texts(p, prompt.Anchor)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
