package plot_test

import (
	"testing"

	"fabula/personas/source"
	"fabula/story/plot"
)

// No condition makes the gate panic; one that passes has a value in every
// state, and its tree can be written.
func FuzzCondition(f *testing.F) {
	for _, src := range []string{
		"herbs >= 1 and not sold_adu", `weather in ["clear", "rain"]`, `beat("landing.gives_herbs") or visits("shop") > 1`,
		"1 < herbs < 3", "-herbs - -2 == turns", "::beat(\"x\")", `"x" | beat()`, "let a = 1; a", "[1][0]", "{a: 1}.a", "#", "not in",
		"9223372036854775807 + day > 0", "herbs ?. x", "`\n`", "b'x'", "if a {b} else {c}", "天 == \"\\u{1F600}\"", "/* */ true", "herbs..3",
	} {
		f.Add(src)
	}
	s := ferry(f)
	states := []plot.State{{}, s.Initial(), begin(f, s, "landing", "herbs=3", "day=800", "sold_adu=true", "weather=snow")}
	f.Fuzz(func(t *testing.T, src string) {
		c := source.Cond{Src: src, Pos: source.Pos{File: "f", Line: 1, Col: 1}}
		e, faults := s.CompileCond(c)
		if (e == nil) != (len(faults) > 0 || src == "") {
			t.Fatalf("%q: tree %v, faults %v", src, e, faults)
		}
		for _, st := range states {
			first := s.Holds(c, st)
			if again := s.Holds(c, st); again != first {
				t.Errorf("%q holds now and then", src)
			}
		}
		if e == nil {
			return
		}
		if _, err := e.MarshalJSON(); err != nil {
			t.Errorf("%q: %v", src, err)
		}
		e.Walk(func(x *plot.Expr) {
			if x.Op == plot.OpVar && s.Var(x.Name) == nil {
				t.Errorf("%q: unknown variable %q passed", src, x.Name)
			}
		})
	})
}

// No effect leads out of a variable's domain.
func FuzzEffect(f *testing.F) {
	for _, src := range []string{"day += 1", `weather = "rain"`, "herbs = day - 900", "sold_adu = herbs > 1", "x =", "day -= -9223372036854775807", "day =- 1"} {
		f.Add(src)
	}
	s := ferry(f)
	f.Fuzz(func(t *testing.T, src string) {
		effect := plot.Effect{Do: source.Cond{Src: src, Pos: source.Pos{Line: 1, Col: 1}}}
		faults := s.CompileEffect(effect)
		if (len(faults) > 0) != (len(s.Assignments(effect)) == 0) {
			t.Fatalf("%q: %v", src, faults)
		}
		n := &plot.Node{ID: "n", OnEnter: []plot.Effect{effect}}
		w := header(t)
		w.Nodes, w.Start = []*plot.Node{n}, "n"
		plot.Compile(w)
		st := w.Initial()
		w.Enter(&st, "n", "en")
		for _, v := range w.Vars {
			if x := st.Vars[v.ID]; v.Clamp(x) != x {
				t.Errorf("%q makes %s %v", src, v.ID, x)
			}
		}
	})
}

// No plot file makes loading or compiling panic, and what loads can be played.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("nodes:\n  - node: landing\n    exits: [{to: landing}]\n"))
	f.Add([]byte("extend: a\nlines: [{line: b, text: '{day}'}]\n"))
	f.Add([]byte(faultyPlot))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := header(t)
		nodes, _ := plot.Load(source.File{Name: "f", Data: data})
		s.Nodes = nodes
		plot.Compile(s)
		for _, n := range s.Nodes {
			st := s.Initial()
			s.Enter(&st, n.ID, "zh")
			s.CountTurn(&st)
			s.PlayerBeats(&st, "here are the herbs 柴胡", "zh")
			s.Anchors(&st, "adu", "herbs", "zh")
			for _, o := range s.Offers(st, "zh") {
				next := st.Clone()
				s.Take(&next, o.Exit, "choice", "zh")
			}
		}
	})
}

const faultyPlot = `nodes:
  - node: landing
    was: [landing, quay]
    cast: [adu, {npc: qin, when: herb}]
    beats: [{beat: b, detect: {any: [[柴胡, herbs]]}, effects: [herbs += 9]}, {beat: b}]
    anchors: [{id: b, by: adu, say: x, after: 1, line: "{player}"}]
    exits: [{exit: a, to: quay, otherwise: true}, {exit: a, stay: true, to: x}]
  - extend: quay
    lines: [{line: b, at: "exit:", text: x}]
`
