package source_test

import (
	"testing"

	"fabula/personas/source"
)

// A condition's place is that of its first character, so that a fault inside
// it can be counted from there.
func TestConditionPlace(t *testing.T) {
	object := source.Object("gate", "a gate",
		source.Key("when", source.Condition(), func(c *source.Cond) *source.Cond { return c }, "open while this holds"))
	for text, want := range map[string]source.Pos{
		"when: a == 1\n":           {File: "f", Line: 1, Col: 7},
		"when: 'a == 1'\n":         {File: "f", Line: 1, Col: 8},
		"when: \"  a == 1\"\n":     {File: "f", Line: 1, Col: 10},
		"when:\n  a == 1\n":        {File: "f", Line: 2, Col: 3},
		"when: |\n  a == 1\n":      {File: "f", Line: 2, Col: 3},
		"when: >-\n\n    a == 1\n": {File: "f", Line: 3, Col: 5},
	} {
		got, faults := source.Read(source.File{Name: "f", Data: []byte(text)}, object)
		if len(faults) > 0 || got.Src != "a == 1" || got.Pos != want {
			t.Errorf("%q: got %q at %v, want %v (%v)", text, got.Src, got.Pos, want, faults)
		}
	}
}
