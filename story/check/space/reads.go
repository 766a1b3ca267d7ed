package space

import (
	"math"

	"fabula/story/plot"
)

// endless stands in where two counters without an end are compared.
const endless = 40

// far bounds literals, so that sums of them do not overflow.
const far = 1 << 40

// limits are the values beyond which no comparison of a name changes.
type limits struct {
	least, most int
	whole       bool // every value of the domain counts
}

func (l *limits) include(least, most int) { l.least, l.most = min(l.least, least), max(l.most, most) }

// reads is all that conditions, and values of effects that matter, look at.
type reads struct {
	m      *model
	vars   map[string]*limits
	calls  map[callKey]*limits
	bare   bool // some `visits` is that of whatever node the player is in
	bounds []Bound
}

// callKey names a mark or a counter: visits with the node, beat with "node.id".
type callKey struct{ name, arg string }

func newReads(m *model) *reads {
	return &reads{m: m, vars: map[string]*limits{}, calls: map[callKey]*limits{}}
}

// condition notes what e looks at; a bare `visits` is that of node, or of any
// where node is empty.
func (r *reads) condition(e *plot.Expr, node string) {
	switch {
	case e == nil || e.Op == plot.OpLit:
	case e.Op == plot.OpVar || e.Op == plot.OpCall:
		r.name(e, node)
	case compares(e.Op) && e.Args[0].Kind == plot.Int:
		r.compared(e, node, 0, 0)
	default:
		for _, a := range e.Args {
			r.condition(a, node)
		}
	}
}

// compared notes an integer comparison, or a value that is held to the range
// from least to most.
func (r *reads) compared(e *plot.Expr, node string, least, most int) {
	var names []*plot.Expr
	sum := 0
	e.Walk(func(x *plot.Expr) {
		switch {
		case x.Op == plot.OpVar || x.Op == plot.OpCall:
			names = append(names, x)
		case x.Op == plot.OpLit && x.Kind == plot.Int:
			sum += size(x.Value.Int)
		}
	})
	reach := sum + max(size(least), size(most))
	counters := 0
	for _, x := range names {
		if x.Op == plot.OpCall {
			counters++
		} else if v := r.m.s.Var(x.Name); v != nil && len(names) > 1 {
			reach += max(size(v.Max), size(v.Min))
		}
	}
	for _, x := range names {
		l := r.name(x, node)
		switch {
		case x.Op == plot.OpCall && counters > 1:
			l.include(0, endless)
			r.bounds = append(r.bounds, Bound{BoundCounters, endless, x.Name})
		case x.Op == plot.OpVar && len(names) > 1:
			l.whole = true
		case plain(e):
			l.include(literals(e))
		default:
			l.include(-min(reach, far), min(reach, far))
		}
	}
}

// size is how far a number is from 0, bounded.
func size(n int) int {
	n = min(max(n, -far), far)
	return max(n, -n)
}

// plain reports a comparison of a name with literals, the name alone on the left
// or the right.
func plain(e *plot.Expr) bool {
	if !compares(e.Op) {
		return false
	}
	a, b := e.Args[0], e.Args[1]
	named := func(x *plot.Expr) bool { return x.Op == plot.OpVar || x.Op == plot.OpCall }
	fixed := func(x *plot.Expr) bool { return x.Op == plot.OpLit || x.Op == plot.OpList && onlyLiterals(x) }
	return named(a) && fixed(b) || named(b) && fixed(a)
}

func onlyLiterals(list *plot.Expr) bool {
	for _, a := range list.Args {
		if a.Op != plot.OpLit {
			return false
		}
	}
	return true
}

// literals gives the least and the greatest literal of a comparison.
func literals(e *plot.Expr) (least, most int) {
	least, most = math.MaxInt, math.MinInt
	e.Walk(func(x *plot.Expr) {
		if x.Op == plot.OpLit {
			n := min(max(x.Value.Int, -far), far)
			least, most = min(least, n), max(most, n)
		}
	})
	if least > most { // `x in []`
		return 0, 0
	}
	return least, most
}

// name notes that a variable, mark or counter is looked at.
func (r *reads) name(e *plot.Expr, node string) *limits {
	if e.Op == plot.OpVar {
		l := r.vars[e.Name]
		if l == nil {
			l = &limits{least: math.MaxInt, most: math.MinInt}
			r.vars[e.Name] = l
		}
		return l
	}
	key := r.m.key(e, node)
	if key == (callKey{name: "visits"}) {
		r.bare = true
	}
	return r.call(key)
}

func (r *reads) call(key callKey) *limits {
	l := r.calls[key]
	if l == nil {
		l = &limits{}
		r.calls[key] = l
	}
	return l
}

// key names what a call looks at, by present ids; a bare `visits` in a node has
// the node as its argument.
func (m *model) key(e *plot.Expr, node string) callKey {
	arg := ""
	if len(e.Args) > 0 {
		arg = e.Args[0].Value.Str
	}
	switch e.Name {
	case "visits":
		if arg == "" {
			arg = node
		} else if n := m.s.Node(arg); n != nil {
			arg = n.ID
		}
	case "turns", "turns_total":
		arg = ""
	}
	return callKey{e.Name, arg}
}

// assign notes what the value of an effect looks at whose variable is kept.
func (r *reads) assign(l *limits, a plot.Assign, node string) {
	v := r.m.s.Var(a.Var)
	if v.Kind != plot.Int {
		r.condition(a.Value, node)
		return
	}
	if a.Value.Op == plot.OpLit {
		return
	}
	if a.Op != "=" {
		l.whole = true
	}
	wide := max(size(v.Max), size(v.Min))
	r.compared(a.Value, node, -2*wide, 2*wide)
	a.Value.Walk(func(x *plot.Expr) {
		if x.Op == plot.OpVar {
			r.vars[x.Name].whole = true
		}
	})
}

func compares(op plot.Op) bool {
	switch op {
	case plot.OpEq, plot.OpNe, plot.OpLt, plot.OpLe, plot.OpGt, plot.OpGe, plot.OpIn:
		return true
	}
	return false
}
