package plot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// text is a text in English only, or Chinese after a bar: "en|zh".
func text(s string) personas.Text {
	if en, zh, both := strings.Cut(s, "|"); both {
		return personas.Text{By: map[string]string{"en": en, "zh": zh}}
	}
	return personas.Text{Plain: s}
}

const variables = `
day: {type: int, min: 0, max: 800, default: 0}
herbs: {type: int, min: 0, max: 3, default: 0}
trust_adu: {type: int, min: 0, max: 5, default: 0}
sold_adu:
  type: bool
  default: false
  known_to: [qin]
  words:
    "sold_adu": {zh: 客官供出了阿渡, en: the traveller sold Adu}
weather: {type: enum, values: [clear, rain, snow], default: clear}
sky: {type: enum, values: [rain, snow, storm]}
`

// header is a world without nodes: variables, the personas adu and qin.
func header(t testing.TB) *plot.Script {
	t.Helper()
	vars, faults := source.Read(source.File{Name: "world.yaml", Data: []byte(variables)}, plot.VariablesType())
	if len(faults) > 0 {
		t.Fatalf("variables: %v", faults)
	}
	adu := &personas.Persona{
		ID: "adu", Was: []string{"ferryman"}, Name: text("Adu|阿渡"), Greeting: text("Aboard, {player}?|上船，{player}？"),
		Secrets: []personas.Secret{{
			ID: "salt_cellar", Text: text("The salt is in the cellar."), Aliases: []personas.Text{text("盐在地窖")},
			Unlock: source.Cond{Src: "trust_adu >= 1"},
		}, {ID: "name", Text: text("His name is Wei.")}},
	}
	qin := &personas.Persona{ID: "qin", Name: text("Qin|秦"), Greeting: text("Well?|嗯？")}
	return &plot.Script{
		Languages: []string{"en", "zh"}, Player: plot.Player{Name: text("traveller|客官")}, Vars: vars, Start: "landing",
		Clock: &plot.Clock{Var: "day", Start: "autumn"}, Personas: []*personas.Persona{adu, qin},
		Cues: plot.Cues{Emotion: []string{"calm"}, Action: []string{"nod", "sigh"}},
	}
}

// load reads plot files into a world, and gives every fault as a line.
func load(t testing.TB, files ...source.File) (*plot.Script, []string) {
	t.Helper()
	s := header(t)
	var faults []source.Fault
	for _, f := range files {
		nodes, found := plot.Load(f)
		s.Nodes = append(s.Nodes, nodes...)
		faults = append(faults, found...)
	}
	return s, told(append(faults, plot.Compile(s)...))
}

// told writes faults as line:col code args.
func told(faults []source.Fault) []string {
	var lines []string
	for _, f := range source.Sort(faults) {
		line := f.Pos.String() + " " + f.Code
		if len(f.Args) > 0 {
			line += " " + strings.Join(f.Args, "|")
		}
		lines = append(lines, line)
	}
	return lines
}

// world compiles the nodes of a plot file given as text; it must be sound.
func world(t testing.TB, yaml string) *plot.Script {
	t.Helper()
	s, faults := load(t, source.File{Name: "plot.yaml", Data: []byte(yaml)})
	if len(faults) > 0 {
		t.Fatalf("faults:\n%s", strings.Join(faults, "\n"))
	}
	return s
}

// ferry is the world of the format's description.
func ferry(t testing.TB) *plot.Script {
	t.Helper()
	var files []source.File
	for _, name := range []string{"act1.yaml", "more.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", "salt_ferry", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, source.File{Name: "plot/" + name, Data: data})
	}
	s, faults := load(t, files...)
	if len(faults) > 0 {
		t.Fatalf("faults:\n%s", strings.Join(faults, "\n"))
	}
	return s
}

// begin enters a node from the initial state, after assignments `x=v`.
func begin(t testing.TB, s *plot.Script, node string, set ...string) plot.State {
	t.Helper()
	st := s.Initial()
	for _, assignment := range set {
		name, value, _ := strings.Cut(assignment, "=")
		if err := s.Set(&st, name, value); err != nil {
			t.Fatal(err)
		}
	}
	s.Enter(&st, node, "en")
	return st
}

// said joins the texts of played lines.
func said(lines []plot.Played) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, " / ")
}

// beats joins the names of fired beats.
func beats(fired []plot.Fired) string {
	var out []string
	for _, f := range fired {
		out = append(out, f.Beat)
	}
	return strings.Join(out, " ")
}
