package space

import (
	"slices"
	"strconv"

	"fabula/story/plot"
)

// project gives the fields of a state of story/plot, in a playthrough of a
// language.
func (m *model) project(s *plot.State, lang string) []int {
	st := make([]int, len(m.fields))
	for i := range m.fields {
		f := &m.fields[i]
		f.set(st, i, m.value(f, s, lang))
	}
	return m.bury(st)
}

// bury takes dead fields as 0.
func (m *model) bury(st []int) []int {
	for _, f := range m.nodes[st[0]].dead {
		st[f] = 0
	}
	return st
}

func (m *model) value(f *field, s *plot.State, lang string) int {
	switch f.kind {
	case nodeField:
		return m.nodeAt[s.Node]
	case langField:
		return max(slices.Index(m.langs, lang), 0)
	case varField:
		if f.words != nil {
			return slices.Index(f.v.Values, s.Vars[f.name].Str)
		}
		return s.Vars[f.name].Int
	case beatField:
		return min(s.Beats[f.name], 1)
	case exitField:
		return min(s.Exits[f.name], 1)
	case visitField:
		return s.Visits[f.name]
	case toldField:
		return min(s.Told[f.name], 1)
	case greetField:
		return min(s.Greeted[f.name], 1)
	case anchorField:
		return min(s.Anchors[f.name], 1)
	case turnsField:
		return s.Turns
	case totalField:
		return s.TurnsTotal
	case confirmField:
		return m.question(s)
	}
	if at, ok := m.personAt[s.Speaker]; ok { // speakerField
		return at + 1
	}
	return 0
}

// question gives the number of the question that waits, 0 = none.
func (m *model) question(s *plot.State) int {
	for _, e := range m.nodes[m.nodeAt[s.Node]].exits {
		if s.Confirm != "" && m.exits[e].id == s.Node+"."+s.Confirm {
			return m.exits[e].asks
		}
	}
	return 0
}

// shown words the value of a field, with a sign where more values are merged
// into it.
func (m *model) shown(i, value int) string {
	f := &m.fields[i]
	switch {
	case f.words != nil:
		return f.v.Values[value]
	case f.kind == nodeField:
		return m.nodes[value].id
	case f.kind == confirmField || f.kind == speakerField || f.kind == langField:
		return strconv.Itoa(value)
	case f.v == nil && f.size == 2 && !f.open || f.v != nil && f.v.Kind == plot.Bool:
		return strconv.FormatBool(value != 0)
	}
	text := strconv.Itoa(value + f.least)
	switch {
	case f.open && value == f.size-1 && (f.v == nil || f.least+value < f.v.Max):
		return "≥ " + text
	case f.open && value == 0 && f.v != nil && f.least > f.v.Min:
		return "≤ " + text
	}
	return text
}

// called names a field as a condition would.
func (m *model) called(i int) string {
	f := &m.fields[i]
	switch f.kind {
	case beatField:
		return `beat("` + f.name + `")`
	case exitField:
		return `exit("` + f.name + `")`
	case visitField:
		return `visits("` + f.name + `")`
	case toldField:
		return `told("` + f.name + `")`
	}
	return f.name
}
