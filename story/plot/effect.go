package plot

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"fabula/personas/source"
)

// Assignments gives the typed tree of an effect; none if it does not compile.
func (s *Script) Assignments(e Effect) []Assign {
	a, ok := s.assignment(e)
	if !ok {
		return nil
	}
	return []Assign{a}
}

func (s *Script) assignment(e Effect) (Assign, bool) {
	if a, ok := s.index.effects[e.Do.Src]; ok {
		return a, true
	}
	a, r := s.parseEffect(e.Do.Src)
	return a, r == nil
}

// parseEffect reads and types `x = e`, `x += e` or `x -= e`.
func (s *Script) parseEffect(src string) (Assign, *refusal) {
	name, op, value, ok := splitEffect(src)
	if !ok {
		return Assign{}, refuse(0, CodeEffectSyntax, src)
	}
	lead := utf8.RuneCountInString(src[:strings.Index(src, name)])
	v := s.Var(name)
	if v == nil {
		known := slices.Sorted(maps.Keys(s.index.vars))
		return Assign{}, refuse(lead, CodeUnknownName, "variable", name, source.Nearest(name, known))
	}
	from := utf8.RuneCountInString(src) - utf8.RuneCountInString(value)
	e, r := parse(value)
	if r == nil {
		r = s.check(e)
	}
	if r == nil {
		r = fits(v, op, e)
	}
	if r != nil {
		r.at += from
		return Assign{}, r
	}
	return Assign{Var: name, Op: op, Value: e}, nil
}

// splitEffect cuts at the assignment sign; value keeps everything after it.
// `x =+ 1` is no assignment of +1: it is a slip for `x += 1`.
func splitEffect(src string) (name, op, value string, ok bool) {
	i := strings.IndexByte(src, '=')
	if i < 0 || strings.HasPrefix(src[i+1:], "=") || strings.HasPrefix(src[i+1:], "+") || strings.HasPrefix(src[i+1:], "- ") {
		return "", "", "", false
	}
	left, op := src[:i], "="
	if l, cut := strings.CutSuffix(left, "+"); cut {
		left, op = l, "+="
	} else if l, cut := strings.CutSuffix(left, "-"); cut {
		left, op = l, "-="
	}
	name = strings.TrimSpace(left)
	return name, op, src[i+1:], name != "" && !strings.ContainsAny(name, " \t\n!<>+-")
}

// fits checks that the value of an assignment has the variable's type.
func fits(v *Variable, op string, e *Expr) *refusal {
	switch {
	case op != "=" && v.Kind != Int:
		return refuse(e.from, CodeEffectType, v.ID, string(v.Kind), op)
	case e.Op == OpList || e.Kind != v.Kind:
		return refuse(e.from, CodeEffectType, v.ID, string(v.Kind), e.kindName())
	case v.Kind != Enum:
		return nil
	case e.enum == nil:
		return enumHas(v, e)
	}
	for _, w := range e.enum.Values {
		if !slices.Contains(v.Values, w) {
			return refuse(e.from, CodeEnumDiffer, v.ID, e.enum.ID)
		}
	}
	return nil
}

// apply does the effects in order, each seeing the last. node is the scope of
// `visits` in their conditions.
func (s *Script) apply(st *State, effects []Effect, node string) []Change {
	var changes []Change
	for _, e := range effects {
		if !s.holds(e.When, st, node) {
			continue
		}
		if a, ok := s.assignment(e); ok {
			changes = append(changes, s.assign(st, a, node))
		}
	}
	return changes
}

func (s *Script) assign(st *State, a Assign, node string) Change {
	v := s.Var(a.Var)
	before, ok := st.Vars[a.Var]
	if !ok {
		before = v.Default
	}
	after := a.Value.eval(st, node)
	switch a.Op {
	case "+=":
		after = IntValue(Add(before.Int, after.Int))
	case "-=":
		after = IntValue(Sub(before.Int, after.Int))
	}
	after = v.Clamp(after)
	if st.Vars == nil {
		st.Vars = map[string]Value{}
	}
	st.Vars[a.Var] = after
	return Change{Var: a.Var, Before: before, After: after}
}

// Clamp brings a value of another domain into the variable's: integers
// saturate, anything else that does not fit becomes the default.
func (v *Variable) Clamp(x Value) Value {
	switch {
	case x.Kind != v.Kind, v.Kind == Enum && !slices.Contains(v.Values, x.Str):
		return v.Default
	case v.Kind == Int:
		x.Int = min(max(x.Int, v.Min), v.Max)
	}
	return x
}

// CompileEffect reports what is wrong with an effect.
func (s *Script) CompileEffect(e Effect) []source.Fault {
	_, faults := s.CompileCond(e.When)
	if _, r := s.parseEffect(e.Do.Src); r != nil {
		faults = append(faults, r.fault(e.Do))
	}
	return faults
}
