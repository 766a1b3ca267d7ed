package check

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"fabula/personas/source"
	"fabula/story/plot"
)

// mostCases bounds what is tried before a question is left open.
const mostCases = 1 << 15

// question asks whether goal holds wherever the premises do. Each variable and
// counter is tried with every value that can make a difference; comparisons of
// several are taken as facts of their own, so a yes is always right, a no may
// mean "not proven".
type question struct {
	s      *plot.Script
	node   string // that a bare `visits` counts; "" = unknown
	values map[string][]plot.Value
	names  []string
}

// follows reports whether goal is proven by the premises. A nil goal holds.
func follows(s *plot.Script, node string, premises []*plot.Expr, goal *plot.Expr) bool {
	if goal == nil {
		return true
	}
	q := &question{s: s, node: node, values: map[string][]plot.Value{}}
	for _, e := range append(slices.Clone(premises), goal) {
		q.gather(e)
	}
	q.names = slices.Sorted(maps.Keys(q.values))
	cases := 1
	for _, n := range q.names {
		if cases *= len(q.values[n]); cases > mostCases {
			return false
		}
	}
	return q.all(0, map[string]plot.Value{}, premises, goal)
}

// all tries every value of the names from i on.
func (q *question) all(i int, env map[string]plot.Value, premises []*plot.Expr, goal *plot.Expr) bool {
	if i < len(q.names) {
		for _, v := range q.values[q.names[i]] {
			env[q.names[i]] = v
			if !q.all(i+1, env, premises, goal) {
				return false
			}
		}
		return true
	}
	if !q.possible(env) {
		return true
	}
	for _, p := range premises {
		if p != nil && !q.eval(p, env).True() {
			return true
		}
	}
	return q.eval(goal, env).True()
}

// possible knows that what happened in a node happened after it was entered.
func (q *question) possible(env map[string]plot.Value) bool {
	for name, v := range env {
		what, id, _ := strings.Cut(name, " ")
		if !v.True() || what != "beat" && what != "exit" {
			continue
		}
		node, _, _ := strings.Cut(id, ".")
		if n, asked := env["visits "+node]; asked && n.Int < 1 {
			return false
		}
	}
	return true
}

// gather collects the values to try, of everything that e speaks of.
func (q *question) gather(e *plot.Expr) {
	switch {
	case e == nil || e.Op == plot.OpLit:
	case e.Op == plot.OpVar || e.Op == plot.OpCall:
		q.try(e, 0)
	case comparison(e.Op) && opaque(e):
		q.values[written(e)] = []plot.Value{plot.BoolValue(false), plot.BoolValue(true)}
	case comparison(e.Op):
		q.compared(e)
	default:
		for _, a := range e.Args {
			q.gather(a)
		}
	}
}

// compared tries a name with the values around the literals beside it.
func (q *question) compared(e *plot.Expr) {
	var name *plot.Expr
	var literals []int
	e.Walk(func(x *plot.Expr) {
		switch {
		case named(x):
			name = x
		case x.Op == plot.OpLit && x.Kind == plot.Int:
			literals = append(literals, x.Value.Int)
		}
	})
	if name != nil {
		q.try(name, literals...)
	}
}

// try adds the values of a name that can make a difference.
func (q *question) try(e *plot.Expr, near ...int) {
	key := q.key(e)
	switch {
	case e.Kind == plot.Bool:
		q.values[key] = []plot.Value{plot.BoolValue(false), plot.BoolValue(true)}
	case e.Kind == plot.Enum:
		q.values[key] = nil
		for _, w := range q.s.Var(e.Name).Values {
			q.values[key] = append(q.values[key], plot.EnumValue(w))
		}
	default:
		least, most := span(q.s, e)
		for _, n := range near {
			for _, v := range []int{n - 1, n, n + 1, least, most} {
				if v = min(max(v, least), most); v < boundless && !slices.Contains(q.values[key], plot.IntValue(v)) {
					q.values[key] = append(q.values[key], plot.IntValue(v))
				}
			}
		}
	}
}

// key names a variable or a call; a bare `visits` is that of the node.
func (q *question) key(e *plot.Expr) string {
	switch {
	case e.Op == plot.OpVar:
		return "var " + e.Name
	case len(e.Args) == 1:
		return e.Name + " " + e.Args[0].Value.Str
	case e.Name == "visits":
		return "visits " + q.node
	}
	return e.Name
}

func (q *question) eval(e *plot.Expr, env map[string]plot.Value) plot.Value {
	switch {
	case e.Op == plot.OpLit:
		return e.Value
	case named(e):
		return env[q.key(e)]
	case comparison(e.Op) && opaque(e):
		return env[written(e)]
	}
	truth := func(i int) bool { return q.eval(e.Args[i], env).True() }
	switch e.Op {
	case plot.OpNot:
		return plot.BoolValue(!truth(0))
	case plot.OpAnd:
		return plot.BoolValue(truth(0) && truth(1))
	case plot.OpOr:
		return plot.BoolValue(truth(0) || truth(1))
	case plot.OpIn:
		left := q.eval(e.Args[0], env)
		return plot.BoolValue(slices.ContainsFunc(e.Args[1].Args, func(a *plot.Expr) bool { return q.eval(a, env) == left }))
	}
	return plot.BoolValue(compare(e.Op, q.eval(e.Args[0], env), q.eval(e.Args[1], env)))
}

func compare(op plot.Op, a, b plot.Value) bool {
	switch op {
	case plot.OpEq:
		return a == b
	case plot.OpNe:
		return a != b
	case plot.OpLt:
		return a.Int < b.Int
	case plot.OpLe:
		return a.Int <= b.Int
	case plot.OpGt:
		return a.Int > b.Int
	}
	return a.Int >= b.Int
}

func comparison(op plot.Op) bool {
	switch op {
	case plot.OpEq, plot.OpNe, plot.OpLt, plot.OpLe, plot.OpGt, plot.OpGe, plot.OpIn:
		return true
	}
	return false
}

func named(e *plot.Expr) bool { return e.Op == plot.OpVar || e.Op == plot.OpCall }

// opaque reports a comparison that is no plain one of one name with literals.
func opaque(e *plot.Expr) bool {
	names, plain := 0, true
	for _, a := range e.Args {
		a.Walk(func(x *plot.Expr) {
			switch {
			case named(x):
				names++
			case x.Op != plot.OpLit && x.Op != plot.OpList:
				plain = false
			}
		})
	}
	return names != 1 || !plain
}

func written(e *plot.Expr) string {
	data, err := json.Marshal(e)
	if err != nil {
		return string(e.Op)
	}
	return string(data)
}

// exprs gives the trees of the conditions that say something.
func exprs(s *plot.Script, conds ...source.Cond) []*plot.Expr {
	var out []*plot.Expr
	for _, c := range conds {
		if e := s.Expr(c); e != nil {
			out = append(out, e)
		}
	}
	return out
}
