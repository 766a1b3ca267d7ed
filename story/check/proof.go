package check

import (
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/check/space"
	"fabula/story/plot"
)

// The rules of this file and of truth.go, knots.go and silent.go ask the states
// that the world can be played into (package space), not the text alone.

// along reports a finding with the way to the state that shows it. Where what is
// found stands and falls with that state, shown says so: the finding is then
// marked as perhaps impossible if no words were found that lead there.
func (c *checker) along(allow []personas.Allow, f Finding, at space.At, shown bool) {
	way, played := c.space.Witness(at)
	f.Way, f.Forced = way, shown && !played
	c.report(allow, f)
}

// conditionsBy gives what was found out about conditions of a kind, by owner.
func (c *checker) conditionsBy(kind, owner string) (space.Condition, bool) {
	i := slices.IndexFunc(c.known, func(x space.Condition) bool { return x.Kind == kind && x.Owner == owner })
	if i < 0 {
		return space.Condition{}, false
	}
	return c.known[i], true
}

// never reports a condition that was asked and never held.
func never(x space.Condition) bool { return x.Proven && x.False && !x.True }

// allowedAt gives the allowances that cover a condition.
func (c *checker) allowedAt(at source.Pos) []personas.Allow {
	i := slices.IndexFunc(c.conditions, func(x condition) bool { return x.cond.Pos == at })
	if i < 0 {
		return nil
	}
	return c.conditions[i].allow
}

// reach finds nodes that exits lead to, and that no state reaches: with the
// condition that is nearest in the way.
func reach(c *checker) {
	if !c.space.Complete() {
		return
	}
	led := map[string]bool{}
	c.reach(c.s.Node(c.s.Start), led)
	for _, n := range c.s.Nodes {
		if _, ok := c.space.Reached(n.ID); ok || !led[n.ID] {
			continue
		}
		from, e := c.nearest(n)
		if e == nil {
			continue
		}
		at, _ := c.space.Reached(from.ID)
		c.along(n.Allow, fault(n.Pos, CodeUnreached, n.ID, from.ID+"."+e.ID, c.blocked(from, e)), at, false)
	}
}

// nearest gives the exit of a reached node from which the fewest steps lead to a
// node that is not.
func (c *checker) nearest(n *plot.Node) (*plot.Node, *plot.Exit) {
	seen := map[string]bool{n.ID: true}
	for goals := []string{n.ID}; len(goals) > 0; {
		var before []string
		for _, from := range c.s.Nodes {
			for _, e := range from.Exits {
				if e.Stay || !slices.Contains(goals, c.s.Node(e.To).ID) {
					continue
				}
				if _, ok := c.space.Reached(from.ID); ok {
					return from, e
				}
				if !seen[from.ID] {
					seen[from.ID] = true
					before = append(before, from.ID)
				}
			}
		}
		goals = before
	}
	return nil, nil
}

// blocked gives the condition that keeps an exit closed, the part of it that
// never holds if there is one; empty where it is none.
func (c *checker) blocked(n *plot.Node, e *plot.Exit) string {
	x, ok := c.conditionsBy("exit", n.ID+"."+e.ID)
	if !ok || !never(x) {
		x, ok = c.conditionsBy("node", e.To)
	}
	switch {
	case !ok || !never(x):
		return ""
	case x.Blocker != "":
		return x.Blocker
	}
	return x.Src
}

// unproven says what the search left open.
func unproven(c *checker) {
	for _, b := range c.space.Bounds {
		c.warn(nil, c.s.StartPos, CodeNotProven, b.Kind, number(b.At), b.Name)
	}
}

// closed words why the exits of a node are closed.
func closed(s *plot.Script, n *plot.Node) string {
	var out []string
	for _, e := range n.Exits {
		why := e.When.Src
		if to := s.Node(e.To); why == "" && !e.Stay && to != nil {
			why = to.When.Src
		}
		if why == "" && e.Auto {
			why = "auto"
		}
		out = append(out, e.ID+" ("+why+")")
	}
	return strings.Join(out, ", ")
}
