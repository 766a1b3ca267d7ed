package chat

import (
	"strings"
	"unicode"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/parser"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// environment is what a template may use: the parts of Jinja that chat
// templates are written with. Left out is everything that reads files or makes
// long texts from short ones (include, import, center, format, indent …).
func environment() *exec.Environment {
	return &exec.Environment{
		Context:           exec.NewContext(functions()),
		Filters:           filters(),
		Tests:             builtins.Tests,
		ControlStructures: structures(),
		Methods: exec.Methods{
			Bool:  exec.NewMethodSet(map[string]exec.Method[bool]{}),
			Int:   exec.NewMethodSet(map[string]exec.Method[int]{}),
			Float: exec.NewMethodSet(map[string]exec.Method[float64]{}),
			Str: texts("startswith", "endswith", "split", "rsplit", "splitlines", "lower", "upper", "title", "capitalize", "find", "count", "removeprefix", "removesuffix",
				"replace", "isdigit", "isalpha", "isspace", "isupper", "islower", "partition"),
			Dict: only(builtins.Methods.Dict, "keys", "values", "items", "get", "copy"),
			List: only(builtins.Methods.List, "append", "copy", "reverse"),
		},
	}
}

// texts picks the methods of strings by name, and adds those of ours.
func texts(names ...string) *exec.MethodSet[string] {
	set := map[string]exec.Method[string]{
		"strip":  strip(strings.Trim, strings.TrimSpace),
		"lstrip": strip(strings.TrimLeft, func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
		"rstrip": strip(strings.TrimRight, func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
	}
	for _, name := range names {
		if m, ok := builtins.Methods.Str.Get(name); ok {
			set[name] = m
		}
	}
	return exec.NewMethodSet(set)
}

// strip is a method that takes the characters to strip, or none; the library's
// own needs them.
func strip(some func(s, set string) string, space func(string) string) exec.Method[string] {
	return func(self string, _ *exec.Value, args *exec.VarArgs) (any, error) {
		if len(args.Args) == 0 || args.Args[0].IsNil() {
			return space(self), nil
		}
		return some(self, args.Args[0].String()), nil
	}
}

// only picks methods by name.
func only[T any](all *exec.MethodSet[T], names ...string) *exec.MethodSet[T] {
	set := map[string]exec.Method[T]{}
	for _, name := range names {
		if m, ok := all.Get(name); ok {
			set[name] = m
		}
	}
	return exec.NewMethodSet(set)
}

// filters picks those that cannot blow up, and bounds the one that can.
func filters() *exec.FilterSet {
	set := map[string]exec.FilterFunction{"tojson": toJSON}
	for _, name := range []string{
		"trim", "string", "length", "count", "first", "last", "list", "join", "replace", "lower", "upper", "title",
		"capitalize", "default", "d", "items", "dictsort", "selectattr", "rejectattr", "select", "reject", "map", "safe",
		"int", "float", "reverse", "sort", "unique", "abs", "min", "max", "sum", "e", "escape",
	} {
		if f, ok := builtins.Filters.Get(name); ok {
			set[name] = modest(f)
		}
	}
	return exec.NewFilterSet(set)
}

// modest lets a filter see and give only small values.
func modest(f exec.FilterFunction) exec.FilterFunction {
	return func(e *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
		if err := small(in.Interface()); err != nil {
			return exec.AsValue(err)
		}
		for _, arg := range params.Args {
			if err := small(arg.Interface()); err != nil {
				return exec.AsValue(err)
			}
		}
		return f(e, in, params)
	}
}

// structures picks control structures and guards each.
func structures() *exec.ControlStructureSet {
	set := map[string]parser.ControlStructureParser{"generation": parseGeneration}
	for _, name := range []string{"for", "if", "set", "macro", "with", "do", "break", "continue", "raw"} {
		if parse, ok := builtins.ControlStructures.Get(name); ok {
			set[name] = guard(parse)
		}
	}
	return exec.NewControlStructureSet(set)
}

// guard wraps what a parser makes, so that running it is checked.
func guard(parse parser.ControlStructureParser) parser.ControlStructureParser {
	return func(p, args *parser.Parser) (nodes.ControlStructure, error) {
		name := ""
		if tok := args.Current(tokens.Name); tok != nil {
			name = tok.Val
		}
		inner, err := parse(p, args)
		if err != nil {
			return nil, err
		}
		run, ok := inner.(exec.ControlStructure)
		if !ok {
			return inner, nil
		}
		return &guarded{run, name}, nil
	}
}

// guarded is a control structure under a budget. name is the variable or macro
// that a set or macro tag defines.
type guarded struct {
	exec.ControlStructure
	name string
}

// Execute runs the structure and then looks at what it defined.
func (g *guarded) Execute(r *exec.Renderer, tag *nodes.ControlStructureBlock) error {
	value, _ := r.Environment.Context.Get(budgetName)
	limits, ok := value.(*budget)
	if !ok {
		return errLimit
	}
	if err := limits.check(); err != nil {
		return err
	}
	if err := g.ControlStructure.Execute(r, tag); err != nil {
		return err
	}
	defined, ok := r.Environment.Context.Get(g.name)
	if !ok {
		return nil
	}
	if macro, ok := defined.(exec.Macro); ok {
		r.Environment.Context.Set(g.name, counted(macro, limits))
		return nil
	}
	if v, ok := defined.(*exec.Value); ok {
		defined = v.Interface()
	}
	return small(defined)
}

// counted is a macro under a budget.
func counted(macro exec.Macro, limits *budget) countedMacro {
	return func(params *exec.VarArgs) *exec.Value {
		if err := limits.enter(); err != nil {
			return exec.AsValue(err)
		}
		defer limits.leave()
		return macro(params)
	}
}

// countedMacro is told apart from a macro that is not counted yet.
type countedMacro func(*exec.VarArgs) *exec.Value
