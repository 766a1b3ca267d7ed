package tui_test

import "testing"

// Ensure that the beats of a turn are listed with what was made of them, and
// that a person's word on one is taken beside the old turn.
func TestDecideABeat(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("hello", "ctx 126")
	b.Press("esc", "B")
	b.Wait("beats of this turn")
	b.Wait("landing.gives  not noticed")
	b.Press("+")
	b.Wait("landing.gives is decided")
	b.idle()
	b.Press("B")
	b.Wait("landing.gives  happened")
	b.Press("+")
	b.Wait("it is so already")
	b.Press("-")
	b.idle()
	b.Press("B")
	b.Wait("landing.gives  not noticed")
	b.Press("esc")
}
