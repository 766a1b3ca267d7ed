package space

import (
	"slices"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// at registers a condition in its place; -1 for one that always holds.
func (m *model) at(c source.Cond, kind, owner, node string) int {
	e := m.s.Expr(c)
	if e == nil {
		return -1
	}
	x := site{cond: c, kind: kind, owner: owner, node: node}
	if !m.wanted[placed{source.Cond{Src: c.Src}, node}] {
		m.sites = append(m.sites, x) // blind: the model does not keep what it looks at
		return len(m.sites) - 1
	}
	x.holds = m.compileExpr(e, node)
	if all := conjuncts(e); len(all) > 1 {
		for _, p := range all {
			x.parts = append(x.parts, part{p.Source(), m.compileExpr(p, node)})
		}
	}
	m.sites = append(m.sites, x)
	return len(m.sites) - 1
}

// conjuncts gives what an `and` joins, in order.
func conjuncts(e *plot.Expr) []*plot.Expr {
	if e.Op != plot.OpAnd {
		return []*plot.Expr{e}
	}
	return append(conjuncts(e.Args[0]), conjuncts(e.Args[1])...)
}

func (m *model) effects(list []plot.Effect, owner, node string) []effect {
	var out []effect
	for _, e := range list {
		x := effect{when: m.at(e.When, "effect", owner, node), field: -1}
		for _, a := range m.s.Assignments(e) {
			if i, ok := m.vars[a.Var]; ok {
				x.field, x.op, x.value = i, a.Op[0], m.compileExpr(a.Value, node)
				if words := m.fields[i].words; words != nil {
					x.value = wordPlace(x.value, words)
				}
			}
		}
		if x.when >= 0 || x.field >= 0 {
			out = append(out, x)
		}
	}
	return out
}

// wordPlace turns the number of a word into its place in a domain.
func wordPlace(v value, words []int) value {
	at := map[int]int{}
	for i, w := range words {
		at[w] = i
	}
	return func(st []int) int { return at[v(st)] }
}

// lines compiles the lines of a node at one moment, as far as anything can be
// said of them.
func (m *model) lines(n *plot.Node, moment string) []line {
	var out []line
	for _, l := range n.Lines {
		if l.At == moment {
			out = append(out, line{when: m.at(l.When, "line", plot.LineID(n.ID, l), n.ID), tells: m.tells(l)})
		}
	}
	return out
}

func (m *model) addNode(n *plot.Node) {
	x := node{id: n.ID, at: n, when: m.at(n.When, "node", n.ID, n.ID), visit: m.call("visits", n.ID), ending: n.Ending != nil,
		all: n.Turns == "all", enter: m.effects(n.OnEnter, n.ID, n.ID), lines: m.lines(n, "enter")}
	for _, c := range n.Cast {
		if p, ok := m.personAt[c.NPC]; ok {
			x.cast = append(x.cast, member{p, m.at(c.When, "cast", n.ID+" "+c.NPC, n.ID)})
		}
	}
	for _, b := range n.Beats {
		x.beats = append(x.beats, m.addBeat(n, b))
	}
	for _, a := range n.Anchors {
		x.anchors = append(x.anchors, m.addAnchor(n, a))
	}
	for _, e := range n.Exits {
		x.exits = append(x.exits, m.addExit(n, e))
	}
	x.agree = m.agreeing(x.beats)
	m.nodes = append(m.nodes, x)
}

// agreeing gives the words that agree to a question, one for each set of beats
// that such a word sets off.
func (m *model) agreeing(beats []int) []agreement {
	var out []agreement
	for _, word := range []string{"yes", "y", "是", "对", "好"} {
		a := agreement{word: word}
		for _, b := range beats {
			if _, hit := m.beats[b].at.Detect.Match(word); hit || m.beats[b].surely {
				a.fires = append(a.fires, b)
			}
		}
		if !slices.ContainsFunc(out, func(o agreement) bool { return slices.Equal(o.fires, a.fires) }) {
			out = append(out, a)
		}
	}
	return out
}

func (m *model) addBeat(n *plot.Node, b *plot.Beat) int {
	id := n.ID + "." + b.ID
	x := beat{id: id, node: m.nodeAt[n.ID], at: b, when: m.at(b.When, "beat", id, n.ID), mark: m.call("beat", id),
		effects: m.effects(b.Effects, id, n.ID), lines: m.lines(n, "beat:"+b.ID)}
	switch b.Speaker {
	case "", "player":
		x.by = byPlayer
	case "npc":
		x.by = byNPC
	case "any":
		x.by = byAny
	default:
		x.by = m.personAt[b.Speaker]
	}
	d := b.Detect
	given := len(d.Any)+len(d.All)+len(d.None) > 0 || d.Intent != nil || !d.Judge.Empty() || b.Like > 0
	x.surely = !given
	x.possible = !given || sayable(&d) || b.Like > 0
	changes := slices.ContainsFunc(x.effects, func(e effect) bool { return e.field >= 0 }) ||
		slices.ContainsFunc(x.lines, func(l line) bool { return l.tells != nil })
	if b.Once && changes && x.mark < 0 && !m.shutsItself(b) {
		x.mark = m.addField(field{kind: beatField, name: id, size: 2})
		m.calls[callKey{"beat", id}] = x.mark
	}
	x.counts = changes || x.mark >= 0
	m.beats = append(m.beats, x)
	return len(m.beats) - 1
}

// sayable reports whether some words can be what is looked for.
func sayable(d *plot.Detect) bool {
	return d.Sayable() || !d.Judge.Empty()
}

func (m *model) addExit(n *plot.Node, e *plot.Exit) int {
	id := n.ID + "." + e.ID
	x := exit{id: id, node: m.nodeAt[n.ID], at: e, to: -1, when: m.at(e.When, "exit", id, n.ID), mark: m.call("exit", id), asker: -1,
		effects: m.effects(e.Effects, id, n.ID), lines: m.lines(n, "exit:"+e.ID)}
	if to := m.s.Node(e.To); !e.Stay && to != nil {
		x.to = m.nodeAt[to.ID]
	}
	x.said = e.Said != nil && sayable(e.Said)
	x.offered = !e.Auto && (e.Said == nil || !e.Choice.Empty())
	if e.Confirm != nil {
		if p, ok := m.personAt[e.Confirm.By]; ok {
			x.asker = p
		}
	}
	m.exits = append(m.exits, x)
	return len(m.exits) - 1
}

func (m *model) addAnchor(n *plot.Node, a *plot.Anchor) int {
	id := n.ID + "." + a.ID
	x := anchor{id: id, by: -1, when: m.at(a.When, "anchor", id, n.ID), mark: -1, after: a.After, at: a}
	if p, ok := m.personAt[a.By]; ok {
		x.by = p
	}
	if x.tells = m.tells(a); x.tells != nil && a.After > 0 {
		x.mark = m.addField(field{kind: anchorField, name: id, size: 2})
	}
	m.anchors = append(m.anchors, x)
	return len(m.anchors) - 1
}

func (m *model) person(p *personas.Persona) person {
	x := person{id: p.ID, greeted: -1, greets: m.tells(p)}
	if x.greets != nil {
		x.greeted = m.addField(field{kind: greetField, name: p.ID, size: 2})
	}
	for _, sec := range p.Secrets {
		id := p.ID + "." + sec.ID
		x.secrets = append(x.secrets, secret{id: id, unlock: m.at(sec.Unlock, "secret", id, ""), told: m.call("told", id), never: sec.Unlock.Empty()})
	}
	return x
}

// prompts gives every person the conditions that its prompt looks at.
func (m *model) prompts() {
	for i, p := range m.s.Personas {
		x := &m.people[i]
		for _, s := range x.secrets {
			if s.unlock >= 0 && m.sites[s.unlock].holds != nil {
				x.prompt = append(x.prompt, s.unlock)
			}
		}
		put := func(c source.Cond, kind, owner string) {
			if s := m.at(c, kind, owner, ""); s >= 0 && m.sites[s].holds != nil {
				x.prompt = append(x.prompt, s)
			}
		}
		for _, g := range p.Goals {
			put(g.When, "goal", p.ID)
		}
		for _, g := range p.Knows {
			put(g.When, "knows", p.ID)
		}
		for _, g := range p.Samples {
			put(g.When, "sample", p.ID)
		}
	}
	for _, v := range m.s.Vars {
		for _, w := range v.Words {
			m.shared(m.at(w.When, "words", v.ID, ""), v.KnownTo)
		}
	}
	for _, l := range m.s.Lore {
		m.shared(m.at(l.When, "lore", l.ID, ""), l.KnownTo)
	}
}

// shared adds a condition to the prompts of those who may know.
func (m *model) shared(site int, known []string) {
	for i := range m.people {
		if site >= 0 && m.sites[site].holds != nil && (len(known) == 0 || slices.Contains(known, m.people[i].id)) {
			m.people[i].prompt = append(m.people[i].prompt, site)
		}
	}
}
