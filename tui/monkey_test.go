package tui_test

import (
	"math/rand/v2"
	"testing"
)

// Ensure that no order of keys, texts and sizes breaks the frame or the program.
func TestMonkey(t *testing.T) {
	t.Parallel()
	keys := []string{"enter", "esc", "tab", "backspace", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "f1", "f2", "f3", "f4", "f5", "f6", "f3", "f4", "f6", "alt+c",
		"ctrl+j", "ctrl+n", "ctrl+u", "alt+enter", "alt+0", "alt+1", "alt+2", "alt+3", "0", "1", "2", "r", "[", "]", "b", "m", "n", "e", "y", "j", "k", "g", "G", "i",
		"t", "d", "z", "o", "s", "v", "c", " ", "u", "U", "/", "a", "l", "h", ".", "？", "中文", "@q", "here are the herbs", "cellar", "yes", "灯", "\u202e\x1b[2J", "👨‍👩‍👧"}
	sizes := [][2]int{{60, 16}, {80, 24}, {99, 30}, {100, 30}, {120, 40}, {200, 60}, {10, 3}}
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 7))
		b := open(t, setting{lang: []string{"en", "zh"}[seed%2], theme: "dark", ascii: seed == 2})
		w, h := 80, 24
		for range 80 {
			if rng.IntN(12) == 0 {
				s := sizes[rng.IntN(len(sizes))]
				w, h = s[0], s[1]
				b.Resize(w, h)
			}
			k := keys[rng.IntN(len(keys))]
			b.Press(k)
			if b.Quit {
				break
			}
			b.Exact(w, h)
			if t.Failed() {
				t.Fatalf("seed %d, after %q:\n%s", seed, k, b.Plain())
			}
		}
	}
}
