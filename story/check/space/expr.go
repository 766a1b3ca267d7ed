package space

import "fabula/story/plot"

// value computes an expression on the fields of a state: false and true are 0
// and 1, a word of an enum is its number in the model. It gives what
// plot.Expr.eval gives, as far as comparisons can tell.
type value func(st []int) int

// compileExpr makes an expression a function; a bare `visits` is that of node,
// or of the node that the player is in where node is empty.
func (m *model) compileExpr(e *plot.Expr, node string) value {
	switch e.Op {
	case plot.OpLit:
		c := m.literal(e)
		return func([]int) int { return c }
	case plot.OpVar, plot.OpCall:
		return m.read(e, node)
	case plot.OpNot:
		a := m.compileExpr(e.Args[0], node)
		return func(st []int) int { return 1 - a(st) }
	case plot.OpIn:
		return m.compileIn(e, node)
	}
	a, b := m.compileExpr(e.Args[0], node), m.compileExpr(e.Args[1], node)
	if f := short(e.Op, a, b); f != nil {
		return f
	}
	return compared(e.Op, a, b)
}

// short gives the operations that are no comparison.
func short(op plot.Op, a, b value) value {
	switch op {
	case plot.OpAnd:
		return func(st []int) int {
			if a(st) == 0 {
				return 0
			}
			return b(st)
		}
	case plot.OpOr:
		return func(st []int) int {
			if a(st) != 0 {
				return 1
			}
			return b(st)
		}
	case plot.OpAdd:
		return func(st []int) int { return plot.Add(a(st), b(st)) }
	case plot.OpSub:
		return func(st []int) int { return plot.Sub(a(st), b(st)) }
	}
	return nil
}

func compared(op plot.Op, a, b value) value {
	switch op {
	case plot.OpEq:
		return func(st []int) int { return one(a(st) == b(st)) }
	case plot.OpNe:
		return func(st []int) int { return one(a(st) != b(st)) }
	case plot.OpLt:
		return func(st []int) int { return one(a(st) < b(st)) }
	case plot.OpLe:
		return func(st []int) int { return one(a(st) <= b(st)) }
	case plot.OpGt:
		return func(st []int) int { return one(a(st) > b(st)) }
	default: // plot.OpGe
		return func(st []int) int { return one(a(st) >= b(st)) }
	}
}

func (m *model) compileIn(e *plot.Expr, node string) value {
	left := m.compileExpr(e.Args[0], node)
	var items []value
	for _, a := range e.Args[1].Args {
		items = append(items, m.compileExpr(a, node))
	}
	return func(st []int) int {
		x := left(st)
		for _, item := range items {
			if item(st) == x {
				return 1
			}
		}
		return 0
	}
}

// read gives the function that reads a variable, mark or counter.
func (m *model) read(e *plot.Expr, node string) value {
	if e.Op == plot.OpVar {
		i := m.vars[e.Name]
		f := m.fields[i]
		switch {
		case f.words != nil:
			words := f.words
			return func(st []int) int { return words[st[i]] }
		case f.least == 0:
			return func(st []int) int { return st[i] }
		}
		least := f.least
		return func(st []int) int { return st[i] + least }
	}
	key := m.key(e, node)
	if key == (callKey{name: "visits"}) {
		visits := m.visits
		return func(st []int) int { return st[visits[st[0]]] }
	}
	i, ok := m.calls[key]
	if !ok { // a node, beat, exit or secret that is not there: nothing has happened
		return func([]int) int { return 0 }
	}
	return func(st []int) int { return st[i] }
}

func (m *model) literal(e *plot.Expr) int {
	if e.Value.Kind == plot.Enum {
		return m.word(e.Value.Str)
	}
	return e.Value.Int
}

// word numbers the words of enums, the same word of two enums alike.
func (m *model) word(w string) int {
	n, ok := m.dictionary[w]
	if !ok {
		n = len(m.dictionary)
		m.dictionary[w] = n
	}
	return n
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
