package space

import (
	"fabula/personas/source"
	"fabula/story/plot"
)

// A field is live in a node where something can still look at it: there, or in
// a node that exits lead to. What is dead is taken as 0, so that states which
// nothing can tell apart any more are one.

// deaden lists, by node, the fields that nothing can look at any more.
func (m *model) deaden() {
	live := make([][]bool, len(m.nodes))
	for n := range m.nodes {
		live[n] = m.looks(n)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range m.exits {
			if e.to < 0 {
				continue
			}
			for f, yes := range live[e.to] {
				passing := m.fields[f].kind != turnsField && m.fields[f].kind != confirmField // entering resets these
				if yes && passing && !live[e.node][f] {
					live[e.node][f], changed = true, true
				}
			}
		}
	}
	for n := range m.nodes {
		m.nodes[n].dead = nil
		for f := range m.fields {
			if !live[n][f] {
				m.nodes[n].dead = append(m.nodes[n].dead, f)
			}
		}
		m.nodes[n].live = live[n]
	}
}

// looks marks the fields that something in a node looks at, the conditions of
// the nodes that its exits lead to among it.
func (m *model) looks(n int) []bool {
	x := &m.nodes[n]
	look := &looker{m: m, seen: make([]bool, len(m.fields)), node: x.id}
	look.seen[0] = true
	for i, f := range m.fields {
		if f.kind == langField || f.kind == speakerField && x.voiced || f.kind == confirmField && x.asks {
			look.seen[i] = true
		}
	}
	look.within(x.at)
	for _, b := range x.beats {
		if m.beats[b].at.Once {
			look.field(m.beats[b].mark)
		}
	}
	for _, a := range x.anchors {
		if m.anchors[a].mark >= 0 {
			look.field(m.anchors[a].mark)
			look.field(m.turns)
		}
	}
	for _, e := range x.exits {
		if to := m.exits[e].to; to >= 0 {
			look.node = m.nodes[to].id
			look.cond(m.nodes[to].at.When)
			look.node = x.id
		}
	}
	for _, c := range x.cast {
		look.person(&m.people[c.person])
	}
	return look.seen
}

type looker struct {
	m    *model
	seen []bool
	node string
}

func (l *looker) field(i int) {
	if i >= 0 {
		l.seen[i] = true
	}
}

func (l *looker) cond(c source.Cond) { l.condIn(c, l.node) }

// condIn looks at a condition that is registered for a node, or for any where
// node is empty; a bare visits is that of the node looked at.
func (l *looker) condIn(c source.Cond, node string) {
	if l.m.wanted[placed{source.Cond{Src: c.Src}, node}] {
		l.expr(l.m.s.Expr(c))
	}
}

func (l *looker) expr(e *plot.Expr) {
	e.Walk(func(x *plot.Expr) {
		switch x.Op {
		case plot.OpVar:
			l.field(l.m.vars[x.Name])
		case plot.OpCall:
			key := l.m.key(x, l.node)
			l.field(l.m.call(key.name, key.arg))
		}
	})
}

// within looks at what stands in the node itself.
func (l *looker) within(n *plot.Node) {
	for _, c := range n.Cast {
		l.cond(c.When)
	}
	for _, x := range n.Lines {
		l.cond(x.When)
	}
	for _, a := range n.Anchors {
		l.cond(a.When)
	}
	l.effects(n.OnEnter)
	for _, b := range n.Beats {
		l.cond(b.When)
		l.effects(b.Effects)
	}
	for _, e := range n.Exits {
		l.cond(e.When)
		l.effects(e.Effects)
	}
}

func (l *looker) effects(list []plot.Effect) {
	for _, e := range list {
		l.cond(e.When)
		for _, a := range l.m.s.Assignments(e) {
			if _, kept := l.m.vars[a.Var]; kept {
				l.expr(a.Value)
			}
		}
	}
}

func (l *looker) person(p *person) {
	l.field(p.greeted)
	for _, i := range p.prompt {
		l.condIn(l.m.sites[i].cond, "")
	}
	for _, s := range p.secrets {
		if s.unlock >= 0 {
			l.condIn(l.m.sites[s.unlock].cond, "")
		}
	}
}
