package check

import (
	"slices"

	"fabula/personas"
	"fabula/story/plot"
)

// unsayable finds what is waited for in words that nobody can say: every wording
// holds one of `none`.
func unsayable(c *checker) {
	for _, n := range c.s.Nodes {
		for _, b := range n.Beats {
			if b.Like == 0 {
				c.unsayable(slices.Concat(n.Allow, b.Allow), b.Detect, n.ID+"."+b.ID)
			}
		}
		for _, a := range n.Anchors {
			c.unsayable(n.Allow, a.Detect, n.ID+"."+a.ID)
		}
		for _, e := range n.Exits {
			if e.Said != nil {
				c.unsayable(slices.Concat(n.Allow, e.Allow), *e.Said, n.ID+"."+e.ID)
			}
		}
	}
}

func (c *checker) unsayable(allow []personas.Allow, d plot.Detect, id string) {
	if len(d.Any)+len(d.All) > 0 && d.Judge.Empty() && !d.Sayable() {
		c.warn(allow, d.Pos, CodeUnsayable, id)
	}
}
