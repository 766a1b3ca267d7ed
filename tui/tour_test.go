package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"fabula/tui"
	"fabula/tui/text/lang"
)

// Ensure that each step of the tour has its words in both languages, and waits
// for what it asks for.
func TestTour(t *testing.T) {
	t.Parallel()
	for _, l := range []string{"en", "zh"} {
		if got := len(lang.For(l).Tour.Steps); got != tui.TourSteps() {
			t.Errorf("%s has words for %d steps of %d", l, got, tui.TourSteps())
		}
	}
	b := open(t, setting{w: 120, h: 40, tour: true})
	b.Wait("ctrl+t begins a short tour")
	b.Press("ctrl+t")
	b.Wait("Tour 1/13")
	b.Press("esc", "i")
	b.Wait("Tour 1/13") // that was not it
	b.say("hello", "water")
	for i, keys := range [][]string{{"alt+1"}, {"esc"}, {"r"}, {"["}, {"b"}, {"f9"}, {"f6"}, {"f4"}, {"ctrl+p", "esc"}, {"f2"}, {"a"}} {
		b.Wait(fmt.Sprintf("Tour %d/13", i+2))
		b.Exact(120, 40)
		if i == 2 {
			b.idle()
			b.Press("k")
		}
		b.Press(keys...)
		b.idle()
	}
	b.Wait("That was the tour")
	if strings.Contains(b.Plain(), "{") {
		t.Errorf("a key is not named:\n%s", b.Plain())
	}
	b.Press("alt+t")
	if strings.Contains(b.Plain(), "Tour") {
		t.Errorf("it is still there:\n%s", b.Plain())
	}
}

// Ensure that a step waits for its own row, not for one of the screen that it
// leads to, and that who skips the last step once too often is asked before the
// tour begins anew.
func TestTourStepsWaitForTheirRow(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, tour: true})
	b.Wait("ctrl+t begins a short tour")
	for range 9 {
		b.Press("ctrl+t")
	}
	b.Wait("Tour 9/13")
	b.Press("esc", "f6", "f4", "f4")
	b.Wait("Tour 10/13")
	for range 4 {
		b.Press("ctrl+t")
	}
	if strings.Contains(b.Plain(), "Tour 1") {
		t.Errorf("it is still there:\n%s", b.Plain())
	}
	b.Press("ctrl+t")
	b.Wait("once more begins it again")
	b.Press("ctrl+t")
	b.Wait("Tour 1/13")
}

// Ensure that the tour is offered once, also when it was declined, and that it
// begins by t on the world's screen all the same.
func TestTourIsOfferedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{dir: dir, tour: true})
	b.Wait("begins a short tour")
	b.Press("alt+t")
	b.save()
	b.close(t)
	b = open(t, setting{dir: dir, tour: true})
	b.Wait("Adu")
	if strings.Contains(b.Plain(), "begins a short tour") {
		t.Errorf("offered a second time:\n%s", b.Plain())
	}
	b.Press("f2", "t")
	b.Wait("Tour 1/13")
	b.close(t)
	b = open(t, setting{})
	b.Press("f2", "t")
	b.Wait("the tour is in the demo world")
}

// Ensure that a step takes no more rows than there are, at every size.
func TestTourFits(t *testing.T) {
	t.Parallel()
	for _, l := range []string{"en", "zh"} {
		for _, size := range everySize {
			b := open(t, setting{w: size.w, h: size.h, lang: l, tour: true})
			b.Wait("ctrl+t")
			b.Press("ctrl+t")
			for range tui.TourSteps() {
				b.Exact(size.w, size.h)
				if strings.Contains(b.Plain(), "{") {
					t.Errorf("a key is not named:\n%s", b.Plain())
				}
				b.Press("ctrl+t")
			}
		}
	}
}
