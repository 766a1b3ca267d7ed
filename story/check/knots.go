package check

import (
	"slices"
	"strings"

	"fabula/personas/source"
	"fabula/story/plot"
)

// halts finds states in which nothing leads on: no ending, no open exit, none
// that talk can open; and among them those where marks of what happened once
// have closed what was open before.
func halts(c *checker) {
	for _, x := range c.space.Stuck() {
		n := c.s.Node(x.Node)
		f := fault(n.Pos, CodeStuck, n.ID, closed(c.s, n))
		if x.Before && c.usedUp(n) {
			f = fault(n.Pos, CodeExhausted, n.ID, number(x.Visits), closed(c.s, n))
		}
		c.along(n.Allow, f, x.At, true)
	}
}

// usedUp reports whether some exit of a node asks what has happened already.
func (c *checker) usedUp(n *plot.Node) bool {
	return slices.ContainsFunc(n.Exits, func(e *plot.Exit) bool {
		once := false
		for _, cond := range []source.Cond{e.When, target(c.s, e)} {
			c.s.Expr(cond).Walk(func(x *plot.Expr) {
				once = once || x.Op == plot.OpCall && (x.Name == "beat" || x.Name == "exit" || x.Name == "visits")
			})
		}
		return once
	})
}

func target(s *plot.Script, e *plot.Exit) source.Cond {
	if to := s.Node(e.To); !e.Stay && to != nil {
		return to.When
	}
	return source.Cond{}
}

// traps finds regions that no ending can be reached from.
func traps(c *checker) {
	for _, x := range c.space.Traps() {
		n := c.s.Node(c.space.NodeAt(x.At))
		c.along(n.Allow, fault(n.Pos, CodeTrap, n.ID, strings.Join(x.Nodes, ", ")), x.At, true)
	}
}

// cycles finds ways round that exits take by themselves: a player who chooses
// nothing never comes out.
func cycles(c *checker) {
	for _, x := range c.space.Cycles() {
		n := c.s.Node(x.Nodes[0])
		c.along(n.Allow, caution(n.Pos, CodeAutoCycle, strings.Join(append(x.Nodes, x.Nodes[0]), " → ")), x.At, true)
	}
}
