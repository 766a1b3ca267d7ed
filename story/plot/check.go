package plot

import (
	"maps"
	"slices"
	"strings"

	"fabula/personas/source"
)

// check types e against the script and resolves its names; it fills Kind,
// enum and code of every node below.
func (s *Script) check(e *Expr) *refusal {
	for _, a := range e.Args {
		if r := s.check(a); r != nil {
			return r
		}
	}
	e.code = opcodes[e.Op]
	switch e.Op {
	case OpLit:
		e.Kind = e.Value.Kind
		return nil
	case OpVar:
		return s.checkVar(e)
	case OpCall:
		return s.checkCall(e)
	case OpList:
		return checkList(e)
	case OpNot:
		e.Kind = Bool
		return e.need(Bool, 0)
	case OpAnd, OpOr:
		e.Kind = Bool
		return e.needBoth(Bool)
	case OpLt, OpLe, OpGt, OpGe:
		e.Kind = Bool
		return e.needBoth(Int)
	case OpAdd, OpSub:
		e.Kind = Int
		return e.needBoth(Int)
	case OpEq, OpNe:
		e.Kind = Bool
		return sameKind(e, e.Args[0], e.Args[1])
	default: // OpIn
		e.Kind = Bool
		return checkIn(e)
	}
}

func (s *Script) checkVar(e *Expr) *refusal {
	v := s.Var(e.Name)
	if v == nil {
		return s.unknownVar(e.Name, e.from)
	}
	e.Kind = v.Kind
	if v.Kind == Enum {
		e.enum = v
	}
	return nil
}

// unknownVar knows that a bare word may be a value that lacks its quotes, or a
// function that lacks its brackets.
func (s *Script) unknownVar(name string, at int) *refusal {
	for _, v := range s.Vars {
		if slices.Contains(v.Values, name) {
			return refuse(at, CodeEnumQuote, name)
		}
	}
	if takes, ok := callTakes[name]; ok {
		return refuse(at, CodeExprArguments, name, takes)
	}
	known := append(slices.Sorted(maps.Keys(s.index.vars)), gateCounters...)
	return refuse(at, CodeUnknownName, "variable", name, source.Nearest(name, known))
}

// callTakes says what each function wants to be given.
var callTakes = map[string]string{"beat": "beat", "exit": "exit", "told": "secret"}

func (s *Script) checkCall(e *Expr) *refusal {
	e.Kind = Int
	kind, ok := callTakes[e.Name]
	if ok {
		e.Kind = Bool
	} else if e.Name == "visits" && len(e.Args) > 0 {
		kind = "node"
	}
	if kind == "" {
		if len(e.Args) > 0 {
			return refuse(e.from, CodeExprArguments, e.Name, "")
		}
		return nil
	}
	if len(e.Args) != 1 || e.Args[0].Op != OpLit || e.Args[0].Kind != Enum {
		return refuse(e.from, CodeExprArguments, e.Name, kind)
	}
	arg := e.Args[0]
	id, found, near := s.resolve(kind, arg.Value.Str)
	if !found {
		return refuse(arg.from, CodeUnknownName, kind, arg.Value.Str, near)
	}
	arg.Value.Str = id
	return nil
}

// resolve finds the present id of a node, beat, exit, secret, persona or line,
// also by an earlier id; near is the closest known id when there is none.
func (s *Script) resolve(kind, id string) (now string, found bool, near string) {
	known := s.known(kind)
	if slices.Contains(known, id) {
		return id, true, ""
	}
	if now, ok := s.index.was[kind+":"+id]; ok {
		return now, true, ""
	}
	return "", false, source.Nearest(id, known)
}

func (s *Script) known(kind string) []string {
	switch kind {
	case "node":
		return slices.Sorted(maps.Keys(s.index.nodes))
	case "beat":
		return slices.Sorted(maps.Keys(s.index.beats))
	case "exit":
		return slices.Sorted(maps.Keys(s.index.exits))
	case "secret":
		return slices.Sorted(maps.Keys(s.index.secrets))
	case "persona":
		return slices.Sorted(maps.Keys(s.index.personas))
	default:
		return nil
	}
}

// need asks for the kind of one argument. A `not` in front of a comparison
// binds to its left side only, which deserves its own words.
func (e *Expr) need(k Kind, arg int) *refusal {
	a := e.Args[arg]
	if a.Kind == k && a.Op != OpList {
		return nil
	}
	return refuse(a.from, CodeExprType, string(e.Op), string(k), a.kindName())
}

func (e *Expr) needBoth(k Kind) *refusal {
	for i := range e.Args {
		if r := e.need(k, i); r != nil {
			return r
		}
	}
	return nil
}

func (e *Expr) kindName() string {
	if e.Op == OpList {
		return "list"
	}
	return string(e.Kind)
}

// sameKind checks that a and b may be compared by the operator of e.
func sameKind(e, a, b *Expr) *refusal {
	switch {
	case a.Op == OpList || b.Op == OpList || a.Kind != b.Kind:
		return refuse(e.from, CodeExprMix, string(e.Op), a.kindName(), b.kindName())
	case a.Kind != Enum:
		return nil
	case a.enum != nil && b.enum != nil:
		return commonValue(a, b)
	case a.enum != nil:
		return enumHas(a.enum, b)
	case b.enum != nil:
		return enumHas(b.enum, a)
	}
	return refuse(a.from, CodeExprText)
}

func commonValue(a, b *Expr) *refusal {
	for _, v := range a.enum.Values {
		if slices.Contains(b.enum.Values, v) {
			return nil
		}
	}
	return refuse(b.from, CodeEnumDiffer, a.enum.ID, b.enum.ID)
}

// enumHas checks a literal against the values of v.
func enumHas(v *Variable, lit *Expr) *refusal {
	word := lit.Value.Str
	if slices.Contains(v.Values, word) {
		return nil
	}
	return refuse(lit.from, CodeEnumValue, v.ID, word, source.Nearest(word, v.Values), strings.Join(v.Values, ", "))
}

func checkList(e *Expr) *refusal {
	if len(e.Args) == 0 {
		return refuse(e.from, CodeExprType, "[]", "", "list")
	}
	for _, a := range e.Args {
		if a.Op == OpList || a.Kind != e.Args[0].Kind {
			return refuse(a.from, CodeExprMix, "[]", e.Args[0].kindName(), a.kindName())
		}
	}
	return nil
}

func checkIn(e *Expr) *refusal {
	left, list := e.Args[0], e.Args[1]
	if list.Op != OpList {
		return refuse(list.from, CodeExprType, "in", "list", list.kindName())
	}
	for _, a := range list.Args {
		if r := sameKind(e, left, a); r != nil {
			return r
		}
	}
	return nil
}
