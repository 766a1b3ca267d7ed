package plot_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fabula/personas"
	"fabula/story/plot"
)

// "after: 3 player turns without it he speaks `line`"
func TestAnchorDue(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	for turn := 1; turn <= 4; turn++ {
		s.CountTurn(&st)
		due := s.Anchors(&st, "adu", "Look at the water.", "zh")
		if (turn == 3) != (len(due) == 1) {
			t.Errorf("turn %d: %+v", turn, due)
		}
		if turn == 3 && (due[0].Text != "柴胡。三钱。" || due[0].Kind != "anchor" || due[0].ID != "adu.landing.asks_herbs" || due[0].By != "adu") {
			t.Errorf("due %+v", due[0])
		}
	}
}

func TestAnchorSaid(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	s.Anchors(&st, "qin", "Herbs, he wants herbs.", "en")
	if len(st.Anchors) != 0 {
		t.Error("somebody else's words count")
	}
	s.Anchors(&st, "adu", "I need HERBS.", "en")
	st.Turns = 9
	if due := s.Anchors(&st, "adu", "Look.", "en"); st.Anchors["landing.asks_herbs"] != 1 || len(due) != 0 {
		t.Errorf("said, yet %+v in %+v", due, st)
	}
}

// An anchor of somebody who is present, but is not the one who answers.
func TestAnchorOfAnother(t *testing.T) {
	const yaml = `
nodes:
  - node: landing
    turns: TURNS
    cast: [qin, {npc: adu, when: day == 0}]
    anchors: [{id: a, by: adu, say: x, after: 1, line: Herbs., when: herbs == 0}]
`
	for _, c := range []struct {
		turns, set string
		want       int
	}{{"addressed", "day=0", 1}, {"all", "day=0", 0}, {"addressed", "day=1", 0}, {"addressed", "herbs=1", 0}} {
		s := world(t, strings.Replace(yaml, "TURNS", c.turns, 1))
		st := begin(t, s, "landing", c.set)
		s.CountTurn(&st)
		if due := s.Anchors(&st, "qin", "Hm.", "en"); len(due) != c.want {
			t.Errorf("%v: %+v", c, due)
		}
	}
}

func TestToldSecrets(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	for text, want := range map[string][]string{
		"":              nil,
		"The salt? No.": nil,
		"好吧。盐 在 地窖。":    {"adu.salt_cellar"},
		"the  SALT is in the cellar. My name? His name is Wei.": {"adu.salt_cellar", "adu.name"},
		"The salt, is in the cellar!":                           {"adu.salt_cellar"},
	} {
		if got := s.ToldSecrets(&st, "adu", text); !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
	if st.Told["adu.salt_cellar"] != 3 || st.Told["adu.name"] != 1 {
		t.Errorf("told %v", st.Told)
	}
	if got := s.ToldSecrets(&st, "qin", "盐在地窖"); got != nil {
		t.Errorf("qin has no secrets: %v", got)
	}
}

// Ensure that a secret counts as told also when an authored line tells it: at a
// beat, at a greeting, or an anchor that is due; not when somebody else says it.
func TestToldByAuthoredLines(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    cast: [adu]
    lines:
      - {line: tells, at: beat:asks, by: adu, text: Fine. The salt is in the cellar.}
      - {line: rumour, at: beat:listens, text: "They say the salt is in the cellar."}
    beats:
      - {beat: asks, detect: {any: [where]}}
      - {beat: listens, detect: {any: [listen]}}
    anchors: [{id: salt, by: adu, detect: {any: [nothing]}, after: 1, line: The salt is in the cellar.}]
`)
	s.Persona("adu").Secrets[0].Text = personas.Text{Plain: "The salt is in the cellar."}
	told := func(do func(*plot.State)) bool {
		st := begin(t, s, "landing")
		do(&st)
		return st.Told["adu."+s.Persona("adu").Secrets[0].ID] > 0
	}
	if !told(func(st *plot.State) { s.PlayerBeats(st, "Where?", "en") }) {
		t.Error("a line at a beat")
	}
	if told(func(st *plot.State) { s.PlayerBeats(st, "Listen.", "en") }) {
		t.Error("narration tells nobody's secret")
	}
	if !told(func(st *plot.State) { s.CountTurn(st); s.Anchors(st, "adu", "Hm.", "en") }) {
		t.Error("an anchor that was due")
	}
	s.Persona("adu").Greeting = personas.Text{Plain: "The salt is in the cellar."}
	if !told(func(*plot.State) {}) {
		t.Error("a greeting")
	}
}

func TestUnlocked(t *testing.T) {
	s := ferry(t)
	adu := s.Persona("adu")
	locked, open := begin(t, s, "landing"), begin(t, s, "landing", "trust_adu=1")
	if s.Unlocked(adu, &adu.Secrets[0], locked) || !s.Unlocked(adu, &adu.Secrets[0], open) {
		t.Error("the condition decides")
	}
	if s.Unlocked(adu, &adu.Secrets[1], open) {
		t.Error("without a condition it stays locked")
	}
}

func TestMemories(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing", "herbs=1", "day=40")
	if m := s.Memories(st, "adu"); m != nil {
		t.Errorf("nothing happened: %+v", m)
	}
	if got := beats(s.PlayerBeats(&st, "柴胡给你", "en")); got != "landing.gives_herbs" {
		t.Fatalf("fired %q", got)
	}
	m := s.Memories(st, "adu")
	if len(m) != 1 || m[0].Heard || m[0].Day != 41 || m[0].Text.In("zh") != "客官替他弟弟抓过药" || m[0].Beat != "landing.gives_herbs" {
		t.Errorf("adu %+v", m)
	}
	if m := s.Memories(st, "qin"); len(m) != 1 || !m[0].Heard {
		t.Errorf("qin was told: %+v", m)
	}
}

// "`tell` … lets an NPC learn what it did not see": of exits and secrets too.
func TestTell(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    tell: [{to: adu, what: landing.on}]
    exits:
      - {exit: on, to: landing, tell: [{to: qin, what: landing.on}, {to: qin, what: ferryman.name}]}
`)
	st := begin(t, s, "landing")
	s.Take(&st, s.Exit("landing.on"), "choice", "en")
	want := map[string]int{"adu:landing.on": 2, "qin:landing.on": 1, "qin:adu.name": 1}
	if !maps.Equal(st.Learned, want) {
		t.Errorf("learned %v, want %v", st.Learned, want)
	}
}

func TestExpand(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing", "herbs=2")
	for text, want := range map[string]string{
		"":                               "",
		"plain":                          "plain",
		"{player}, {herbs} in {weather}": "客官, 2 in rain",
		"{sold_adu}{trust_adu}":          "false0",
		"{nobody} {Herbs} {herbs":        "{nobody} {Herbs} {herbs",
		"{{herbs}} {{char}}":             "{{herbs}} {{char}}",
		"{} {1} { herbs }":               "{} {1} { herbs }",
		"a {herbs} {":                    "a 2 {",
		"{x{herbs}":                      "{x2",
	} {
		if got := s.Expand(text, st, "zh"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	s := ferry(t)
	for in, want := range map[string]string{
		"herbs=3":      "",
		"herbs=4":      "set_value herbs|4|0..3",
		"herbs=-1":     "set_value herbs|-1|0..3",
		"herbs=x":      "set_value herbs|x|0..3",
		"sold_adu=1":   "set_value sold_adu|1|true, false",
		"weather=fog":  "set_value weather|fog|clear, rain, snow",
		"weather=snow": "",
		"herb=1":       "unknown_name variable|herb|herbs",
	} {
		st := s.Initial()
		before := st.Clone()
		name, value, _ := strings.Cut(in, "=")
		got := ""
		if err := s.Set(&st, name, value); err != nil {
			bad := err.(*plot.SetError)
			got = bad.Fault.Code + " " + strings.Join(bad.Fault.Args, "|")
			if st.Vars[name] != before.Vars[name] {
				t.Errorf("%s: refused, yet changed", in)
			}
		} else if st.Vars[name].String() != value {
			t.Errorf("%s: %v", in, st.Vars[name])
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
