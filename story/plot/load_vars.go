package plot

import (
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
)

// VariablesType reads `state:` of world.yaml: variables by id, in file order.
func VariablesType() source.Type[[]*Variable] {
	entries := source.Map(source.ID(), variableType())
	return source.As(entries, func(list []source.Entry[string, *variable]) []*Variable {
		vars := make([]*Variable, 0, len(list))
		for _, e := range list {
			if e.Value != nil && e.Value.Kind != "" {
				e.Value.ID, e.Value.Pos = e.Key, e.Pos
				vars = append(vars, &e.Value.Variable)
			}
		}
		return vars
	}).Checked(checkNames)
}

// variable is a Variable while it is read.
type variable struct {
	Variable
	kind     string
	min, max *int
	standard source.Scalar
}

func variableType() source.Type[*variable] {
	return source.Optional(source.Object("variable", "a state variable with a finite domain",
		source.Key("type", source.OneOf("bool", "int", "enum"), func(v *variable) *string { return &v.kind }, "bool, int or enum").Required(),
		source.Key("min", source.Optional(source.AnyWhole()), func(v *variable) **int { return &v.min }, "least value of an int"),
		source.Key("max", source.Optional(source.AnyWhole()), func(v *variable) **int { return &v.max }, "greatest value of an int"),
		source.Key("values", source.List(source.Words("word")), func(v *variable) *[]string { return &v.Values }, "values of an enum"),
		source.Key("default", source.Any(), func(v *variable) *source.Scalar { return &v.standard }, "value at the start; without it false, the whole number nearest to 0, or the first value"),
		source.Key("known_to", idList(), func(v *variable) *[]placedID { return &v.knownTo }, "whose prompts may speak of it; without it, everybody's"),
		source.Key("words", wordsType(), func(v *variable) *[]Word { return &v.Words }, "what a prompt says while a condition holds; without it the variable never enters a prompt"),
		source.Key("allow", personas.AllowType(), func(v *variable) *[]personas.Allow { return &v.Allow }, "findings accepted here"),
	).Checked(checkVariable))
}

func wordsType() source.Type[[]Word] {
	entries := source.Map(source.Condition(), personas.TextType())
	return source.As(entries, func(list []source.Entry[source.Cond, personas.Text]) []Word {
		words := make([]Word, len(list))
		for i, e := range list {
			words[i] = Word{When: e.Key, Text: e.Value}
		}
		return words
	})
}

func checkVariable(x *variable, v source.Value) {
	x.Kind, x.KnownTo = Kind(x.kind), plainIDs(x.knownTo)
	switch x.Kind {
	case Int:
		x.checkInt(v)
	case Enum:
		x.checkEnum(v)
	case Bool:
		x.Default = BoolValue(false)
		if v.Has("default") {
			b, _ := x.standard.Bool()
			x.Default = BoolValue(b)
		}
	}
	x.only(v, "min", Int)
	x.only(v, "max", Int)
	x.only(v, "values", Enum)
}

// only reports a key that belongs to another type of variable.
func (x *variable) only(v source.Value, key string, kind Kind) {
	if x.Kind != "" && x.Kind != kind && v.Has(key) {
		v.Field(key).Fault(CodeDomain, string(x.Kind), "key", key)
	}
}

func (x *variable) checkInt(v source.Value) {
	for key, limit := range map[string]*int{"min": x.min, "max": x.max} {
		if limit == nil && !v.Has(key) {
			v.Fault(source.CodeMissing, key, "variable")
		}
	}
	if x.min == nil || x.max == nil {
		return
	}
	x.Min, x.Max = *x.min, *x.max
	if x.Min > x.Max {
		v.Field("max").Fault(CodeDomain, "int", "range", x.DomainText())
		x.Max = x.Min
	}
	x.Default = x.Clamp(IntValue(0))
	if !v.Has("default") {
		return
	}
	n, ok := x.standard.Whole()
	if x.Default = x.Clamp(IntValue(n)); ok && x.Default.Int != n {
		v.Field("default").Fault(CodeDomain, "int", "default", x.DomainText())
	}
}

func (x *variable) checkEnum(v source.Value) {
	if len(x.Values) == 0 {
		if !v.Has("values") {
			v.Fault(source.CodeMissing, "values", "variable")
		} else {
			v.Field("values").Fault(CodeDomain, "enum", "values", "")
		}
		return
	}
	for i, w := range x.Values {
		if slices.Contains(x.Values[:i], w) {
			v.Field("values").Fault(CodeDomain, "enum", "twice", w)
		}
	}
	x.Default = EnumValue(x.Values[0])
	if !v.Has("default") {
		return
	}
	if w, ok := x.standard.Word(x.Values...); ok {
		x.Default = EnumValue(w)
	}
}

// checkNames refuses variables that conditions could not speak of.
func checkNames(vars *[]*Variable, v source.Value) {
	for _, x := range *vars {
		if reserved(x.ID) {
			v.FaultAt(x.Pos, CodeReservedName, x.ID)
		}
	}
}

// reserved are the words that a condition reads as something else, ours and
// the parser's.
func reserved(id string) bool {
	return slices.Contains(gateFunctions, id) || slices.Contains(strings.Fields(
		"not and or in true false nil let if else matches contains player"), id)
}
