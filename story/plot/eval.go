package plot

import "math"

type opcode uint8

const (
	doLit opcode = iota
	doVar
	doCall
	doList
	doNot
	doAnd
	doOr
	doEq
	doNe
	doLt
	doLe
	doGt
	doGe
	doAdd
	doSub
	doIn
)

var opcodes = map[Op]opcode{
	OpLit: doLit, OpVar: doVar, OpCall: doCall, OpList: doList, OpNot: doNot, OpAnd: doAnd,
	OpOr: doOr, OpEq: doEq, OpNe: doNe, OpLt: doLt, OpLe: doLe, OpGt: doGt, OpGe: doGe,
	OpAdd: doAdd, OpSub: doSub, OpIn: doIn,
}

// eval computes e in st; `visits` is that of node. It is total: a checked
// expression has a value in every state.
func (e *Expr) eval(st *State, node string) Value {
	switch e.code {
	case doLit:
		return e.Value
	case doVar:
		return e.variable(st)
	case doCall:
		return e.call(st, node)
	case doNot:
		return BoolValue(!e.Args[0].eval(st, node).True())
	case doAnd:
		return BoolValue(e.Args[0].eval(st, node).True() && e.Args[1].eval(st, node).True())
	case doOr:
		return BoolValue(e.Args[0].eval(st, node).True() || e.Args[1].eval(st, node).True())
	case doIn:
		return e.in(st, node)
	}
	return e.binary(e.Args[0].eval(st, node), e.Args[1].eval(st, node))
}

// variable reads a variable; one that the state lacks has its kind's zero.
func (e *Expr) variable(st *State) Value {
	if v, ok := st.Vars[e.Name]; ok {
		return v
	}
	return Value{Kind: e.Kind}
}

func (e *Expr) call(st *State, node string) Value {
	switch e.Name {
	case "turns":
		return IntValue(st.Turns)
	case "turns_total":
		return IntValue(st.TurnsTotal)
	case "visits":
		if len(e.Args) > 0 {
			node = e.Args[0].Value.Str
		}
		return IntValue(st.Visits[node])
	case "beat":
		return BoolValue(st.Beats[e.Args[0].Value.Str] > 0)
	case "exit":
		return BoolValue(st.Exits[e.Args[0].Value.Str] > 0)
	default: // told
		return BoolValue(st.Told[e.Args[0].Value.Str] > 0)
	}
}

func (e *Expr) in(st *State, node string) Value {
	left := e.Args[0].eval(st, node)
	for _, a := range e.Args[1].Args {
		if a.eval(st, node) == left {
			return BoolValue(true)
		}
	}
	return BoolValue(false)
}

func (e *Expr) binary(a, b Value) Value {
	switch e.code {
	case doEq:
		return BoolValue(a == b)
	case doNe:
		return BoolValue(a != b)
	case doLt:
		return BoolValue(a.Int < b.Int)
	case doLe:
		return BoolValue(a.Int <= b.Int)
	case doGt:
		return BoolValue(a.Int > b.Int)
	case doGe:
		return BoolValue(a.Int >= b.Int)
	case doAdd:
		return IntValue(Add(a.Int, b.Int))
	default: // doSub
		return IntValue(Sub(a.Int, b.Int))
	}
}

// Add sums as conditions and effects do: it stops at the ends of int instead of
// wrapping round.
func Add(a, b int) int {
	switch {
	case b > 0 && a > math.MaxInt-b:
		return math.MaxInt
	case b < 0 && a < math.MinInt-b:
		return math.MinInt
	}
	return a + b
}

// Sub is the difference, as Add is the sum.
func Sub(a, b int) int {
	switch {
	case b < 0 && a > math.MaxInt+b:
		return math.MaxInt
	case b > 0 && a < math.MinInt+b:
		return math.MinInt
	}
	return a - b
}
