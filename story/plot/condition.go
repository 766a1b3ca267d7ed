package plot

import (
	"fabula/personas/source"
)

// CompileCond parses and types a condition against the script, which must be
// compiled. An empty condition gives nil: it always holds. Conditions that are
// not in the script (a playtest's) come through here.
func (s *Script) CompileCond(c source.Cond) (*Expr, []source.Fault) {
	if c.Empty() {
		return nil, nil
	}
	e, r := parse(c.Src)
	if r == nil {
		r = s.checkCondition(e)
	}
	if r != nil {
		return nil, []source.Fault{r.fault(c)}
	}
	return e, nil
}

func (s *Script) checkCondition(e *Expr) *refusal {
	r := s.check(e)
	switch {
	case r != nil:
		return notHint(e, r)
	case e.Kind != Bool:
		return refuse(e.from, CodeExprResult, e.kindName())
	}
	return nil
}

// notHint replaces a complaint about types under `not x == y` by one that says
// how this reads: `not` binds tighter than comparisons.
func notHint(e *Expr, r *refusal) *refusal {
	if r.code != CodeExprType && r.code != CodeExprMix {
		return r
	}
	hint := r
	e.Walk(func(x *Expr) {
		if len(x.Args) == 2 && comparison(x.Op) && x.Args[0].Op == OpNot && x.Args[0].Args[0].Kind != Bool {
			hint = refuse(x.Args[0].from, CodeExprNot, string(x.Op))
		}
	})
	return hint
}

func comparison(op Op) bool {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIn:
		return true
	}
	return false
}

// Expr gives the typed tree of a condition; nil for an empty condition and for
// one that does not compile.
func (s *Script) Expr(c source.Cond) *Expr {
	if e, ok := s.index.conds[c.Src]; ok || c.Empty() {
		return e
	}
	e, _ := s.CompileCond(c)
	return e
}

// Holds reports whether c holds in st, `visits` being that of the present
// node. An empty condition holds; one that does not compile does not.
func (s *Script) Holds(c source.Cond, st State) bool { return s.holds(c, &st, st.Node) }

// HoldsIn is Holds where `visits` is that of node: the number of entries so
// far. `turns` stays that of the present visit.
func (s *Script) HoldsIn(c source.Cond, st State, node string) bool { return s.holds(c, &st, node) }

func (s *Script) holds(c source.Cond, st *State, node string) bool {
	if c.Empty() {
		return true
	}
	e := s.Expr(c)
	return e != nil && e.eval(st, node).True()
}
