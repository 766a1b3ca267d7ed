package check

import (
	"fabula/story/check/space"
	"fabula/story/plot"
)

// truths finds conditions that never hold, or always do, in any state in which
// they are asked. A node that is never reached says nothing of what is in it.
func truths(c *checker) {
	for _, x := range c.known {
		if !x.Proven || x.Kind == "node" && never(x) || x.Kind == "secret" && never(x) {
			continue // told of as an unreached node, or a secret that never unlocks
		}
		switch {
		case x.False && !x.True && c.whole(x):
			// the comparison that it is was told of as never holding
		case x.False && !x.True:
			f := fault(x.Pos, CodeNeverTrue, x.Src, x.Blocker)
			if x.Joined && x.Blocker == "" {
				f.Args[1] = "together"
			}
			c.along(c.allowedAt(x.Pos), f, x.First, false)
		case x.True && !x.False && !c.said(CodeAlways, x.Pos):
			c.along(c.allowedAt(x.Pos), caution(x.Pos, CodeAlwaysTrue, x.Src), x.First, false)
		}
	}
}

// whole reports a condition that is one comparison, of which it was said already,
// from the domains of variables alone, that it never holds.
func (c *checker) whole(x space.Condition) bool {
	return comparison(c.s.Expr(x.Cond).Op) && c.said(CodeNever, x.Pos)
}

// locked finds secrets whose condition holds in no state in which their owner is
// asked anything.
func locked(c *checker) {
	for _, p := range c.s.Personas {
		for _, sec := range p.Secrets {
			id := p.ID + "." + sec.ID
			x, ok := c.conditionsBy("secret", id)
			if !ok || !never(x) || c.said(CodeNeverUnlocks, sec.Pos) {
				continue
			}
			c.along(p.Allow, fault(sec.Pos, CodeNeverUnlocks, id, sec.Unlock.Src), x.First, false)
		}
	}
}

// constants finds variables that effects change, and that still have one value
// wherever something asks for them.
func constants(c *checker) {
	read, written := c.used()
	for _, v := range c.s.Vars {
		if !read[v.ID] || !written[v.ID] {
			continue
		}
		if value, same := c.space.Constant(v.ID); same && c.asked(v) {
			c.warn(v.Allow, v.Pos, CodeConstant, v.ID, value)
		}
	}
}

// asked reports whether a condition that came to be asked looks at a variable.
func (c *checker) asked(v *plot.Variable) bool {
	for _, x := range c.known {
		if !x.True && !x.False {
			continue
		}
		found := false
		c.s.Expr(x.Cond).Walk(func(e *plot.Expr) { found = found || e.Op == plot.OpVar && e.Name == v.ID })
		if found {
			return true
		}
	}
	return false
}
