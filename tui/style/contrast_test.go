package style_test

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/muesli/termenv"

	"fabula/tui/style"
)

// rgb is a colour in sRGB, each part from 0 to 1.
type rgb [3]float64

// known gives what a colour of a terminal looks like.
func known(c termenv.Color) rgb {
	x := termenv.ConvertToRGB(c)
	return rgb{x.R, x.G, x.B}
}

// luminance is the relative luminance of a colour by WCAG 2.2: 0 for black, 1 for
// white.
func luminance(c rgb) float64 {
	linear := func(x float64) float64 {
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// contrast is the contrast ratio of two colours by WCAG 2.2: 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// backgrounds are those of terminals' usual themes: fabula sets none itself.
var backgrounds = map[string][]string{
	"dark":  {"#000000", "#16181d", "#1e1e1e", "#1e1e2e", "#282c34"},
	"light": {"#ffffff", "#fafafa", "#f6f6f6"},
}

var (
	trueColour = regexp.MustCompile(`38;2;(\d+);(\d+);(\d+)m`)
	indexed    = regexp.MustCompile(`38;5;(\d+)m`)
)

// colour is the foreground that a style sets; ok is false where it leaves the
// terminal's own.
func colour(t *testing.T, s style.Style) (c rgb, ok bool) {
	t.Helper()
	drawn := s.Render("x")
	if m := trueColour.FindStringSubmatch(drawn); m != nil {
		for i := range c {
			n, err := strconv.Atoi(m[i+1])
			if err != nil {
				t.Fatal(err)
			}
			c[i] = float64(n) / 255
		}
		return c, true
	}
	if m := indexed.FindStringSubmatch(drawn); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		return known(termenv.ANSI256Color(n)), true
	}
	return c, false
}

// styles gives every style of a theme by its name.
func styles(th style.Theme) map[string]style.Style {
	all, v := map[string]style.Style{}, reflect.ValueOf(th)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(style.Style); ok {
			all[v.Type().Field(i).Name] = s
		}
	}
	return all
}

// Ensure that every colour of both themes can be read on every usual background:
// 4.5 to 1, which WCAG 2.2 asks for text, also where 256 colours are all there is.
func TestContrast(t *testing.T) {
	for theme, behind := range backgrounds {
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			coloured := 0
			for name, s := range styles(style.For(style.Choice{Name: theme}, p, "")) {
				fg, ok := colour(t, s)
				if !ok {
					continue
				}
				coloured++
				for _, hex := range behind {
					if got := contrast(fg, known(termenv.RGBColor(hex))); got < 4.5 {
						t.Errorf("%s, %s: %s %q on %s is %.2f to 1", theme, p.Name(), name, s.Render("x"), hex, got)
					}
				}
			}
			if coloured < 10 {
				t.Errorf("%s, %s: %d styles have a colour", theme, p.Name(), coloured)
			}
		}
	}
}

// Ensure that without colours nothing but bold, underline and reverse is sent, and
// with 16 only those that every terminal has; the gallery of the workbench is drawn
// without colours, so that what it tells needs none.
func TestFewColours(t *testing.T) {
	allowed := map[termenv.Profile]*regexp.Regexp{
		termenv.Ascii: regexp.MustCompile(`^(\x1b\[[147]mx\x1b\[m|x)$`),
		termenv.ANSI:  regexp.MustCompile(`^(\x1b\[([147]|(1;)?(3|9)[0-7])mx\x1b\[m|x)$`),
	}
	for p, want := range allowed {
		for _, theme := range []string{"dark", "light"} {
			for name, s := range styles(style.For(style.Choice{Name: theme}, p, "")) {
				if drawn := s.Render("x"); !want.MatchString(drawn) {
					t.Errorf("%s, %s: %s sends %s", theme, p.Name(), name, fmt.Sprintf("%q", drawn))
				}
			}
		}
	}
}
