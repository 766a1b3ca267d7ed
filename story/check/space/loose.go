package space

import (
	"slices"
)

// A node is loose when a turn in it that does several things comes to the same
// as several turns that do one thing each: no counter of turns is looked at,
// nothing fires and no exit is taken by itself, and nobody asks who spoke last. Only beats whose condition looks
// at what another one changes are then let fire together (company). What can be
// reached stays the same; a way there takes one step for each thing.

// loosen works out which nodes are loose, and where it matters who replies.
func (m *model) loosen() {
	for n := range m.nodes {
		x := &m.nodes[n]
		for _, e := range x.exits {
			x.asks = x.asks || m.exits[e].asks > 0
		}
		x.voiced = m.speaksUp(x)
	}
}

// settle decides what is loose, once it is known what is live.
func (m *model) settle() {
	for n := range m.nodes {
		x := &m.nodes[n]
		counted := m.turns >= 0 && x.live[m.turns] || m.total >= 0 && x.live[m.total]
		surely := slices.ContainsFunc(x.beats, func(b int) bool { return m.beats[b].surely })
		auto := slices.ContainsFunc(x.exits, func(e int) bool { return m.exits[e].at.Auto })
		x.loose = !counted && !surely && !auto
		m.group(x)
	}
}

// speaksUp reports whether a reply in a node can change a state.
func (m *model) speaksUp(x *node) bool {
	for _, b := range x.beats {
		if m.beats[b].counts && m.beats[b].by != byPlayer {
			return true
		}
	}
	for _, a := range x.anchors {
		if m.anchors[a].mark >= 0 {
			return true
		}
	}
	for _, c := range x.cast {
		if slices.ContainsFunc(m.people[c.person].secrets, func(s secret) bool { return s.told >= 0 && !s.never }) {
			return true
		}
	}
	return false
}

// several reports whether more than one person may be in a node.
func several(x *node) bool {
	return slices.ContainsFunc(x.cast, func(c member) bool { return c.person != x.cast[0].person })
}

// group gives beats of a node, and the secrets that can be told in it, the same
// number where one's condition looks at what another changes.
func (m *model) group(x *node) {
	type thing struct {
		looks, writes []bool
		set           func(int)
		get           func() int
	}
	var all []thing
	fresh := func() (*looker, []bool) {
		return &looker{m: m, seen: make([]bool, len(m.fields)), node: x.id}, make([]bool, len(m.fields))
	}
	for _, b := range x.beats {
		look, writes := fresh()
		t := &m.beats[b]
		look.cond(t.at.When)
		m.written(t, writes)
		all = append(all, thing{look.seen, writes, func(g int) { t.group = g }, func() int { return t.group }})
	}
	for _, c := range x.cast {
		for _, s := range m.people[c.person].secrets {
			if s.told < 0 || s.unlock < 0 {
				continue
			}
			look, writes := fresh()
			look.condIn(m.sites[s.unlock].cond, "")
			writes[s.told] = true
			told := s.told
			all = append(all, thing{look.seen, writes, func(g int) { m.toldGroup[[2]int{m.nodeAt[x.id], told}] = g },
				func() int { return m.toldGroup[[2]int{m.nodeAt[x.id], told}] }})
		}
	}
	for i, t := range all {
		t.set(i)
	}
	for j, later := range all {
		for _, earlier := range all[:j] {
			if a, b := earlier.get(), later.get(); a != b && overlap(earlier.writes, later.looks) {
				for _, t := range all {
					if t.get() == b {
						t.set(a)
					}
				}
			}
		}
	}
}

func overlap(a, b []bool) bool {
	for i := range a {
		if a[i] && b[i] {
			return true
		}
	}
	return false
}

// written marks the fields that a beat can change.
func (m *model) written(b *beat, writes []bool) {
	mark := func(i int) {
		if i >= 0 {
			writes[i] = true
		}
	}
	mark(b.mark)
	for _, e := range b.effects {
		mark(e.field)
	}
	for _, l := range b.lines {
		for _, tells := range l.tells {
			for _, i := range tells {
				mark(i)
			}
		}
	}
}
