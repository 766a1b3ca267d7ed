package space

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Most conditions only decide which line is played or what stands in a prompt.
// Keeping what all of them look at would multiply the states. Walks show both
// sides of nearly all of them; each of the few that stay open is proven in a
// search of its own, which keeps what steers and what that condition looks at.
const (
	settlingWalks = 600
	walksAtOnce   = 30
	mostSlices    = 24
)

// settle finds out about what the main search is blind to.
func (sp *Space) settle(l Limits) {
	full := sp.world.compile(sp.world.list.conditions)
	w := newWalker(full, 1)
	sp.walked = w.hits
	for i := 0; i < settlingWalks && (i%walksAtOnce > 0 || sp.unsettled(full)); i++ {
		w.walk(i%2 == 1)
	}
	if !sp.Complete() {
		return
	}
	open := 0
	for i, group := range sp.groups(full) {
		if i == mostSlices || l.States <= 0 {
			open += group.sites
			continue
		}
		r := search(sp.world.compile(group.conds), l)
		l.States -= r.table.count
		if len(r.bounds) > 0 {
			open += group.sites
			continue
		}
		sp.slices = append(sp.slices, r)
	}
	if open > 0 {
		sp.Bounds = append(sp.Bounds, Bound{Kind: BoundAsked, At: open})
	}
}

// unsettled reports whether some site is still open.
func (sp *Space) unsettled(full *model) bool {
	for i := range full.sites {
		if !sp.settled(full, i) {
			return true
		}
	}
	return false
}

// group is conditions that one search settles.
type group struct {
	conds []placed
	sites int
	names string // what they look at beyond what steers
}

// groups puts the open conditions together that look at the same.
func (sp *Space) groups(full *model) []group {
	base := sp.main.m.keeps(nil)
	by := map[string]*group{}
	for i := range full.sites {
		if sp.settled(full, i) {
			continue
		}
		conds := append(full.context(i), placed{full.sites[i].cond, full.sites[i].node})
		var extra []string
		for _, name := range sp.main.m.keeps(conds) {
			if _, there := slices.BinarySearch(base, name); !there {
				extra = append(extra, name)
			}
		}
		key := strings.Join(extra, " ")
		if by[key] == nil {
			by[key] = &group{names: key}
		}
		by[key].conds = append(by[key].conds, conds...)
		by[key].sites++
	}
	all := slices.Collect(maps.Values(by))
	slices.SortFunc(all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(len(a.names), len(b.names)), cmp.Compare(a.names, b.names))
	})
	var out []group
	for _, g := range all {
		out = append(out, *g)
	}
	return out
}

// keeps lists, sorted, what a model keeps that can ask extra conditions.
func (m *model) keeps(extra []placed) []string {
	trial := *m
	trial.wanted = map[placed]bool{}
	r := trial.choose(gathered{}, extra)
	var out []string
	for name := range r.vars {
		out = append(out, name)
	}
	for key := range r.calls {
		out = append(out, key.name+":"+key.arg)
	}
	slices.Sort(out)
	return out
}

// settled reports whether nothing is left to be proven of a site: the main
// search asks it, or walks have seen both its sides and what it decides.
func (sp *Space) settled(full *model, i int) bool {
	if sp.main.m.sites[i].holds != nil {
		return true
	}
	if !sp.walked.settled(i) {
		return false
	}
	x := &full.sites[i]
	switch x.kind {
	case "beat":
		return sp.walked.beats[full.beatAt(x.owner)] >= 0
	case "anchor":
		return sp.walked.delivered[full.anchorAt(x.owner)] >= 0
	}
	return true
}

func (m *model) beatAt(id string) int {
	return slices.IndexFunc(m.beats, func(b beat) bool { return b.id == id })
}

func (m *model) anchorAt(id string) int {
	return slices.IndexFunc(m.anchors, func(a anchor) bool { return a.id == id })
}

// context gives the conditions that decide whether a site is asked at all, as
// far as they are not those that steer.
func (m *model) context(i int) []placed {
	x := &m.sites[i]
	var out []placed
	cast := func(n *node, who func(person int) bool) {
		for _, c := range n.cast {
			if c.when >= 0 && who(c.person) {
				out = append(out, placed{m.sites[c.when].cond, n.id})
			}
		}
	}
	switch x.kind {
	case "line", "effect":
		for _, b := range m.beats {
			if b.when >= 0 && (b.id == x.owner || slices.ContainsFunc(b.lines, func(l line) bool { return l.when == i })) {
				out = append(out, placed{m.sites[b.when].cond, m.nodes[b.node].id})
			}
		}
	case "anchor":
		a := &m.anchors[m.anchorAt(x.owner)]
		cast(&m.nodes[m.nodeAt[x.node]], func(person int) bool { return person == a.by })
	case "beat":
		cast(&m.nodes[m.nodeAt[x.node]], func(int) bool { return true })
	case "cast", "node", "exit":
	default: // of prompts
		for n := range m.nodes {
			cast(&m.nodes[n], func(person int) bool { return slices.Contains(m.people[person].prompt, i) })
		}
	}
	return out
}
