package source

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

var (
	idShape     = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	wholeShape  = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	numberShape = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
)

func itoa(n int) string { return strconv.Itoa(n) }

// IsID reports whether s can be an id.
func IsID(s string) bool { return idShape.MatchString(s) }

// ID reads an id: a small letter, then small letters, digits and _.
func ID() Type[string] {
	return Type[string]{
		expects: "id",
		schema:  func(*schemas) object { return object{"type": "string", "pattern": idShape.String()} },
		read: func(v Value, into *string) {
			if !v.isScalar() {
				v.wrong("id")
				return
			}
			if !idShape.MatchString(v.node.Value) {
				v.Fault(CodeBadID, v.field, clip(v.node.Value))
				return
			}
			*into = v.node.Value
		},
	}
}

// Ref reads a reference such as "landing.gives_herbs" or "exit:to_shop":
// ids with prefix and separator; what it names is the loader's matter.
func Ref() Type[string] { return Words("reference") }

// Words reads one line of characters that is no text for a person, kept as
// typed; expects names it in the author's words.
func Words(expects string) Type[string] {
	return Type[string]{
		expects: expects,
		schema:  func(*schemas) object { return scalarSchema() },
		read: func(v Value, into *string) {
			switch {
			case !v.isScalar():
				v.wrong(expects)
			case strings.TrimSpace(v.node.Value) == "":
				v.Fault(CodeEmptyText, v.field)
			default:
				*into = v.node.Value
			}
		},
	}
}

// OneOf reads one of the given words.
func OneOf(words ...string) Type[string] {
	return Type[string]{
		expects: "one of " + strings.Join(words, ", "),
		schema:  func(*schemas) object { return object{"enum": anys(words)} },
		read: func(v Value, into *string) {
			switch {
			case !v.isScalar():
				v.wrong("one of " + strings.Join(words, ", "))
			case slices.Contains(words, v.node.Value):
				*into = v.node.Value
			default:
				v.Fault(CodeUnknownWord, v.field, clip(v.node.Value), strings.Join(words, ", "), Nearest(v.node.Value, words))
			}
		},
	}
}

func anys[V any](of []V) []any {
	out := make([]any, len(of))
	for i, v := range of {
		out[i] = v
	}
	return out
}

// Bool reads true or false.
func Bool() Type[bool] {
	return Type[bool]{
		expects: "true or false",
		schema:  func(*schemas) object { return object{"type": "boolean"} },
		read: func(v Value, into *bool) {
			if !v.isScalar() || !v.plain() || v.node.Tag != "!!bool" {
				v.wrong("true or false")
				return
			}
			*into = strings.EqualFold(v.node.Value, "true")
		},
	}
}

// Whole reads a whole number from low to high.
func Whole(low, high int) Type[int] {
	return Type[int]{
		expects: "whole number",
		schema:  func(*schemas) object { return object{"type": "integer", "minimum": low, "maximum": high} },
		read: func(v Value, into *int) {
			if !v.isScalar() || !v.plain() || !wholeShape.MatchString(v.node.Value) {
				v.wrong("whole number")
				return
			}
			n, err := strconv.Atoi(v.node.Value)
			if err != nil || n < low || n > high {
				v.Fault(CodeOutOfRange, v.field, clip(v.node.Value), itoa(low), itoa(high))
				return
			}
			*into = n
		},
	}
}

// AnyWhole reads a whole number that a plot can count with.
func AnyWhole() Type[int] { return Whole(math.MinInt32, math.MaxInt32) }

// Number reads a number from low to high.
func Number(low, high float64) Type[float64] {
	return Type[float64]{
		expects: "number",
		schema:  func(*schemas) object { return object{"type": "number", "minimum": low, "maximum": high} },
		read: func(v Value, into *float64) {
			if !v.isScalar() || !v.plain() || !numberShape.MatchString(v.node.Value) {
				v.wrong("number")
				return
			}
			f, err := strconv.ParseFloat(v.node.Value, 64)
			if err != nil || f < low || f > high {
				v.Fault(CodeOutOfRange, v.field, clip(v.node.Value), short(low), short(high))
				return
			}
			*into = f
		},
	}
}

func short(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// Condition reads a condition as it is written; compiling it is story/plot's.
func Condition() Type[Cond] { return expression("condition") }

// Assignment reads an effect such as `day += 1` as it is written.
func Assignment() Type[Cond] { return expression("effect") }

func expression(expects string) Type[Cond] {
	return Type[Cond]{
		expects: expects, null: CodeEmptyCondition,
		schema: func(*schemas) object { return scalarSchema() },
		read: func(v Value, into *Cond) {
			switch {
			case !v.isScalar():
				v.wrong(expects)
			case strings.TrimSpace(v.node.Value) == "":
				v.Fault(CodeEmptyCondition, v.field)
			default:
				*into = Cond{Src: strings.TrimSpace(v.node.Value), Pos: v.written()}
			}
		},
	}
}

// written is where the first character of a condition stands: behind the quote,
// or on the line below `|`.
func (v Value) written() Pos {
	at := v.Pos()
	if v.node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		for at.Line < len(v.doc.lines) {
			line := v.doc.lines[at.Line]
			at.Line++
			if text := strings.TrimLeft(line, " "); text != "" {
				at.Col = len(line) - len(text) + 1
				break
			}
		}
		return at
	}
	if !v.plain() {
		at.Col++
	}
	at.Col += utf8.RuneCountInString(v.node.Value) - utf8.RuneCountInString(strings.TrimLeft(v.node.Value, " \t\n"))
	return at
}

// Scalar is a value whose type another key decides.
type Scalar struct {
	Text   string // as typed
	Quoted bool
	Value  Value
}

// Any reads one scalar of any kind.
func Any() Type[Scalar] {
	return Type[Scalar]{
		expects: "one value",
		schema:  func(*schemas) object { return scalarSchema() },
		read: func(v Value, into *Scalar) {
			if !v.isScalar() {
				v.wrong("one value")
				return
			}
			*into = Scalar{Text: v.node.Value, Quoted: !v.plain(), Value: v}
		},
	}
}

// Bool, Whole and Word give the value as that type, or report a wrong one.
func (s Scalar) Bool() (b, ok bool) { return convert(s, Bool()) }

// Whole gives the value as a whole number.
func (s Scalar) Whole() (int, bool) { return convert(s, AnyWhole()) }

// Word gives the value as one of words.
func (s Scalar) Word(words ...string) (string, bool) { return convert(s, OneOf(words...)) }

func convert[V any](s Scalar, t Type[V]) (V, bool) {
	var v V
	if s.Value.node == nil {
		return v, false
	}
	before := len(s.Value.doc.faults)
	t.load(s.Value, &v)
	return v, len(s.Value.doc.faults) == before
}

// scalarSchema allows what YAML reads as a number or a boolean too: fabula
// keeps the characters as typed.
func scalarSchema() object {
	return object{"type": []any{"string", "number", "boolean"}, "pattern": `\S`}
}
