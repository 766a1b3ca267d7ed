package check

import "fabula/story/plot"

// saturation finds effects that leave the domain wherever they start, so that
// part of them is always lost.
func saturation(c *checker) {
	for _, e := range c.effects {
		for _, a := range c.s.Assignments(e.Effect) {
			v := c.s.Var(a.Var)
			if v == nil || v.Kind != plot.Int {
				continue
			}
			if least, most := after(c.s, v, a); least > v.Max || most < v.Min {
				c.warn(e.allow, e.Do.Pos, CodeSaturates, e.Do.Src, v.ID, v.DomainText())
			}
		}
	}
}

// after is the range that an assignment would give without the domain.
func after(s *plot.Script, v *plot.Variable, a plot.Assign) (least, most int) {
	least, most = span(s, a.Value)
	switch a.Op {
	case "+=":
		return v.Min + least, v.Max + most
	case "-=":
		return v.Min - most, v.Max - least
	}
	return least, most
}
