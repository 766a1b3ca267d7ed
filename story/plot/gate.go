package plot

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"

	"fabula/personas/source"
)

// Limits of one expression. The parser recurses, so that its input must be
// short enough for its stack.
const (
	maxExprBytes = 4096
	maxExprDepth = 64
)

// refusal is why an expression does not pass, at an offset in characters.
type refusal struct {
	code string
	args []string
	at   int
}

func refuse(at int, code string, args ...string) *refusal { return &refusal{code, args, at} }

var (
	gateOperators = []string{"not", "and", "or", "!", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "in", ","}
	gateBrackets  = []string{"(", ")", "[", "]"}
	gateFunctions = []string{"beat", "exit", "told", "turns", "turns_total", "visits"}
	gateCounters  = []string{"turns", "turns_total", "visits"} // usable without brackets
)

// parse turns source into an untyped tree of ours. The library only splits and
// nests; every token and every node has to be on the list.
func parse(src string) (*Expr, *refusal) {
	if len(src) > maxExprBytes {
		return nil, refuse(0, CodeExprTooLong, "4096")
	}
	if !utf8.ValidString(src) {
		return nil, refuse(0, CodeExprSyntax, "?")
	}
	if r := foreign(src); r != nil {
		return nil, r
	}
	if r := admit(src); r != nil {
		return nil, r
	}
	tree, err := parser.Parse(src)
	if err != nil {
		return nil, unreadable(src, err)
	}
	return convert(tree.Node)
}

// admit passes only tokens that our language has. Without it the library would
// rewrite pipes, `::` and chains into trees that look like ours.
func admit(src string) *refusal {
	tokens, err := lexer.Lex(file.NewSource(src))
	if err != nil {
		return unreadable(src, err)
	}
	depth := 0
	for i, t := range tokens {
		switch t.Kind {
		case lexer.Operator:
			if !slices.Contains(gateOperators, t.Value) {
				return noOperator(t.From, t.Value)
			}
		case lexer.Bracket:
			if !slices.Contains(gateBrackets, t.Value) {
				return refuse(t.From, CodeExprOperator, t.Value)
			}
			if depth += nesting(t.Value); depth > maxExprDepth {
				return refuse(t.From, CodeExprTooDeep, "64")
			}
			if indexes(tokens, i) {
				return refuse(t.From, CodeExprOperator, "[")
			}
		case lexer.Number:
			if !wholeNumber(t.Value) {
				return refuse(t.From, CodeExprNumber, t.Value)
			}
		case lexer.Bytes:
			return refuse(t.From, CodeExprOperator, "b\"…\"")
		}
	}
	return nil
}

func wholeNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil && strings.Trim(text, "0123456789") == ""
}

func nesting(bracket string) int {
	if bracket == "(" || bracket == "[" {
		return 1
	}
	return -1
}

// indexes reports whether the `[` at i indexes what stands before it.
func indexes(tokens []lexer.Token, i int) bool {
	if tokens[i].Value != "[" || i == 0 {
		return false
	}
	before := tokens[i-1]
	return before.Kind != lexer.Operator && before.Value != "(" && before.Value != "["
}

// unreadable words the library's complaint as the place and the text there.
func unreadable(src string, err error) *refusal {
	runes := []rune(src)
	at := len(runes)
	if e := (*file.Error)(nil); errors.As(err, &e) && !strings.Contains(e.Message, "EOF") {
		at = min(max(e.From, 0), len(runes)) // the end is reported at the last character
	}
	rest := strings.Fields(string(runes[at:]))
	if len(rest) == 0 {
		return refuse(at, CodeExprSyntax, "")
	}
	return refuse(at, CodeExprSyntax, rest[0])
}

// convert is the allow-list of nodes. The length of the source bounds how deep
// it goes.
func convert(n ast.Node) (*Expr, *refusal) {
	if n == nil {
		return nil, refuse(0, CodeExprSyntax, "")
	}
	at := n.Location().From
	switch n := n.(type) {
	case *ast.BoolNode:
		return &Expr{Op: OpLit, Value: BoolValue(n.Value), from: at}, nil
	case *ast.IntegerNode:
		return &Expr{Op: OpLit, Value: IntValue(n.Value), from: at}, nil
	case *ast.StringNode:
		return &Expr{Op: OpLit, Value: EnumValue(n.Value), from: at}, nil
	case *ast.IdentifierNode:
		return convertName(n.Value, at), nil
	case *ast.UnaryNode:
		return convertUnary(n)
	case *ast.BinaryNode:
		return convertArgs(binaryOp(n.Operator), "", at, []ast.Node{n.Left, n.Right})
	case *ast.ArrayNode:
		return convertArgs(OpList, "", at, n.Nodes)
	case *ast.CallNode:
		return convertCall(n)
	case *ast.BuiltinNode:
		return nil, refuse(at, CodeExprFunction, n.Name, source.Nearest(n.Name, gateFunctions))
	case *ast.NilNode:
		return nil, refuse(at, CodeExprOperator, "nil")
	default:
		return nil, refuse(at, CodeExprSyntax, "")
	}
}

func convertName(name string, at int) *Expr {
	if slices.Contains(gateCounters, name) {
		return &Expr{Op: OpCall, Name: name, from: at}
	}
	return &Expr{Op: OpVar, Name: name, from: at}
}

func convertUnary(n *ast.UnaryNode) (*Expr, *refusal) {
	at := n.Location().From
	x, r := convert(n.Node)
	switch {
	case r != nil:
		return nil, r
	case n.Operator == "not" || n.Operator == "!":
		return &Expr{Op: OpNot, Args: []*Expr{x}, from: at}, nil
	case n.Operator == "-" && x.Op == OpLit && x.Value.Kind == Int && x.Value.Int != math.MinInt:
		return &Expr{Op: OpLit, Value: IntValue(-x.Value.Int), from: at}, nil
	}
	zero := &Expr{Op: OpLit, Value: IntValue(0), from: at}
	return &Expr{Op: binaryOp(n.Operator), Args: []*Expr{zero, x}, from: at}, nil
}

func binaryOp(op string) Op {
	switch op {
	case "&&":
		return OpAnd
	case "||":
		return OpOr
	default:
		return Op(op)
	}
}

func convertCall(n *ast.CallNode) (*Expr, *refusal) {
	at := n.Location().From
	name, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return nil, refuse(at, CodeExprSyntax, "")
	}
	if !slices.Contains(gateFunctions, name.Value) {
		return nil, refuse(at, CodeExprFunction, name.Value, source.Nearest(name.Value, gateFunctions))
	}
	return convertArgs(OpCall, name.Value, at, n.Arguments)
}

func convertArgs(op Op, name string, at int, nodes []ast.Node) (*Expr, *refusal) {
	e := &Expr{Op: op, Name: name, from: at}
	for _, n := range nodes {
		x, r := convert(n)
		if r != nil {
			return nil, r
		}
		e.Args = append(e.Args, x)
	}
	return e, nil
}
