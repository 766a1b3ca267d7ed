package lang_test

import (
	"errors"
	"regexp"
	"slices"
	"testing"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/check"
	"fabula/story/playtest"
	"fabula/story/plot"
	"fabula/tui/keymap"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

var hole = regexp.MustCompile(`\{[0-9]t?\}`)

// Ensure that every fault of the broken world is worded in both languages,
// without a hole.
func TestFaultsOfTheBrokenWorld(t *testing.T) {
	_, err := worlds.Open("broken")
	var bad *worlds.LoadError
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	for _, f := range bad.Faults {
		en, doEN := lang.Fault(f.Code, f.Args, "en")
		zh, doZH := lang.Fault(f.Code, f.Args, "zh")
		if en == zh || en == "" || zh == "" {
			t.Errorf("%s: %q and %q", f.Code, en, zh)
		}
		if (doEN == "") != (doZH == "") {
			t.Errorf("%s: advice in one language only: %q and %q", f.Code, doEN, doZH)
		}
		for _, s := range []string{en, zh, doEN, doZH} {
			if hole.MatchString(s) {
				t.Errorf("%s: a hole in %q", f.Code, s)
			}
		}
	}
}

// Ensure that no code is left without words.
func TestEveryCodeIsWorded(t *testing.T) {
	codes := slices.Concat(source.Codes(), personas.Codes(), playtest.Codes(), plot.Codes(), worlds.Codes(), keymap.Codes())
	for _, code := range codes {
		for _, language := range []string{"en", "zh"} {
			if what, _ := lang.Fault(code, nil, language); what == code || what == "" {
				t.Errorf("%s is not worded in %s", code, language)
			}
		}
	}
}

// Ensure that every finding of `check` is worded in both languages, advice
// included.
func TestEveryFindingIsWorded(t *testing.T) {
	for _, code := range check.Codes() {
		en, doEN := lang.Finding(code, []string{"a", "b", "c"}, "en")
		zh, doZH := lang.Finding(code, []string{"a", "b", "c"}, "zh")
		if en == zh || doEN == "" || doZH == "" || hole.MatchString(en+zh+doEN+doZH) {
			t.Errorf("%s: %q, %q; %q, %q", code, en, doEN, zh, doZH)
		}
	}
}

func TestFault(t *testing.T) {
	for _, c := range []struct {
		code       string
		args       []string
		language   string
		what, todo string
	}{
		{"wrong_type", []string{"age", "whole number", "text", "seventy"}, "en", `field "age": expected whole number, got text "seventy"`, ""},
		{"wrong_type", []string{"age", "whole number", "list", ""}, "zh-Hant", `字段“age”：应为整数，却是列表`, ""},
		{"unknown_key", []string{"tabo", "taboo", "persona"}, "en", `unknown key "tabo" in persona`, `did you mean "taboo"?`},
		{"unknown_key", []string{"name\u00a0", "name", "persona"}, "en", `unknown key "name␣" in persona`, `did you mean "name"?`},
		{"unknown_key", []string{"zodiac", "", "persona"}, "zh", `人物 里没有“zodiac”这个键`, "用 `fabula schema` 查看可用的键"},
		{"syntax", []string{"quote", "brief: 'x"}, "en", "a quote that begins here is never closed", "close it"},
		{"syntax", []string{"tag", "!done"}, "en", "\"!done\" is a YAML tag, so the condition would be lost", "quote it, or write `not x`"},
		{"unknown_name", []string{"node", "ther", "there"}, "zh", "没有“ther”这个节点", "是不是“there”？"},
		{"variable_domain", []string{"int", "range", "5..1"}, "en", "the range 5..1 is empty", "make `min` the smaller one"},
		{"never_heard", []string{"x"}, "en", "never_heard x", ""},
	} {
		what, todo := lang.Fault(c.code, c.args, c.language)
		if what != c.what || todo != c.todo {
			t.Errorf("%s %v: got %q, %q, want %q, %q", c.code, c.args, what, todo, c.what, c.todo)
		}
	}
}
