package style_test

import (
	"reflect"
	"testing"

	"github.com/muesli/termenv"

	"fabula/tui/style"
	"fabula/tui/text"
)

func TestProfiles(t *testing.T) {
	for _, tc := range []struct {
		name    string
		profile termenv.Profile
		want    string
	}{
		{"true colour", termenv.TrueColor, "\x1b[1;38;2;255;123;143mx\x1b[m"},
		{"16 colours", termenv.ANSI, "\x1b[1;91mx\x1b[m"},
		{"none", termenv.Ascii, "\x1b[1mx\x1b[m"},
	} {
		if got := style.For(style.Choice{}, tc.profile, "").Error.Render("x"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestBackgroundFromEnvironment(t *testing.T) {
	dark := style.For(style.Choice{}, termenv.TrueColor, "15;0")
	light := style.For(style.Choice{}, termenv.TrueColor, "0;15")
	asked := style.For(style.Choice{Name: "light"}, termenv.TrueColor, "15;0")
	if dark.NPC == light.NPC || light.NPC != asked.NPC {
		t.Errorf("dark %v, light %v, asked %v", dark.NPC, light.NPC, asked.NPC)
	}
}

// Ensure that every sign takes one column, in both sets.
func TestSignsAreOneColumn(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		v := reflect.ValueOf(style.For(style.Choice{ASCII: ascii}, termenv.Ascii, "").Signs)
		for i := range v.NumField() {
			if s, ok := v.Field(i).Interface().(string); ok && text.Width(s) != 1 {
				t.Errorf("ascii %v: %s %q is %d wide", ascii, v.Type().Field(i).Name, s, text.Width(s))
			}
		}
	}
}

func TestEmptyTextStaysEmpty(t *testing.T) {
	if got := style.For(style.Choice{}, termenv.TrueColor, "").Dim.Render(""); got != "" {
		t.Errorf("%q", got)
	}
}
