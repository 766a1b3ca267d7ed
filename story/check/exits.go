package check

import "slices"

// exits finds exits that a player cannot see the words of: those are shown
// under their target's title, or can only be guessed.
func exits(c *checker) {
	for _, n := range c.s.Nodes {
		for _, e := range n.Exits {
			allow := slices.Concat(n.Allow, e.Allow)
			switch {
			case !e.Choice.Empty() || e.Auto:
			case e.Said != nil:
				c.warn(allow, e.Pos, CodeSaidOnly, n.ID+"."+e.ID)
			case !e.Otherwise:
				c.warn(allow, e.Pos, CodeNoWay, n.ID+"."+e.ID)
			}
		}
	}
}
