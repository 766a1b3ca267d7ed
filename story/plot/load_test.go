package plot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// Everything of the format's example arrives.
func TestLoadFerry(t *testing.T) {
	s := ferry(t)
	n := s.Node("landing")
	beat, exit, anchor := n.Beats[0], s.Exit("landing.sells"), n.Anchors[0]
	for what, pair := range map[string][2]any{
		"scene":        {n.Scene[2].Key + "=" + n.Scene[2].Value.In("en"), "weather={weather}"},
		"scene order":  {n.Scene[4].Key, "mood"},
		"turns":        {n.Turns, "addressed"},
		"when":         {n.When.Src, "day < 400"},
		"on_enter":     {n.OnEnter[1].Do.Src + " when " + n.OnEnter[1].When.Src, `weather = "rain" when visits == 1`},
		"line":         {strings.Join(n.Lines[0].Cues, ",") + " " + n.Lines[0].Status + " " + n.Lines[0].At, "sigh approved enter"},
		"draft":        {n.Lines[1].Status, "draft"},
		"anchor":       {anchor.Must, true},
		"after":        {anchor.After, 3},
		"detect":       {beat.Detect.Any[1][0].In("en") + " " + beat.Detect.None[0][0].In("en"), "here are the herbs 没有"},
		"beat":         {beat.Once && beat.Irreversible, true},
		"effects":      {beat.Effects[1].Do.Src, "trust_adu += 1"},
		"remember":     {beat.Remember.By[0], "adu"},
		"examples":     {beat.Fires[0].In("zh") + beat.Not[0].In("zh"), "柴胡在这儿。柴胡多少钱？"},
		"alternatives": {exit.Said.All[1][1].In("en"), "cellar"},
		"confirm":      {exit.Confirm.By + exit.Confirm.Text.In("zh"), "qin此话当真？"},
		"id of to":     {n.Exits[3].ID, "leave"},
		"ending kind":  {s.Node("leave").Ending.Kind, "neutral"},
		"ending":       {s.Node("yamen").Ending != nil, true},
		"extend":       {s.Node("shop").Lines[0].Text.In("zh"), "铃响"},
		"line by id":   {s.Line("adu.landing.asks").Text.In("zh"), "要三钱柴胡。"},
		"old node":     {s.Node("store").ID, "shop"},
		"domain":       {s.Var("weather").DomainText(), "clear, rain, snow"},
		"first value":  {s.Var("sky").Default, plot.EnumValue("rain")},
		"known to":     {s.Var("sold_adu").KnownTo[0], "qin"},
		"words":        {s.Var("sold_adu").Words[0].When.Src, "sold_adu"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %v, want %v", what, pair[0], pair[1])
		}
	}
	if again := plot.Compile(s); len(again) > 0 || len(s.Node("shop").Lines) != 1 {
		t.Errorf("compiling twice: %v", told(again))
	}
}

// Every fault of every file in one run, each at its place.
func TestLoadFaults(t *testing.T) {
	const act1 = `nodes:
  - node: landing
    titel: The landing
    cast: [adu, quin, {npc: qn, when: herb > 1}]
    turns: everyone
    when: !x
    on_enter:
      - days += 1
      - do: weather = "fog"
        when: visits = 1
      - {when: day > 1}
    tell: [{to: ada, what: landing.gone}]
    lines:
      - {line: a, at: enters, text: "hello {plyer} {weather}", by: qim, cues: [sign]}
      - {line: b, at: exit:to_shp, text: x}
      - {line: b, at: beat:gift, text: x}
      - {line: c}
    anchors:
      - {id: b, by: "", say: x}
      - {id: s, by: adu, say: x, after: 0, detect: {none: [x]}}
      - {id: u, by: adu, say: x, after: 2}
    beats:
      - {beat: gives, speaker: playr, detect: {none: [x]}, effects: [herbs =+ 1]}
      - {beat: gives, remember: {by: [adu, nobody], text: x}}
    exits:
      - {exit: to_shop, to: shp}
      - {exit: to_shop, to: shop}
      - {exit: neither}
      - {exit: both, to: shop, stay: true}
      - {stay: true}
      - {exit: o1, to: shop, otherwise: true, when: day > 1}
      - {exit: o2, to: shop, otherwise: true, confirm: {by: cui, text: x}}
  - node: landing
  - {node: Shop}
  - node: shop
    was: [landing]
    ending: maybe
  - title: nameless
  - extend: landing
    title: more
  - extend: landin
`
	_, got := load(t, source.File{Name: "a.yaml", Data: []byte(act1)}, source.File{Name: "b.yaml", Data: []byte("lines: []\n")})
	want := strings.Split(strings.TrimSpace(faultsOfAct1), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestVariableFaults(t *testing.T) {
	const yaml = `a: {type: int, min: 0}
b: {type: int, min: 5, max: 1}
c: {type: int, min: 0, max: 3, default: 9}
d: {type: int, min: 0, max: 3, default: "2"}
e: {type: enum}
f: {type: enum, values: []}
g: {type: enum, values: [x, x], default: z}
h: {type: bool, default: 1}
i: {type: bool, min: 1}
j: {min: 1}
k: {type: text}
turns: {type: bool}
not: {type: bool}
player: {type: bool}
A: {type: bool}
l: {type: enum, values: [no, 010, 1e3], default: no}
m: {type: int, min: -3, max: -1}
`
	vars, faults := source.Read(source.File{Name: "w", Data: []byte(yaml)}, plot.VariablesType())
	want := []string{
		"w:1:4 missing_key max|variable",
		"w:2:29 variable_domain int|range|5..1",
		"w:3:41 variable_domain int|default|0..3",
		"w:4:41 wrong_type d.default|whole number|text|2",
		"w:5:4 missing_key values|variable",
		"w:6:25 variable_domain enum|values|",
		"w:7:25 variable_domain enum|twice|x",
		"w:7:42 unknown_word g.default|z|x, x|x",
		"w:8:26 wrong_type h.default|true or false|whole number|1",
		"w:9:22 variable_domain bool|key|min",
		"w:10:4 missing_key type|variable",
		"w:11:11 unknown_word k.type|text|bool, int, enum|",
		"w:12:1 reserved_name turns",
		"w:13:1 reserved_name not",
		"w:14:1 reserved_name player",
		"w:15:1 bad_id A|A",
	}
	if diff := cmp.Diff(want, told(faults)); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	last := vars[len(vars)-2:]
	if strings.Join(last[0].Values, " ") != "no 010 1e3" || last[0].Default != plot.EnumValue("no") || last[1].Default != plot.IntValue(-1) {
		t.Errorf("characters are kept as typed: %+v %+v", last[0], last[1])
	}
}

// The faults of world.yaml that only the whole script can tell.
func TestCompileHeader(t *testing.T) {
	s := header(t)
	s.Start, s.StartPos = "landin", source.Pos{File: "world.yaml", Line: 9, Col: 8}
	s.Clock = &plot.Clock{Var: "weather", Pos: source.Pos{File: "world.yaml", Line: 3, Col: 8}}
	s.Nodes = []*plot.Node{{ID: "landing"}}
	s.Personas = append(s.Personas[:1], s.Personas[0])
	got := told(plot.Compile(s))
	want := []string{
		" duplicate_id persona|adu|:0",
		"world.yaml:3:8 clock_var weather",
		"world.yaml:8:14 unknown_name persona|qin|",
		"world.yaml:9:8 unknown_name node|landin|landing",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	s.Start = ""
	if got := strings.Join(told(plot.Compile(s)), "\n"); !strings.Contains(got, "no_start") {
		t.Error(got)
	}
}

// Conditions and texts of personas and lore are checked against the world too.
func TestCompilePersonas(t *testing.T) {
	s := header(t)
	s.Nodes = []*plot.Node{{ID: "landing"}}
	cond := func(src string, line int) source.Cond {
		return source.Cond{Src: src, Pos: source.Pos{File: "adu", Line: line, Col: 5}}
	}
	p := s.Personas[0]
	p.Goals = []personas.Conditional{{Text: text("flee"), When: cond("herbs > 1 and nope", 1)}}
	p.Knows = []personas.Conditional{{Text: personas.Text{Plain: "{wether}", Pos: source.Pos{File: "adu", Line: 2, Col: 5}}}}
	p.Secrets[0].Unlock = cond("day", 3)
	p.Samples = []personas.Sample{{Reply: text("x"), When: cond(`weather == "fog"`, 4)}}
	at := func(line int) source.Pos { return source.Pos{File: "adu", Line: line, Col: 5} }
	p.Address = map[string]personas.Text{"player": text("{player}"), "plaer": {Plain: "x", Pos: at(7)}, "adu": {Plain: "{nope}", Pos: at(8)}}
	p.Voice = personas.Text{Plain: "{Player}, {{day}} and { weather }, but {player}, {x y} and {", Pos: at(9)}
	s.Lore = []*personas.Lore{{ID: "l", When: cond("herbs ==", 5), KnownTo: []string{"adu", "nobody"}, Pos: source.Pos{File: "lore", Line: 6, Col: 1}}}
	want := []string{
		"adu:1:19 unknown_name variable|nope|",
		"adu:2:5 unknown_name placeholder|wether|weather",
		"adu:3:5 expr_result int",
		"adu:4:16 enum_value weather|fog||clear, rain, snow",
		"adu:5:13 expr_syntax ",
		"adu:7:5 unknown_name persona|plaer|player",
		"adu:8:5 unknown_name placeholder|nope|",
		"adu:9:5 unknown_name placeholder|{ weather }|{weather}",
		"adu:9:5 unknown_name placeholder|{Player}|{player}",
		"adu:9:5 unknown_name placeholder|{{day}}|{day}",
		"lore:6:1 unknown_name persona|nobody|",
	}
	if diff := cmp.Diff(want, told(plot.Compile(s))); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// An earlier id that is somebody's present one, or that two things claim, could
// mean either; a state of before would be carried over to the wrong one.
func TestEarlierIDs(t *testing.T) {
	_, got := load(t, source.File{Name: "a.yaml", Data: []byte(`
nodes:
  - node: landing
    beats:
      - {beat: a, was: [b]}
      - {beat: b, was: [c, d]}
      - {beat: e, was: [d]}
    exits:
      - {exit: go, to: landing, was: [stay]}
      - {exit: stay, stay: true}
    lines:
      - {line: x, by: adu, text: x, was: [y]}
      - {line: y, by: adu, text: y}
      - {line: z, text: z, was: [y]}
`)})
	want := []string{
		"a.yaml:5:24 duplicate_id beat|landing.b|a.yaml:6",
		"a.yaml:7:24 duplicate_id beat|landing.d|a.yaml:6",
		"a.yaml:9:38 duplicate_id exit|landing.stay|a.yaml:10",
		"a.yaml:12:42 duplicate_id line|adu.landing.y|a.yaml:13",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// "ids, numbers, keywords and conditions may carry comments"; a choice may not.
func TestComments(t *testing.T) {
	s, got := load(t, source.File{Name: "a.yaml", Data: []byte(`
nodes:
  - node: landing        # id
    when: day < 400      # condition
    beats:
      - beat: asks       # id
        detect:
          any:
            - salt       # keyword
            - en: cellar # keyword of a language
            - [a, b]     # group
    exits:
      - to: landing      # id
        choice: Go back  # and come again
`)})
	if diff := cmp.Diff([]string{"a.yaml:14:17 comment_after_text nodes[1].exits[1].choice|Go back"}, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if any := s.Beat("landing.asks").Detect.Any; any[0][0].Plain != "salt" || any[1][0].By["en"] != "cellar" {
		t.Errorf("keywords %+v", any)
	}
}

// The schema comes from the declaration that loads, and knows every key.
func TestSchema(t *testing.T) {
	data, err := plot.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("plot.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("plot.json")
	if err != nil {
		t.Fatal(err)
	}
	for instance, fine := range map[string]bool{
		`{"nodes":[{"node":"a","cast":["b",{"npc":"c","when":"day > 1"}],"on_enter":["day += 1",{"do":"day += 1","when":"true"}],"ending":true}]}`: true,
		`{"nodes":[{"node":"a","exits":[{"to":"b","said":{"all":[["x","y"],"z"]}}],"ending":{"kind":"good"}}]}`:                                    true,
		`{"extend":"a","lines":[{"line":"x","text":{"en":"hi"}}]}`:                                                                                 true,
		`{"nodes":[{"nod":"a"}]}`:                            false,
		`{"nodes":[{"node":"a","turns":"some"}]}`:            false,
		`{"nodes":[{"node":"a","beats":[{"when":"true"}]}]}`: false,
	} {
		var v any
		if err := json.Unmarshal([]byte(instance), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != fine {
			t.Errorf("%s: %v", instance, err)
		}
	}
}
