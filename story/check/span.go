package check

import "fabula/story/plot"

// boundless stands for "no limit": a counter may grow for ever.
const boundless = 1 << 40

// farthest bounds literals, so that no sum of them overflows.
const farthest = 1 << 45

// span gives the least and the greatest value of a whole-number expression,
// from the domains of its variables alone.
func span(s *plot.Script, e *plot.Expr) (least, most int) {
	switch e.Op {
	case plot.OpLit:
		n := min(max(e.Value.Int, -farthest), farthest)
		return n, n
	case plot.OpVar:
		v := s.Var(e.Name)
		return v.Min, v.Max
	case plot.OpCall:
		return 0, boundless
	}
	al, am := span(s, e.Args[0])
	bl, bm := span(s, e.Args[1])
	if e.Op == plot.OpSub {
		return al - bm, am - bl
	}
	return al + bl, am + bm
}
