package check

import "fabula/story/plot"

// secrets finds secrets whose condition cannot hold, whatever the variables
// are: `unlock: "false"` among them. Who means it says so with `allow`.
func secrets(c *checker) {
	for _, p := range c.s.Personas {
		for _, sec := range p.Secrets {
			unlock := c.s.Expr(sec.Unlock)
			if unlock == nil {
				continue
			}
			not := &plot.Expr{Op: plot.OpNot, Args: []*plot.Expr{unlock}, Kind: plot.Bool}
			if follows(c.s, "", nil, not) {
				c.fail(p.Allow, sec.Pos, CodeNeverUnlocks, p.ID+"."+sec.ID, sec.Unlock.Src)
			}
		}
	}
}
