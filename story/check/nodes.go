package check

import "fabula/story/plot"

// nodes finds nodes that lead nowhere though they are no ending, and nodes
// that no chain of exits leads to, whatever their conditions.
func nodes(c *checker) {
	reached := map[string]bool{}
	c.reach(c.s.Node(c.s.Start), reached)
	for _, n := range c.s.Nodes {
		if len(n.Exits) == 0 && n.Ending == nil {
			c.fail(n.Allow, n.Pos, CodeDeadEnd, n.ID)
		}
		if !reached[n.ID] {
			c.fail(n.Allow, n.Pos, CodeUnreachable, n.ID)
		}
	}
}

func (c *checker) reach(from *plot.Node, reached map[string]bool) {
	for todo := []*plot.Node{from}; len(todo) > 0; {
		n := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; n == nil || reached[n.ID] {
			continue
		}
		reached[n.ID] = true
		for _, e := range n.Exits {
			if !e.Stay {
				todo = append(todo, c.s.Node(e.To))
			}
		}
	}
}
