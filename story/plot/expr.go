package plot

import (
	"bytes"
	"encoding/json"
)

// Op is the operation of a node of an expression.
type Op string

// All operations that an expression can have; nothing else passes the gate.
const (
	OpLit  Op = "lit"  // Value
	OpVar  Op = "var"  // Name
	OpCall Op = "call" // Name, Args: visits, beat, exit, told, turns, turns_total
	OpList Op = "list" // Args, on the right of `in` only
	OpNot  Op = "not"
	OpAnd  Op = "and"
	OpOr   Op = "or"
	OpEq   Op = "=="
	OpNe   Op = "!="
	OpLt   Op = "<"
	OpLe   Op = "<="
	OpGt   Op = ">"
	OpGe   Op = ">="
	OpAdd  Op = "+"
	OpSub  Op = "-"
	OpIn   Op = "in"
)

// Expr is a typed expression tree of our own, made once at load. It is
// immutable.
type Expr struct {
	Op    Op
	Name  string // of a variable or function
	Value Value  // of a literal; text is of Kind Enum
	Args  []*Expr
	Kind  Kind // of the result; empty for a list

	enum *Variable // the variable that gives an enum its values
	from int       // offset in the source, in characters
	code opcode    // Op as a number, for evaluation
}

// Walk calls visit for e and everything below it, parents first.
func (e *Expr) Walk(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		a.Walk(visit)
	}
}

// MarshalJSON writes the tree as ["var",x], ["lit",v], ["list",…],
// ["call",f,…], [op,a,b] or ["not",a].
func (e *Expr) MarshalJSON() ([]byte, error) {
	row := []any{e.Op}
	switch e.Op {
	case OpLit:
		row = append(row, e.Value)
	case OpVar, OpCall:
		row = append(row, e.Name)
	}
	for _, a := range e.Args {
		row = append(row, a)
	}
	return plainJSON(row)
}

// Assign is a typed effect: Var Op Value.
type Assign struct {
	Var   string
	Op    string // =, += or -=
	Value *Expr
}

// MarshalJSON writes [op, ["var",x], value].
func (a Assign) MarshalJSON() ([]byte, error) {
	return plainJSON([]any{a.Op, []string{"var", a.Var}, a.Value})
}

// plainJSON keeps < and > readable where the caller's encoder does too.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
