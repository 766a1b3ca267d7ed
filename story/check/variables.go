package check

import (
	"strings"

	"fabula/story/plot"
)

// variables finds variables that something asks for and nothing ever changes,
// and those that change and are never asked for.
func variables(c *checker) {
	read, written := c.used()
	for _, v := range c.s.Vars {
		switch {
		case read[v.ID] && !written[v.ID]:
			c.fail(v.Allow, v.Pos, CodeNeverWritten, v.ID)
		case !read[v.ID]:
			c.warn(v.Allow, v.Pos, CodeNeverRead, v.ID)
		}
	}
}

// used lists what is read (by conditions, values of effects, texts, the clock)
// and what effects write.
func (c *checker) used() (read, written map[string]bool) {
	read, written = map[string]bool{}, map[string]bool{}
	see := func(e *plot.Expr) {
		if e.Op == plot.OpVar {
			read[e.Name] = true
		}
	}
	for _, x := range c.conditions {
		c.s.Expr(x.cond).Walk(see)
	}
	for _, e := range c.effects {
		for _, a := range c.s.Assignments(e.Effect) {
			written[a.Var] = true
			a.Value.Walk(see)
		}
	}
	for _, p := range c.passages {
		for _, text := range p.text.All() {
			for _, v := range c.s.Vars {
				if strings.Contains(text, "{"+v.ID+"}") {
					read[v.ID] = true
				}
			}
		}
	}
	if c.s.Clock != nil {
		read[c.s.Clock.Var] = true
	}
	return read, written
}
