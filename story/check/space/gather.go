package space

import (
	"cmp"
	"maps"
	"slices"

	"fabula/personas/source"
	"fabula/story/plot"
)

// gathered is every condition and effect of a script, with the node whose
// `visits` it means.
type gathered struct {
	conditions []placed
	effects    []scoped
}

type placed struct {
	cond source.Cond
	node string
}

func gather(s *plot.Script) gathered {
	var g gathered
	for _, v := range s.Vars {
		for _, w := range v.Words {
			g.cond(w.When, "")
		}
	}
	for _, p := range s.Personas {
		for _, x := range slices.Concat(p.Goals, p.Knows) {
			g.cond(x.When, "")
		}
		for _, x := range p.Samples {
			g.cond(x.When, "")
		}
		for _, x := range p.Secrets {
			g.cond(x.Unlock, "")
		}
	}
	for _, l := range s.Lore {
		g.cond(l.When, "")
	}
	for _, n := range s.Nodes {
		g.node(n)
	}
	return g
}

func (g *gathered) node(n *plot.Node) {
	g.cond(n.When, n.ID)
	g.does(n.OnEnter, n.ID)
	for _, c := range n.Cast {
		g.cond(c.When, n.ID)
	}
	for _, l := range n.Lines {
		g.cond(l.When, n.ID)
	}
	for _, a := range n.Anchors {
		g.cond(a.When, n.ID)
	}
	for _, b := range n.Beats {
		g.cond(b.When, n.ID)
		g.does(b.Effects, n.ID)
	}
	for _, e := range n.Exits {
		g.cond(e.When, n.ID)
		g.does(e.Effects, n.ID)
	}
}

func (g *gathered) cond(c source.Cond, node string) {
	if !c.Empty() {
		g.conditions = append(g.conditions, placed{c, node})
	}
}

func (g *gathered) does(list []plot.Effect, node string) {
	for _, e := range list {
		g.cond(e.When, node)
		g.effects = append(g.effects, scoped{e, node})
	}
}

func sortedCalls(m map[callKey]*limits) []callKey {
	return slices.SortedFunc(maps.Keys(m), func(a, b callKey) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.arg, b.arg))
	})
}
