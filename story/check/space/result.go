package space

import (
	"fabula/personas/source"
)

// At is a state of one of the searches.
type At struct {
	run   *run
	state int
}

// Condition is what was found out about one condition in its place.
type Condition struct {
	source.Cond
	Kind    string // exit, node, beat, line, effect, cast, anchor, secret, words, lore, goal, knows, sample
	Owner   string // what it belongs to: "node.exit", the variable, the persona, …
	Node    string // the node that it stands in; empty = asked wherever the player is
	True    bool   // some state makes it hold
	False   bool   // some state makes it not hold
	Proven  bool   // a side that was not seen is not there
	First   At     // the first state from which it was asked
	Joined  bool   // it is an `and`
	Blocker string // part of it that never held by itself; empty = none
}

// Conditions lists every condition of the world in a fixed order.
func (sp *Space) Conditions() []Condition {
	out := make([]Condition, len(sp.main.m.sites))
	for i := range sp.main.m.sites {
		x := &sp.main.m.sites[i]
		c := Condition{Cond: x.cond, Kind: x.kind, Owner: x.owner, Node: x.node, Joined: len(conjuncts(sp.world.s.Expr(x.cond))) > 1}
		if r := sp.asks(i); r != nil {
			c.Proven = len(r.bounds) == 0
			c.read(r, i)
		}
		w := &sp.walked.sites[i]
		c.False, c.True = c.False || w.first[0] >= 0, c.True || w.first[1] >= 0
		out[i] = c
	}
	return out
}

// asks gives the search that asks a site; nil if none does.
func (sp *Space) asks(site int) *run {
	if sp.main.m.sites[site].holds != nil {
		return sp.main
	}
	for _, r := range sp.slices {
		if r.m.sites[site].holds != nil && r.wants(site) {
			return r
		}
	}
	return nil
}

// wants reports whether a search can tell when a site is asked.
func (r *run) wants(site int) bool {
	for _, c := range r.m.context(site) {
		if !r.m.wanted[placed{source.Cond{Src: c.cond.Src}, c.node}] {
			return false
		}
	}
	return true
}

func (c *Condition) read(r *run, site int) {
	k := &r.marks.sites[site]
	c.False, c.True = k.first[0] >= 0, k.first[1] >= 0
	c.First = At{r, k.first[0]}
	if k.first[0] < 0 || k.first[1] >= 0 && k.first[1] < k.first[0] {
		c.First.state = k.first[1]
	}
	for i, held := range k.parts {
		if !held && !c.True && c.Blocker == "" {
			c.Blocker = r.m.sites[site].parts[i].src
		}
	}
}

// NodeAt is the node that a state stands in.
func (sp *Space) NodeAt(at At) string { return at.run.m.nodes[at.run.node(at.state)].id }

// Start is the state that the start leaves.
func (sp *Space) Start() At { return At{sp.main, 0} }

// Reached gives the first state in a node; false if no state reaches it.
func (sp *Space) Reached(node string) (At, bool) {
	n, ok := sp.main.m.nodeAt[node]
	switch {
	case !ok || sp.main.marks.nodes[n] < 0:
		return At{}, false
	case sp.main.first[n] >= 0:
		return At{sp.main, sp.main.first[n]}, true
	}
	return At{sp.main, sp.main.marks.nodes[n]}, true // only passed through
}

// Taken reports whether an exit, "node.exit", is ever taken.
func (sp *Space) Taken(id string) bool {
	for i, e := range sp.main.m.exits {
		if e.id == id {
			return sp.main.marks.exits[i] >= 0
		}
	}
	return false
}

// Fires reports whether a beat, "node.beat", can ever fire; proven as far as
// not so.
func (sp *Space) Fires(id string) bool {
	i := sp.main.m.beatAt(id)
	return i >= 0 && sp.any(func(k *marks) bool { return k.beats[i] >= 0 })
}

// Delivered reports whether somebody is ever there to say an anchor,
// "node.anchor", while it is asked for.
func (sp *Space) Delivered(id string) bool {
	i := sp.main.m.anchorAt(id)
	return i >= 0 && sp.any(func(k *marks) bool { return k.delivered[i] >= 0 })
}

func (sp *Space) any(seen func(*marks) bool) bool {
	if seen(&sp.main.marks) || seen(sp.walked) {
		return true
	}
	for _, r := range sp.slices {
		if seen(&r.marks) {
			return true
		}
	}
	return false
}

// Constant gives the value that a variable has wherever something asks for it,
// if it is always the same one.
func (sp *Space) Constant(id string) (string, bool) {
	i, ok := sp.main.m.vars[id]
	if !ok || !sp.Complete() {
		return "", false
	}
	v := sp.main.marks.values[i]
	if v.least != v.most || sp.main.m.fields[i].open {
		return "", false
	}
	return sp.main.m.shown(i, v.least), true
}
