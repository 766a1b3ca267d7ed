package personas_test

import (
	"testing"

	"fabula/personas"
)

func TestText(t *testing.T) {
	plain := personas.Text{Plain: "x"}
	both := personas.Text{By: map[string]string{"zh": "甲", "en": "a"}}
	same := personas.Text{By: map[string]string{"zh": "OK", "en": "OK"}}
	for _, c := range []struct{ what, got, want string }{
		{"plain in any language", plain.In("zh"), "x"},
		{"asked for", both.In("zh"), "甲"},
		{"fallback in order", both.In("fr", "de", "zh", "en"), "甲"},
		{"first by code", both.In("fr"), "a"},
		{"nothing", personas.Text{}.In("en"), ""},
		{"languages", said(both.Languages(), plain.Languages()), "[en zh] []"},
		{"all", said(both.All(), plain.All(), same.All()), "[a 甲] [x] [OK]"},
		{"empty", said(personas.Text{}.Empty(), plain.Empty(), both.Empty()), "true false false"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}
