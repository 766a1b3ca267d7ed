package fold_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"fabula/personas/fold"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		" Salt \t\n cellar ": "salt cellar",
		"ＳＡＬＴ　ﬁsh":           "salt fish",
		"盐 在  地窖":            "盐在地窖",
		"盐 salt 盐":           "盐 salt 盐",
		"don’t":              "don't",
		"E\u0301toile":       "étoile",
		"¾ cup":              "3⁄4 cup",
		"bad \xff byte":      "bad \ufffd byte",
		"ประตู ประตู":        "ประตูประตู",
	} {
		if got := fold.Of(text, fold.Plain).String(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Ensure that a span gives back the characters behind it, whole.
func TestSpan(t *testing.T) {
	text := "The  ＳＡＬＴ, cafe\u0301! ¾"
	f := fold.Of(text, fold.Plain)
	for word, want := range map[string]string{"salt": "ＳＡＬＴ", "café": "cafe\u0301", "3": "¾", "4": "¾"} {
		at := -1
		for i := range f.Runes {
			if f.Has(i, []rune(word)) {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s is not found in %q", word, string(f.Runes))
		}
		if from, to := f.Span(at, at+utf8.RuneCountInString(word)); text[from:to] != want {
			t.Errorf("%s: span %q, want %q", word, text[from:to], want)
		}
	}
}

// Ensure that a word is not found in the middle of another, and that scripts
// without blanks have no such middle.
func TestHas(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"salt", "salt", true}, {"assault salt", "salt", true}, {"basalt", "salt", false}, {"the-salt", "salt", true},
		{"要盐吗", "盐", true}, {"盐salt", "salt", true}, {"salt", "", false}, {"sal", "salt", false}, {"!salt", "!salt", true},
	} {
		f, found := fold.Of(c.text, fold.Plain), false
		for i := range f.Runes {
			found = found || f.Has(i, []rune(c.word))
		}
		if found != c.want {
			t.Errorf("%q in %q: %v", c.word, c.text, found)
		}
	}
}

// Ensure that the way around normalising gives what normalising gives.
func TestInertRunesAreNormalised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "e\u0301", "\u0301", "盐", "，", "。", "ＯＫ", "ﬁ", "¾", "각", "ᄀ", "ᅡ", "“", "…", "\xff", "\u200b", "ｶ", "ﾞ"})).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		got := string(fold.Of(text, func(r rune) rune { return r }).Runes)
		if want := string([]rune(norm.NFKC.String(text))); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}
