package source_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/personas/source"
)

// typed draws texts that hold what YAML likes to trip over.
func typed() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "NO", "0123", "1e3", "~", "null", "true", "雨", "阿渡", "é", " ", "  ", "#", " #", ": ", ":", "-", "- ", "?", "!", "! ", "!x ", "&", "&a ", "*", "*a",
		"{", "}", "[", "]", ",", "'", "\"", "|", ">", "%", "@", "`", "\\", "\\n", "\t", "{player}", "<<", "...", "---", "=", "\u3000", "\u00a0", "😀",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), "")
	})
}

// Ensure that a text either arrives as it was typed, or is reported: whatever
// stands behind an unquoted key, not a character is lost without a word.
func TestTextArrivesAsTyped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := typed().Draw(t, "text")
		place := rapid.SampledFrom([]string{"hero: a\nbrief: %\nage: 3\n", "hero: a\ntraits:\n  - %\nage: 3\n", "hero: a\nname:\n  zh: %\nage: 3\n"}).Draw(t, "place")
		h, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(strings.Replace(place, "%", text, 1))}, heroType())
		if len(found) > 0 {
			return
		}
		got := h.Brief.Plain + h.Name.By["zh"]
		for _, x := range h.Traits {
			if x.By != nil {
				return // "aa: a" in a list is the text of a language
			}
			got += x.Plain
		}
		want := strings.Trim(text, " \t")
		if want == "" || want[0] == '\'' || want[0] == '"' || want[0] == '[' || want[0] == '{' || want[0] == '|' || want[0] == '>' {
			return // quotes, lists and blocks are YAML's own ways to write a text
		}
		if got != want {
			t.Fatalf("typed %q, got %q", want, got)
		}
	})
}

// Ensure that quoting always works: any text survives single quotes.
func TestQuotedTextArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "x" + typed().Draw(t, "text") + "x"
		data := "hero: a\nbrief: '" + strings.ReplaceAll(text, "'", "''") + "'\nage: 3\n"
		h, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(data)}, heroType())
		if len(found) > 0 || h.Brief.Plain != text {
			t.Fatalf("typed %q, got %q, %v", text, h.Brief.Plain, found)
		}
	})
}

// Ensure that a syntax error is found on its line wherever it stands.
func TestSyntaxErrorLine(t *testing.T) {
	bad := []string{"name: x: y", "name: 'open", "name: [a, b", "name: @x", "name: *x", "name: \"a\\q\"", "name: {zh: You: x}", "\tage: 3", "no colon here"}
	fine := []string{"  - calm", "  - 'a: b'", "  - |\n    block: text\n      - more", "  - [a,\n     b]", "  - \"two\n    lines\"", "  # remark", ""}
	rapid.Check(t, func(t *rapid.T) {
		before := "hero: a\ntraits:\n  - one\n" + strings.Join(rapid.SliceOf(rapid.SampledFrom(fine)).Draw(t, "before"), "\n")
		before = strings.TrimSuffix(before, "\n") + "\n"
		line := rapid.SampledFrom(bad).Draw(t, "line")
		after := rapid.SampledFrom([]string{"", "\n", "\nage: 3\n", "\nage: 3\nbrief: |\n  x\n  y\nmood: calm\n"}).Draw(t, "after")
		if line == "no colon here" && after == "" {
			after = "\n"
		}
		_, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(before + line + after)}, heroType())
		want := strings.Count(before, "\n") + 1
		for _, f := range found {
			if f.Pos.Line == want && (f.Code == source.CodeSyntax || f.Code == source.CodeTab) {
				return
			}
		}
		t.Fatalf("%q: want line %d, got %v", before+line+after, want, found)
	})
}
