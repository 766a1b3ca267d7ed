package main

import (
	"testing"

	"fabula/personas/card"
	"fabula/story/chatlog"
	"fabula/tui/text/lang"
)

// Every code that an import notes is worded, and nothing else is.
func TestImportIsWorded(t *testing.T) {
	known := map[string]bool{}
	for _, code := range append(card.Codes(), chatlog.Codes()...) {
		known[code] = true
		for _, l := range []string{"en", "zh"} {
			if lang.For(l).Note(code, []string{"x"}) == "" {
				t.Errorf("%s is not worded in %s", code, l)
			}
		}
	}
	for code := range lang.For("en").Import.Notes {
		if !known[code] {
			t.Errorf("%s is worded, but nothing notes it", code)
		}
	}
}
