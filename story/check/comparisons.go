package check

import "fabula/story/plot"

// comparisons finds comparisons that come out the same whatever the variables
// are, such as trust > 3 where trust goes to 3.
func comparisons(c *checker) {
	for _, x := range c.conditions {
		c.s.Expr(x.cond).Walk(func(e *plot.Expr) {
			if !comparison(e.Op) {
				return
			}
			never, always := settled(c.s, e)
			name, domain := aboutWhat(c.s, e)
			switch {
			case never && comparison(c.s.Expr(x.cond).Op): // it is the whole condition
				c.fail(x.allow, x.cond.Pos, CodeNever, e.Source(), name, domain)
			case never:
				c.warn(x.allow, x.cond.Pos, CodeNever, e.Source(), name, domain)
			case always:
				c.warn(x.allow, x.cond.Pos, CodeAlways, e.Source(), name, domain)
			}
		})
	}
}

// settled says whether a comparison can never hold, or always does.
func settled(s *plot.Script, e *plot.Expr) (never, always bool) {
	if e.Op == plot.OpIn || e.Args[0].Kind != plot.Int {
		not := &plot.Expr{Op: plot.OpNot, Args: []*plot.Expr{e}, Kind: plot.Bool}
		return follows(s, "", nil, not), follows(s, "", nil, e)
	}
	al, am := span(s, e.Args[0])
	bl, bm := span(s, e.Args[1])
	switch e.Op {
	case plot.OpLt:
		return al >= bm, am < bl
	case plot.OpLe:
		return al > bm, am <= bl
	case plot.OpGt:
		return am <= bl, al > bm
	case plot.OpGe:
		return am < bl, al >= bm
	}
	apart, same := am < bl || bm < al, al == am && bl == bm && al == bl
	if e.Op == plot.OpNe {
		return same, apart
	}
	return apart, same
}

// aboutWhat names the first variable or counter of a comparison, and its domain.
func aboutWhat(s *plot.Script, e *plot.Expr) (name, domain string) {
	e.Walk(func(x *plot.Expr) {
		switch {
		case name != "":
		case x.Op == plot.OpVar:
			name, domain = x.Name, s.Var(x.Name).DomainText()
		case x.Op == plot.OpCall:
			name, domain = x.Source(), "0…"
		}
	})
	return name, domain
}
