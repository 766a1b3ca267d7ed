package compare

import (
	"maps"
	"slices"
	"strings"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Player is By of what the player said.
const Player = "player"

// Line is one utterance of a turn. By is Player, a persona, or empty for
// narration.
type Line struct {
	By, Text string
}

// Said lists what was said in a turn, in order.
func Said(s story.Step) []Line {
	var out []Line
	add := func(by, text string) {
		if text != "" {
			out = append(out, Line{by, text})
		}
	}
	add(Player, s.Turn.Input.Text)
	for _, p := range s.Alternative.Lines {
		add(p.By, p.Text)
	}
	add(s.Alternative.Speaker, s.Alternative.Text)
	for _, p := range s.Alternative.After {
		add(p.By, p.Text)
	}
	return out
}

// Pair is one utterance on both sides; a side without it is empty.
type Pair struct {
	By string `json:"by"`
	A  []Span `json:"a,omitempty"`
	B  []Span `json:"b,omitempty"`
}

// Value is something that is different on the two sides. A side that lacks it
// is empty.
type Value struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Detail is how two turns differ.
type Detail struct {
	Lines []Pair  `json:"lines"`
	State []Value `json:"state,omitempty"` // variables after the turn, then the node
	Events
}

// Events is what happened on one side only.
type Events struct {
	BeatsA    []string       `json:"beats_a,omitempty"`
	BeatsB    []string       `json:"beats_b,omitempty"`
	ExitsA    []string       `json:"exits_a,omitempty"`
	ExitsB    []string       `json:"exits_b,omitempty"`
	LoreA     []string       `json:"lore_a,omitempty"` // in the prompt
	LoreB     []string       `json:"lore_b,omitempty"`
	FindingsA []lint.Finding `json:"findings_a,omitempty"`
	FindingsB []lint.Finding `json:"findings_b,omitempty"`
}

// Detail compares the turns of a row. Where a row has one side only, the other
// is taken as empty.
func (c *Comparison) Detail(r Row) Detail {
	var a, b story.Step
	if r.A >= 0 {
		a = c.A[r.A]
	}
	if r.B >= 0 {
		b = c.B[r.B]
	}
	d := Detail{Lines: lines(Said(a), Said(b), r.Kind)}
	if r.A >= 0 && r.B >= 0 {
		d.State = state(a.Alternative.State, b.Alternative.State)
	}
	d.BeatsA, d.BeatsB = apart(beats(a), beats(b))
	d.ExitsA, d.ExitsB = apart(exits(a), exits(b))
	d.LoreA, d.LoreB = apart(lore(a), lore(b))
	d.FindingsA, d.FindingsB = findings(a, b), findings(b, a)
	return d
}

// lines pairs utterances of the same speakers in order. Turns that only stand
// beside each other are not compared word by word.
func lines(a, b []Line, k Kind) []Pair {
	var out []Pair
	for _, e := range align(speakers(a), speakers(b)) {
		if e.same {
			for i := range e.a1 - e.a0 {
				p := Pair{By: a[e.a0+i].By}
				if p.A, p.B = Text(a[e.a0+i].Text, b[e.b0+i].Text); k == Apart && a[e.a0+i].Text != b[e.b0+i].Text {
					p.A, p.B = []Span{{Only, a[e.a0+i].Text}}, []Span{{Only, b[e.b0+i].Text}}
				}
				out = append(out, p)
			}
			continue
		}
		for _, l := range a[e.a0:e.a1] {
			out = append(out, Pair{By: l.By, A: []Span{{Only, l.Text}}})
		}
		for _, l := range b[e.b0:e.b1] {
			out = append(out, Pair{By: l.By, B: []Span{{Only, l.Text}}})
		}
	}
	return out
}

func speakers(list []Line) []string {
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = l.By
	}
	return out
}

func state(a, b plot.State) []Value {
	var out []Value
	names := slices.Sorted(maps.Keys(a.Vars))
	for name := range b.Vars {
		if _, both := a.Vars[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if x, y := value(a.Vars, name), value(b.Vars, name); x != y {
			out = append(out, Value{name, x, y})
		}
	}
	if a.Node != b.Node {
		out = append(out, Value{"node", a.Node, b.Node})
	}
	return out
}

func value(vars map[string]plot.Value, name string) string {
	v, ok := vars[name]
	if !ok {
		return ""
	}
	return v.String()
}

func beats(s story.Step) []string {
	var out []string
	for _, f := range slices.Concat(s.Turn.Fired, s.Alternative.Fired) {
		out = append(out, f.Beat)
	}
	return out
}

func exits(s story.Step) []string {
	var out []string
	for _, t := range []*plot.Taken{s.Turn.Taken, s.Alternative.Taken} {
		if t != nil {
			out = append(out, t.Exit)
		}
	}
	return out
}

func lore(s story.Step) []string {
	var out []string
	if r := s.Alternative.Reply; r != nil {
		for _, seg := range r.Segments {
			if seg.Kind == prompt.Lore {
				out = append(out, seg.Source)
			}
		}
	}
	return out
}

// apart gives what stands in one list only.
func apart(a, b []string) (onlyA, onlyB []string) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			onlyA = append(onlyA, x)
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			onlyB = append(onlyB, x)
		}
	}
	return onlyA, onlyB
}

// findings gives those of a that b lacks.
func findings(a, b story.Step) []lint.Finding {
	key := func(f lint.Finding) string { return f.Code + "\x00" + strings.Join(f.Args, "\x00") }
	var out []lint.Finding
	for _, f := range a.Alternative.Findings {
		if !slices.ContainsFunc(b.Alternative.Findings, func(g lint.Finding) bool { return key(f) == key(g) }) {
			out = append(out, f)
		}
	}
	return out
}
