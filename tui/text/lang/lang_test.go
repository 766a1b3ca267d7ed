package lang_test

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"fabula/personas/lint"
	"fabula/tui/text/lang"
)

// walk calls visit with the path and value of every string below v.
func walk(path string, v reflect.Value, visit func(string, string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(path+"."+v.Type().Field(i).Name, v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i), visit)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			walk(fmt.Sprintf("%s[%s]", path, k), v.MapIndex(k), visit)
		}
	case reflect.String:
		visit(path, v.String())
	}
}

func collect(code string) map[string]string {
	all := map[string]string{}
	walk(code, reflect.ValueOf(*lang.For(code)), func(path, s string) { all[path[len(code):]] = s })
	return all
}

var verb = regexp.MustCompile(`%[^%]`)

// Ensure that nothing is left unsaid in either language, and that both take
// the same arguments.
func TestEveryFieldIsSaidInBothLanguages(t *testing.T) {
	en, zh := collect("en"), collect("zh")
	if len(en) != len(zh) {
		t.Errorf("en has %d strings, zh %d", len(en), len(zh))
	}
	for path, s := range en {
		other, ok := zh[path]
		if s == "" || !ok || other == "" {
			t.Errorf("%s: en %q, zh %q", path, s, other)
		}
		if a, b := verb.FindAllString(s, -1), verb.FindAllString(other, -1); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: en takes %v, zh %v", path, a, b)
		}
	}
}

func TestFor(t *testing.T) {
	for code, want := range map[string]string{"zh_CN.UTF-8": "zh", "zh": "zh", "en": "en", "": "en", "C.utf8": "en"} {
		if got := lang.For(code).Code; got != want {
			t.Errorf("For(%q) = %s, want %s", code, got, want)
		}
	}
}

// Ensure that every rule about replies has a name, and each of its findings
// words, in both languages.
func TestEveryRuleIsWorded(t *testing.T) {
	for _, code := range lint.Codes() {
		for _, l := range []string{"en", "zh"} {
			s := lang.For(l)
			if s.Rule(code) == code || s.Findings[code] == "" {
				t.Errorf("%s is not worded in %s", code, l)
			}
		}
	}
}
