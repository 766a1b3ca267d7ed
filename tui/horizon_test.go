package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"fabula/engine/scripted"
)

// Ensure that the place is shown above which an NPC knows only what comes back
// to it, and nowhere else.
func TestMemoryEndsInSight(t *testing.T) {
	t.Parallel()
	small, err := scripted.Parse([]byte("engine small\nwindow 600\nreply\n  say \"Look at the water.\" 1ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, setting{w: 100, h: 60, engine: small})
	b.Wait("Adu")
	const words = "follows from here"
	for i := range 14 {
		if i == 2 && strings.Contains(b.Plain(), words) {
			t.Fatalf("memory ends after two turns:\n%s", b.Plain())
		}
		b.say(fmt.Sprintf("the rain goes on and on over the river and the far shore is gone, day %d of it", i), "water")
	}
	b.Wait("Adu " + words)
	if n := strings.Count(b.Plain(), words); n != 1 {
		t.Errorf("%d lines:\n%s", n, b.Plain())
	}
	b.Exact(100, 60)
}
