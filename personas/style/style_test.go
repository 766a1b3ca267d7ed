package style_test

import (
	"testing"

	"fabula/personas/style"
	"fabula/worlds"
)

// Ensure that a persona's own lines are nearer to its profile than others' are, in
// both languages of the demo, for every persona.
func TestOwnLinesAreNearest(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "zh"} {
		for _, p := range w.Script.Personas {
			own := style.NewProfile(style.Lines(p, lang))
			if !own.Known() {
				t.Fatalf("%s has %d lines", p.ID, own.N)
			}
			mine, others, n := 0.0, 0.0, 0
			for _, l := range style.Lines(p, lang) {
				mine += own.Distance(l) / float64(own.N)
			}
			for _, q := range w.Script.Personas {
				for _, l := range style.Lines(q, lang) {
					if q != p {
						others, n = others+own.Distance(l), n+1
					}
				}
			}
			if others /= float64(n); mine >= others || mine > 1.1 {
				t.Errorf("%s, %s: own lines at %.2f, others' at %.2f", p.ID, lang, mine, others)
			}
		}
	}
}

// Ensure that what is written otherwise is far, and that nothing is said of a
// persona with hardly a line, or of no text.
func TestDistance(t *testing.T) {
	terse := style.NewProfile([]string{"No.", "Rain.", "Go on.", "Not yet.", "Sit down."})
	loud := "Oh my goodness, you absolutely won't believe it!!! I'm so happy, I can't even, we'll have 100 parties, right?! It's amazing, isn't it?"
	if d := terse.Distance(loud); d < 2 {
		t.Errorf("a loud line is at %.2f", d)
	}
	if d := terse.Distance("Go."); d > 1.5 {
		t.Errorf("a terse line is at %.2f", d)
	}
	if d := style.NewProfile([]string{"No."}).Distance(loud); d != 0 || terse.Distance(" ") != 0 {
		t.Errorf("known of nothing: %.2f", d)
	}
}
