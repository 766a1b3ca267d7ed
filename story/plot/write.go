package plot

import (
	"strconv"
	"strings"
)

// Source writes an expression as an author would, with the brackets that its
// shape needs.
func (e *Expr) Source() string {
	switch e.Op {
	case OpLit:
		if e.Value.Kind == Enum {
			return strconv.Quote(e.Value.Str)
		}
		return e.Value.String()
	case OpVar:
		return e.Name
	case OpCall:
		if len(e.Args) == 0 {
			return e.Name
		}
		return e.Name + "(" + e.Args[0].Source() + ")"
	case OpNot:
		return "not " + e.within(e.Args[0])
	case OpList:
		var items []string
		for _, a := range e.Args {
			items = append(items, a.Source())
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return e.within(e.Args[0]) + " " + string(e.Op) + " " + e.within(e.Args[1])
}

// within writes an operand, in brackets where e would tear it apart.
func (e *Expr) within(a *Expr) string {
	if binds(a.Op) < binds(e.Op) || binds(a.Op) == binds(e.Op) && a.Op != e.Op || a == e.Args[len(e.Args)-1] && a.Op == OpSub {
		return "(" + a.Source() + ")"
	}
	return a.Source()
}

// binds says how strongly an operation holds its operands together.
func binds(op Op) int {
	switch op {
	case OpOr:
		return 1
	case OpAnd:
		return 2
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIn:
		return 3
	case OpAdd, OpSub:
		return 4
	case OpNot:
		return 5
	}
	return 6
}
