package plot_test

import (
	"strings"
	"testing"

	"fabula/personas"
	"fabula/story/plot"
)

// groups reads "a,b;c" as two lists, of alternatives a and b, and of c.
func groups(s string) [][]personas.Text {
	var out [][]personas.Text
	for _, list := range strings.FieldsFunc(s, func(r rune) bool { return r == ';' }) {
		var group []personas.Text
		for _, word := range strings.Split(list, ",") {
			group = append(group, text(word))
		}
		out = append(out, group)
	}
	return out
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		any, all, none string
		text, quote    string
		rule           string
	}{
		{any: "柴胡给你;here are the herbs", text: "给，柴胡给你。", quote: "柴胡给你", rule: "any 1: 柴胡给你"},
		{any: "柴胡给你;here are the herbs", text: "Well. Here  are\nTHE herbs!", quote: "Here  are\nTHE herbs", rule: "any 2: here are the herbs"},
		{any: "柴胡给你", none: "没有", text: "我没有柴胡给你"},
		{any: "herbs|柴胡", text: "柴胡", quote: "柴胡", rule: "any 1: 柴胡"},
		{any: "herbs|柴胡", text: "My herbs", quote: "herbs", rule: "any 1: herbs"},
		{all: "盐,salt;地窖,cellar", text: "the salt is in the cellar", quote: "salt is in the cellar", rule: "all 1: salt; all 2: cellar"},
		{all: "盐,salt;地窖,cellar", text: "地窖里有盐", quote: "地窖里有盐", rule: "all 1: 盐; all 2: 地窖"},
		{all: "盐,salt;地窖,cellar", text: "the salt"},
		{all: "salt", any: "here;there", text: "there is salt", quote: "there is salt", rule: "all 1: salt; any 2: there"},
		{all: "salt", any: "here;there", text: "salt is where"},
		{none: "no", text: "anything"},
		{any: "herbs", text: ""},
		{text: "herbs"},
		// Width, case, blanks, apostrophes.
		{any: "OK", text: "ｏｋ！", quote: "ｏｋ", rule: "any 1: OK"},
		{any: "ｏｋ", text: "OK", quote: "OK", rule: "any 1: ｏｋ"},
		{any: "don't", text: "I don’t", quote: "don’t", rule: "any 1: don't"},
		{any: "柴胡给你", text: "柴胡　给 你", quote: "柴胡　给 你", rule: "any 1: 柴胡给你"},
		{any: "柴 胡", text: "柴胡", quote: "柴胡", rule: "any 1: 柴 胡"},
		{any: "café", text: "CAFE\u0301 noir", quote: "CAFE\u0301", rule: "any 1: café"},
		// Whole words in scripts that set words apart, anywhere in CJK.
		{any: "salt", text: "salty"}, {any: "salt", text: "basalt"}, {any: "no", text: "I know"},
		{any: "salt", text: "盐salt盐", quote: "salt", rule: "any 1: salt"},
		{any: "соль", text: "Соль!", quote: "Соль", rule: "any 1: соль"},
		{any: "соль", text: "фасоль"},
		{any: "3", text: "13"}, {any: "3", text: "3钱", quote: "3", rule: "any 1: 3"},
		{any: "salt", text: "basalt and salt", quote: "salt", rule: "any 1: salt"},
		// English inflection.
		{any: "herb", text: "Herbs", quote: "Herbs", rule: "any 1: herb"},
		{any: "herb", text: "the herb's smell", quote: "herb", rule: "any 1: herb"},
		{any: "salt", text: "salted", quote: "salted", rule: "any 1: salt"},
		{any: "swear", text: "swearing", quote: "swearing", rule: "any 1: swear"},
		{any: "agree", text: "agreed", quote: "agreed", rule: "any 1: agree"},
		{any: "box", text: "boxes"}, {any: "cross", text: "crosses", quote: "crosses", rule: "any 1: cross"},
		{any: "not", text: "notes"}, {any: "is", text: "ised"}, {any: "a", text: "as"}, {any: "herbs", text: "herb"},
		{any: "!", text: "go!", quote: "!", rule: "any 1: !"},
	} {
		d := plot.Detect{Any: groups(c.any), All: groups(c.all), None: groups(c.none)}
		got, ok := d.Match(c.text)
		if ok != (c.rule != "") || got.Quote != c.quote || got.Rule != c.rule {
			t.Errorf("%+v in %q: %v %+v", c, c.text, ok, got)
		}
		if ok && c.text[got.Start:got.End] != got.Quote {
			t.Errorf("%q: span %d..%d is %q", c.text, got.Start, got.End, c.text[got.Start:got.End])
		}
	}
}

// Whatever a player types, a match is a span of it.
func FuzzDetect(f *testing.F) {
	f.Add("here are the herbs", "Well, here are THE herbs.")
	f.Add("柴胡给你", "柴胡　给 你")
	f.Add("\xff", "a\xffb")
	f.Add("ﬁ", "ﬁne \u0301\u0301 e\u0301")
	f.Add(" ", "  ")
	f.Fuzz(func(t *testing.T, keyword, text string) {
		d := plot.Detect{Any: [][]personas.Text{{{Plain: keyword}}}}
		got, ok := d.Match(text)
		if !ok {
			return
		}
		if got.Start < 0 || got.End > len(text) || got.Start >= got.End || text[got.Start:got.End] != got.Quote {
			t.Errorf("%q in %q: %+v", keyword, text, got)
		}
		if again, ok := d.Match(got.Quote); !ok || again.Quote == "" {
			t.Errorf("%q matches in %q, but not in its own quote %q", keyword, text, got.Quote)
		}
	})
}
