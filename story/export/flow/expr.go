package flow

import (
	"slices"
	"strings"

	"fabula/personas/source"
	"fabula/story/plot"
)

// counter is something that conditions ask about and that scripts keep in a
// variable: visits, beats, exits, told secrets, turns.
type counter struct {
	name string // "visits hall"
	kind plot.Kind
}

// ask gives the variable of a counter and notes that it is needed.
func (b *builder) ask(c counter, wanted string) *plot.Expr {
	b.asked[c.name] = c.kind
	return variable(b.names.of("counter", c.name, wanted), c.kind)
}

func (b *builder) visits(node string) *plot.Expr {
	return b.ask(counter{"visits " + node, plot.Int}, "visits_"+node)
}

func (b *builder) flag(kind, id string) *plot.Expr {
	return b.ask(counter{kind + " " + id, plot.Bool}, kind+"_"+strings.ReplaceAll(id, ".", "_"))
}

func (b *builder) turns(name string) *plot.Expr { return b.ask(counter{name, plot.Int}, name) }

// needed reports whether any condition asks for a counter.
func (b *builder) needed(name string) bool {
	_, ok := b.read[name]
	return ok
}

// cond is a condition with its calls turned into variables; nil where it always
// holds. node is the scope of `visits`.
func (b *builder) cond(c source.Cond, node string) *plot.Expr {
	if e := b.script.Expr(c); e != nil {
		return b.lower(e, node)
	}
	return nil
}

func (b *builder) lower(e *plot.Expr, node string) *plot.Expr {
	switch e.Op {
	case plot.OpVar:
		return variable(b.variable(e.Name), e.Kind)
	case plot.OpCall:
		return b.call(e, node)
	case plot.OpIn:
		return b.oneOf(e, node)
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, b.lower(a, node))
	}
	return &out
}

func (b *builder) call(e *plot.Expr, node string) *plot.Expr {
	arg := ""
	if len(e.Args) > 0 {
		arg = e.Args[0].Value.Str
	}
	switch e.Name {
	case "turns", "turns_total":
		return b.turns(e.Name)
	case "visits":
		if arg != "" {
			node = arg
		}
		return b.visits(node)
	}
	return b.flag(e.Name, arg) // beat, exit, told
}

// oneOf writes `x in [a, b]` as x == a or x == b.
func (b *builder) oneOf(e *plot.Expr, node string) *plot.Expr {
	var list []*plot.Expr
	for _, a := range e.Args[1].Args {
		list = append(list, binary(plot.OpEq, b.lower(e.Args[0], node), b.lower(a, node)))
	}
	if len(list) == 0 {
		return literal(plot.BoolValue(false))
	}
	return either(list)
}

func (b *builder) variable(id string) string { return b.names.of("variable", id, id) }

func variable(name string, kind plot.Kind) *plot.Expr {
	return &plot.Expr{Op: plot.OpVar, Name: name, Kind: kind}
}

func literal(v plot.Value) *plot.Expr { return &plot.Expr{Op: plot.OpLit, Value: v, Kind: v.Kind} }

func binary(op plot.Op, a, c *plot.Expr) *plot.Expr {
	kind := plot.Bool
	if op == plot.OpAdd || op == plot.OpSub {
		kind = plot.Int
	}
	return &plot.Expr{Op: op, Args: []*plot.Expr{a, c}, Kind: kind}
}

func not(e *plot.Expr) *plot.Expr {
	if e == nil {
		return literal(plot.BoolValue(false))
	}
	return &plot.Expr{Op: plot.OpNot, Args: []*plot.Expr{e}, Kind: plot.Bool}
}

// both holds where all of the conditions do; nil ones always do.
func both(list ...*plot.Expr) *plot.Expr {
	var out *plot.Expr
	for _, e := range list {
		switch {
		case out == nil:
			out = e
		case e != nil:
			out = binary(plot.OpAnd, out, e)
		}
	}
	return out
}

// either holds where one of the conditions does; a nil one always does.
func either(list []*plot.Expr) *plot.Expr {
	if slices.Contains(list, nil) {
		return nil
	}
	var out *plot.Expr
	for _, e := range list {
		if out == nil {
			out = e
		} else {
			out = binary(plot.OpOr, out, e)
		}
	}
	return out
}

// names of the variables that an expression reads.
func reads(e *plot.Expr) map[string]bool {
	out := map[string]bool{}
	e.Walk(func(x *plot.Expr) {
		if x.Op == plot.OpVar {
			out[x.Name] = true
		}
	})
	return out
}

// renamed is an expression with other variables.
func renamed(e *plot.Expr, to map[string]string) *plot.Expr {
	if e == nil {
		return nil
	}
	out := *e
	if now, ok := to[e.Name]; ok && e.Op == plot.OpVar {
		out.Name = now
	}
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, renamed(a, to))
	}
	return &out
}
