package plot

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
)

// Kind is the type of a variable.
type Kind string

// The types a state variable can have.
const (
	Bool Kind = "bool"
	Int  Kind = "int"
	Enum Kind = "enum"
)

// Variable is a state variable with a finite domain.
type Variable struct {
	ID       string
	Kind     Kind
	Min, Max int      // of an Int, inclusive
	Values   []string // of an Enum, in file order
	Default  Value
	KnownTo  []string // whose prompts may speak of it; empty = everybody's
	Words    []Word   // without words a variable never enters a prompt
	Allow    []personas.Allow
	Pos      source.Pos

	knownTo []placedID
}

// Word is what a prompt says while When holds.
type Word struct {
	When source.Cond
	Text personas.Text
}

// Value is the value of a variable; comparable. The zero Value is false.
type Value struct {
	Kind Kind
	Int  int    // of Int; 0 or 1 of Bool
	Str  string // of Enum
}

// BoolValue, IntValue and EnumValue make values.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, Int: 1}
	}
	return Value{Kind: Bool}
}

// IntValue makes an integer value.
func IntValue(n int) Value { return Value{Kind: Int, Int: n} }

// EnumValue makes an enum value.
func EnumValue(s string) Value { return Value{Kind: Enum, Str: s} }

// True reports whether v is the boolean true.
func (v Value) True() bool { return v.Kind == Bool && v.Int != 0 }

// String gives the value as a condition would write it, enums unquoted.
func (v Value) String() string {
	switch v.Kind {
	case Int:
		return strconv.Itoa(v.Int)
	case Enum:
		return v.Str
	default:
		return strconv.FormatBool(v.Int != 0)
	}
}

// MarshalJSON writes a JSON boolean, number or string.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.Kind {
	case Int:
		return json.Marshal(v.Int)
	case Enum:
		return json.Marshal(v.Str)
	default:
		return json.Marshal(v.Int != 0)
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(data []byte) error {
	var raw any
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	switch x := raw.(type) {
	case bool:
		*v = BoolValue(x)
	case float64:
		*v = IntValue(int(x))
	case string:
		*v = EnumValue(x)
	default:
		return fmt.Errorf("state value: expected true, false, a number or a word, got %s", data)
	}
	return nil
}

// DomainText is the domain as a person would write it: "true, false",
// "0..5" or the values.
func (v *Variable) DomainText() string {
	switch v.Kind {
	case Int:
		return strconv.Itoa(v.Min) + ".." + strconv.Itoa(v.Max)
	case Enum:
		return strings.Join(v.Values, ", ")
	default:
		return "true, false"
	}
}
