package space

import (
	"slices"

	"fabula/story/plot"
)

// world is what the models of one script have in common.
type world struct {
	s     *plot.Script
	langs []string
	list  gathered
	told  tellings
}

func newWorld(s *plot.Script) *world {
	w := &world{s: s, langs: s.Languages, list: gather(s)}
	if len(w.langs) == 0 {
		w.langs = []string{""}
	}
	w.told = tellingsOf(s, w.langs, w.list)
	return w
}

// compile makes a model that keeps what steers, and what the extra conditions
// look at. Sites have the same numbers in every model of a world.
func (w *world) compile(extra []placed) *model {
	s := w.s
	m := &model{s: s, langs: w.langs, list: w.list, telling: w.told, wanted: map[placed]bool{}, vars: map[string]int{}, calls: map[callKey]int{},
		dictionary: map[string]int{}, nodeAt: map[string]int{}, personAt: map[string]int{}, toldGroup: map[[2]int]int{}}
	for i, n := range s.Nodes {
		m.nodeAt[n.ID] = i
	}
	for i, p := range s.Personas {
		m.personAt[p.ID] = i
	}
	r := m.choose(w.list, extra)
	m.bounds = slices.Clone(r.bounds)
	m.place(r, w.list)
	for _, p := range s.Personas {
		m.people = append(m.people, m.person(p))
	}
	for _, n := range s.Nodes {
		m.addNode(n)
	}
	m.prompts()
	m.rest()
	if missing := m.unseenCasts(); m.speaker >= 0 && len(missing) > 0 {
		return w.compile(append(missing, extra...)) // who spoke last depends on who was there, everywhere
	}
	m.layout()
	return m
}

// unseenCasts lists the conditions of casts that the model is blind to.
func (m *model) unseenCasts() []placed {
	var out []placed
	for _, x := range m.sites {
		if x.kind == "cast" && x.holds == nil {
			out = append(out, placed{x.cond, x.node})
		}
	}
	return out
}

// place gives fields to everything that is looked at.
func (m *model) place(r *reads, list gathered) {
	m.addField(field{kind: nodeField, name: "node", size: len(m.s.Nodes)})
	for _, v := range m.s.Vars {
		if l := r.vars[v.ID]; l != nil {
			m.vars[v.ID] = m.addField(m.variable(v, l, list.effects))
		}
	}
	m.lang, m.turns, m.total, m.confirm, m.speaker = -1, -1, -1, -1, -1
	for _, key := range sortedCalls(r.calls) {
		l := r.calls[key]
		f := field{name: key.arg, size: 2}
		switch key.name {
		case "beat":
			f.kind = beatField
		case "exit":
			f.kind = exitField
		case "told":
			f.kind = toldField
		case "visits":
			if f.kind, f.size, f.open = visitField, l.most+2, true; key.arg == "" {
				continue
			}
		case "turns":
			f.kind, f.name, f.size, f.open = turnsField, "turns", l.most+2, true
		case "turns_total":
			f.kind, f.name, f.size, f.open = totalField, "turns_total", l.most+2, true
		}
		m.calls[key] = m.addField(f)
	}
	m.turns, m.total = m.call("turns", ""), m.call("turns_total", "")
	if r.bare {
		m.everyVisit(r.calls[callKey{name: "visits"}].most + 2)
	}
}

// everyVisit counts the visits of every node: somebody asks for those of the
// node that the player is in.
func (m *model) everyVisit(size int) {
	for _, n := range m.s.Nodes {
		i, ok := m.calls[callKey{"visits", n.ID}]
		if !ok {
			i = m.addField(field{kind: visitField, name: n.ID, size: size, open: true})
			m.calls[callKey{"visits", n.ID}] = i
		}
		m.fields[i].size = max(m.fields[i].size, size)
		m.visits = append(m.visits, i)
	}
}

// call gives the place of a field, -1 where nobody asks.
func (m *model) call(name, arg string) int {
	if i, ok := m.calls[callKey{name, arg}]; ok {
		return i
	}
	return -1
}

// variable gives the field of a variable: its domain, without the values that no
// condition keeps apart where effects only lead away from those that it does.
func (m *model) variable(v *plot.Variable, l *limits, effects []scoped) field {
	f := field{kind: varField, name: v.ID, v: v, size: 2}
	switch v.Kind {
	case plot.Enum:
		f.size = max(len(v.Values), 1)
		for _, w := range v.Values {
			f.words = append(f.words, m.word(w))
		}
		return f
	case plot.Bool:
		return f
	}
	rises, falls := m.moves(v.ID, effects)
	least, most := v.Min, v.Max
	if !l.whole && l.least > l.most {
		l.least, l.most = v.Min, v.Min
	}
	if !l.whole && !falls {
		most = min(most, max(least, plot.Add(l.most, 1)))
	}
	if !l.whole && !rises {
		least = max(least, min(most, plot.Sub(l.least, 1)))
	}
	f.least, f.size, f.open = least, most-least+1, least > v.Min || most < v.Max
	return f
}

// moves reports whether some effect steps a variable up, or down.
func (m *model) moves(id string, effects []scoped) (rises, falls bool) {
	for _, x := range effects {
		for _, a := range m.s.Assignments(x.effect) {
			if a.Var != id || a.Op == "=" {
				continue
			}
			n := a.Value.Value.Int
			if a.Op == "-=" {
				n = -n
			}
			rises = rises || a.Value.Op != plot.OpLit || n > 0
			falls = falls || a.Value.Op != plot.OpLit || n < 0
		}
	}
	return rises, falls
}

// rest adds the fields that depend on what the others do.
func (m *model) rest() {
	most := 0
	for i := range m.nodes {
		count := 0
		for _, e := range m.nodes[i].exits {
			if x := &m.exits[e]; x.said && x.at.Confirm != nil {
				count++
				x.asks = count
			}
		}
		most = max(most, count)
	}
	if most > 0 {
		m.confirm = m.addField(field{kind: confirmField, name: "confirm", size: most + 1})
	}
	if m.differs() {
		m.lang = m.addField(field{kind: langField, name: "lang", size: len(m.langs)})
	}
	m.loosen()
	m.deaden()
	m.settle()
	if slices.ContainsFunc(m.nodes, func(n node) bool { return !n.loose && n.voiced && several(&n) }) {
		m.speaker = m.addField(field{kind: speakerField, name: "speaker", size: len(m.people) + 1})
		m.deaden()
		for i := range m.nodes { // a turn of its own for each thing would have somebody reply to each
			m.nodes[i].loose = false
		}
	}
}

// differs reports whether something tells other secrets in one language than in
// another: then the language of a playthrough is part of its state.
func (m *model) differs() bool {
	apart := func(tells [][]int) bool {
		return slices.ContainsFunc(tells, func(t []int) bool { return !slices.Equal(t, tells[0]) })
	}
	lines := func(list []line) bool { return slices.ContainsFunc(list, func(l line) bool { return apart(l.tells) }) }
	return slices.ContainsFunc(m.nodes, func(n node) bool { return lines(n.lines) }) ||
		slices.ContainsFunc(m.beats, func(b beat) bool { return lines(b.lines) }) ||
		slices.ContainsFunc(m.exits, func(e exit) bool { return lines(e.lines) }) ||
		slices.ContainsFunc(m.anchors, func(a anchor) bool { return apart(a.tells) }) ||
		slices.ContainsFunc(m.people, func(p person) bool { return apart(p.greets) })
}
