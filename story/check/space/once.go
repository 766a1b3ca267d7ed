package space

import "fabula/story/plot"

// shutsItself reports a beat that cannot fire twice whether it is `once` or not,
// so that no mark is needed for that: its condition asks for a variable to be
// false that the beat sets, and that nothing in the world clears again.
func (m *model) shutsItself(b *plot.Beat) bool {
	when := m.s.Expr(b.When)
	if when == nil {
		return false
	}
	for _, c := range conjuncts(when) {
		if c.Op == plot.OpNot && c.Args[0].Op == plot.OpVar && m.sets(b, c.Args[0].Name) && m.onlySet(c.Args[0].Name) {
			return true
		}
	}
	return false
}

// sets reports whether firing a beat surely makes a variable true.
func (m *model) sets(b *plot.Beat, id string) bool {
	for _, e := range b.Effects {
		for _, a := range m.s.Assignments(e) {
			if a.Var == id && e.When.Empty() && a.Op == "=" && a.Value.Op == plot.OpLit && a.Value.Value.True() {
				return true
			}
		}
	}
	return false
}

// onlySet reports whether every effect on a variable makes it true.
func (m *model) onlySet(id string) bool {
	for _, x := range m.list.effects {
		for _, a := range m.s.Assignments(x.effect) {
			if a.Var == id && (a.Value.Op != plot.OpLit || !a.Value.Value.True()) {
				return false
			}
		}
	}
	return true
}
