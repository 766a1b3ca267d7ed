package game_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/export/plottree"
	"fabula/story/export/plottree/game"
	"fabula/story/plot"
	"fabula/worlds"
)

// event is something that a game tells the reader of a plot.
type event struct {
	Do string `json:"do"` // enter, turn, fire, take, tell
	ID string `json:"id,omitempty"`
}

// after is what a reader of a plot then says.
type after struct {
	Lines []string   `json:"lines"`
	State game.State `json:"state"`
	Open  []string   `json:"open"`
}

// trace is a play with what our own engine had at the end.
type trace struct {
	Doc    int     `json:"doc"`
	Events []event `json:"events"`

	end   plot.State
	lines []string // authored ones, in order
}

// recorded turns the branches of in into traces.
func recorded(in export.Input, doc int) []trace {
	var out []trace
	for _, b := range in.Branches {
		t := trace{Doc: doc}
		var before plot.State
		for _, s := range b.Steps {
			t.step(s, before)
			before = s.Alternative.State
		}
		t.end = before
		out = append(out, t)
	}
	return out
}

func (t *trace) step(s story.Step, before plot.State) {
	add := func(do, id string) { t.Events = append(t.Events, event{do, id[strings.Index(id, ".")+1:]}) }
	if s.Turn.Parent == "" || s.Turn.Input.Jump != "" {
		add("enter", s.Turn.Before.Node)
	}
	if s.Turn.Input.Text != "" {
		add("turn", "")
	}
	for _, f := range s.Turn.Fired {
		add("fire", f.Beat)
	}
	if s.Turn.Taken != nil {
		add("take", s.Turn.Taken.Exit)
	}
	for _, f := range s.Alternative.Fired {
		add("fire", f.Beat)
	}
	for id, n := range s.Alternative.State.Told { // what a reply told
		for range n - s.Turn.Before.Told[id] {
			t.Events = append(t.Events, event{"tell", id})
		}
	}
	if s.Alternative.Taken != nil {
		add("take", s.Alternative.Taken.Exit)
	}
	for _, l := range slices.Concat(s.Alternative.Lines, s.Alternative.After) {
		if l.Kind == "line" || l.Kind == "greeting" {
			t.lines = append(t.lines, l.ID)
		}
	}
}

// plays are branches of the demo world with beats, exits and talk, and walks
// over its exits.
func plays(t *testing.T) (docs []*plottree.Document, traces []trace) {
	t.Helper()
	for i, talk := range [][]story.Input{
		{{Text: "My name is Shen Lu."}, {Text: "Who lit the lamp?"}, {Choose: "to_kitchen"}, {Text: "Hello."}, {Choose: "to_hall"}, {Choose: "to_upstairs"},
			{Text: "What is in the box?"}, {Choose: "to_hall"}, {Text: "He has wire in his box."}, {Text: "I won't tell anyone."}, {Text: "Who lights them?"}, {Text: "Tell me."}, {Choose: "to_bed"}},
		{{Text: "我叫沈路。"}, {Text: "灯是谁点的？"}, {Choose: "leaves"}, {Text: "谁在喊？"}, {Choose: "keeps"}, {Choose: "goes_down"}, {Text: "对不起，是我拿的。"}, {Choose: "to_lamps"}},
	} {
		in := played.Turns(t, []string{"en", "zh"}[i], talk...)
		doc, err := plottree.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		docs, traces = append(docs, load(t, doc)), append(traces, recorded(in, i)...)
	}
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		exits, lines, states := played.Walk(w.Script, "en", 25, func(open []plot.Offer) int { return rnd.IntN(len(open)) })
		one := trace{Events: []event{{"enter", w.Script.Start}}, end: states[len(states)-1]}
		for _, e := range exits {
			one.Events = append(one.Events, event{"take", e[strings.Index(e, ".")+1:]})
		}
		for _, l := range lines {
			one.lines = append(one.lines, l.ID)
		}
		traces = append(traces, one)
	}
	return docs, traces
}

// load writes a document and reads it as a game would.
func load(t *testing.T, doc *plottree.Document) *plottree.Document {
	t.Helper()
	data, err := plottree.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	read, err := plottree.Load(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// run plays a trace with the example in Go.
func run(t *testing.T, p *game.Plot, one trace, doc *plottree.Document) []after {
	t.Helper()
	s := p.Start()
	var out []after
	for _, e := range one.Events {
		var lines []string
		var err error
		switch e.Do {
		case "enter":
			lines = p.Enter(&s, e.ID)
		case "turn":
			p.Turn(&s)
		case "tell":
			p.Tell(&s, e.ID)
		case "fire":
			lines, err = p.Fire(&s, e.ID)
		case "take":
			lines, err = p.Take(&s, e.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		a := after{Lines: lines, State: s.Clone()}
		for _, x := range doc.Edges {
			if x.From == s.Node && p.Open(s, x.Exit) {
				a.Open = append(a.Open, x.Exit)
			}
		}
		slices.Sort(a.Open)
		out = append(out, a)
	}
	return out
}

// same holds what a reader of the plot came to against our own engine.
func same(t *testing.T, one trace, got []after) {
	t.Helper()
	var lines []string
	for _, a := range got {
		lines = append(lines, a.Lines...)
	}
	if diff := cmp.Diff(one.lines, lines, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-ours +reader):\n%s", one.Events, diff)
	}
	s := got[len(got)-1].State
	vars := map[string]string{}
	for id, v := range one.end.Vars {
		vars[id] = v.String()
		vars[id+" of the reader"] = fmt.Sprint(s.Vars[id])
		if vars[id] != vars[id+" of the reader"] {
			t.Errorf("%v: %s is %v, want %s", one.Events, id, s.Vars[id], v)
		}
	}
	ours := game.State{Node: one.end.Node, Vars: s.Vars, Beats: one.end.Beats, Exits: one.end.Exits, Visits: one.end.Visits, Told: one.end.Told,
		Greeted: one.end.Greeted, Turns: one.end.Turns, Total: one.end.TurnsTotal}
	if diff := cmp.Diff(ours, s, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-ours +reader):\n%s", one.Events, diff)
	}
}

// A plot that is played from the document alone comes to the states and lines
// of our own engine.
func TestPlaysAsTheEngine(t *testing.T) {
	docs, traces := plays(t)
	events := 0
	for _, one := range traces {
		same(t, one, run(t, game.New(docs[one.Doc]), one, docs[one.Doc]))
		events += len(one.Events)
	}
	if beats := strings.Count(fmt.Sprint(traces[:2]), "{fire "); beats < 5 || events < 500 {
		t.Errorf("only %d beats and %d events were played", beats, events)
	}
}
