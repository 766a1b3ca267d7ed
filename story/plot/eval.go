package plot

import "math"

type opcode uint8

const (
	codeLit opcode = iota
	codeVar
	codeCall
	codeList
	codeNot
	codeAnd
	codeOr
	codeEq
	codeNe
	codeLt
	codeLe
	codeGt
	codeGe
	codeAdd
	codeSub
	codeIn
)

var opcodes = map[Op]opcode{
	OpLit: codeLit, OpVar: codeVar, OpCall: codeCall, OpList: codeList, OpNot: codeNot, OpAnd: codeAnd,
	OpOr: codeOr, OpEq: codeEq, OpNe: codeNe, OpLt: codeLt, OpLe: codeLe, OpGt: codeGt, OpGe: codeGe,
	OpAdd: codeAdd, OpSub: codeSub, OpIn: codeIn,
}

// eval computes e in st; `visits` is that of node. It is total: a checked
// expression has a value in every state.
func (e *Expr) eval(st *State, node string) Value {
	switch e.code {
	case codeLit:
		return e.Value
	case codeVar:
		return e.variable(st)
	case codeCall:
		return e.call(st, node)
	case codeNot:
		return BoolValue(!e.Args[0].eval(st, node).True())
	case codeAnd:
		return BoolValue(e.Args[0].eval(st, node).True() && e.Args[1].eval(st, node).True())
	case codeOr:
		return BoolValue(e.Args[0].eval(st, node).True() || e.Args[1].eval(st, node).True())
	case codeIn:
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
	case codeEq:
		return BoolValue(a == b)
	case codeNe:
		return BoolValue(a != b)
	case codeLt:
		return BoolValue(a.Int < b.Int)
	case codeLe:
		return BoolValue(a.Int <= b.Int)
	case codeGt:
		return BoolValue(a.Int > b.Int)
	case codeGe:
		return BoolValue(a.Int >= b.Int)
	case codeAdd:
		return IntValue(add(a.Int, b.Int))
	default: // codeSub
		return IntValue(sub(a.Int, b.Int))
	}
}

// add and sub stop at the ends of int instead of wrapping round.
func add(a, b int) int {
	switch {
	case b > 0 && a > math.MaxInt-b:
		return math.MaxInt
	case b < 0 && a < math.MinInt-b:
		return math.MinInt
	}
	return a + b
}

func sub(a, b int) int {
	switch {
	case b < 0 && a > math.MaxInt+b:
		return math.MaxInt
	case b > 0 && a < math.MinInt+b:
		return math.MinInt
	}
	return a - b
}
