package space

import (
	"maps"
	"slices"

	"fabula/personas/source"
	"fabula/story/plot"
)

// chooser decides what a model keeps. First all that steers: conditions of nodes
// and exits, and whatever can change how one of those comes out. Then the
// conditions that are asked for. What a model keeps decides its own future: see
// the package comment.
type chooser struct {
	m       *model
	r       *reads
	done    map[*plot.Effect]bool
	changed bool
}

// choose fills in what the model keeps and what it asks.
func (m *model) choose(list gathered, extra []placed) *reads {
	c := &chooser{m: m, r: newReads(m), done: map[*plot.Effect]bool{}}
	for _, x := range extra {
		c.want(x.cond, x.node)
	}
	for c.changed = true; c.changed; {
		c.changed = false
		for _, n := range m.s.Nodes {
			c.node(n)
		}
		c.people()
	}
	for _, x := range list.conditions {
		c.free(x)
	}
	return c.r
}

// want adds a condition.
func (c *chooser) want(x source.Cond, node string) {
	key := placed{source.Cond{Src: x.Src}, node}
	if x.Empty() || c.m.wanted[key] {
		return
	}
	c.m.wanted[key], c.changed = true, true
	c.r.condition(c.m.s.Expr(x), node)
}

// free adds a condition that looks at nothing new.
func (c *chooser) free(x placed) {
	trial := c.r.clone()
	trial.condition(c.m.s.Expr(x.cond), x.node)
	if trial.same(c.r) {
		c.want(x.cond, x.node)
	}
}

func (c *chooser) node(n *plot.Node) {
	c.want(n.When, n.ID)
	c.effects(n.OnEnter, n.ID)
	replies := false
	for _, e := range n.Exits {
		c.want(e.When, n.ID)
		c.effects(e.Effects, n.ID)
		replies = replies || e.Auto
	}
	for _, b := range n.Beats {
		if c.counts(n, b) {
			c.want(b.When, n.ID)
			replies = replies || b.Speaker != "" && b.Speaker != "player"
		}
		c.effects(b.Effects, n.ID)
	}
	for _, l := range n.Lines {
		if c.tells(l) {
			c.want(l.When, n.ID)
		}
	}
	for _, a := range n.Anchors {
		if c.tells(a) {
			c.want(a.When, n.ID)
			c.r.call(callKey{name: "turns"}).include(0, a.After)
			replies = true
		}
	}
	for _, x := range n.Cast {
		replies = replies || c.mayTell(x.NPC)
	}
	if replies {
		c.cast(n)
	}
}

func (c *chooser) cast(n *plot.Node) {
	for _, x := range n.Cast {
		c.want(x.When, n.ID)
	}
}

// effects adds what decides the value of a variable that is kept.
func (c *chooser) effects(list []plot.Effect, node string) {
	for i := range list {
		e := &list[i]
		for _, a := range c.m.s.Assignments(*e) {
			l := c.r.vars[a.Var]
			if l == nil || c.done[e] {
				continue
			}
			c.done[e], c.changed = true, true
			c.want(e.When, node)
			c.r.assign(l, a, node)
		}
	}
}

// counts reports whether a beat that fires changes something that is kept.
func (c *chooser) counts(n *plot.Node, b *plot.Beat) bool {
	if c.r.calls[callKey{"beat", n.ID + "." + b.ID}] != nil {
		return true
	}
	for _, e := range b.Effects {
		for _, a := range c.m.s.Assignments(e) {
			if c.r.vars[a.Var] != nil {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.Lines, func(l *plot.Line) bool { return l.At == "beat:"+b.ID && c.tells(l) })
}

func (c *chooser) tells(key any) bool {
	for _, ids := range c.m.telling[key] {
		for _, id := range ids {
			if c.r.calls[callKey{"told", id}] != nil {
				return true
			}
		}
	}
	return false
}

func (c *chooser) mayTell(npc string) bool {
	p := c.m.s.Persona(npc)
	if p == nil {
		return false
	}
	for _, sec := range p.Secrets {
		if c.r.calls[callKey{"told", p.ID + "." + sec.ID}] != nil && !sec.Unlock.Empty() {
			return true
		}
	}
	return false
}

// people adds what decides whether a secret that matters can be told, or is
// told with a greeting.
func (c *chooser) people() {
	for _, p := range c.m.s.Personas {
		for _, sec := range p.Secrets {
			if c.r.calls[callKey{"told", p.ID + "." + sec.ID}] != nil {
				c.want(sec.Unlock, "")
			}
		}
		if !c.tells(p) {
			continue
		}
		for _, n := range c.m.s.Nodes {
			if slices.ContainsFunc(n.Cast, func(x plot.Member) bool { return x.NPC == p.ID }) {
				c.cast(n)
				for _, l := range n.Lines {
					if l.At == "enter" {
						c.want(l.When, n.ID)
					}
				}
			}
		}
	}
}

func (r *reads) clone() *reads {
	out := &reads{m: r.m, vars: map[string]*limits{}, calls: map[callKey]*limits{}, bare: r.bare, bounds: slices.Clone(r.bounds)}
	for k, l := range r.vars {
		copied := *l
		out.vars[k] = &copied
	}
	for k, l := range r.calls {
		copied := *l
		out.calls[k] = &copied
	}
	return out
}

func (r *reads) same(o *reads) bool {
	equal := func(a, b *limits) bool { return *a == *b }
	return r.bare == o.bare && maps.EqualFunc(r.vars, o.vars, equal) && maps.EqualFunc(r.calls, o.calls, equal)
}
