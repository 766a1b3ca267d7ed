package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"fabula/engine"
)

// turns is a talk with an NPC whose persona fills most of the prompt.
func turns(npc int, lines ...string) engine.Request {
	r := ask("")
	r.Messages = []engine.Message{{Role: engine.System, Parts: []string{strings.Repeat(fmt.Sprint("persona ", npc, " "), 30)}}}
	for i, l := range lines {
		role := engine.User
		if i%2 == 1 {
			role = engine.Assistant
		}
		r.Messages = append(r.Messages, engine.Message{Role: role, Parts: []string{l}})
	}
	return r
}

// spelt is a prompt as the fake's tokens: one a byte, control tokens apart.
func spelt(r engine.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "<%s\n%s>\n", m.Role, strings.Join(m.Parts, ""))
	}
	return b.String() + "<assistant\n"
}

func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Only what differs is computed: along a branch, for a fork, a retry, an edited
// turn, the return to a sibling, and for NPCs that speak in turns. With one NPC
// more than there are sequences, the one that was silent longest is given up.
func TestOnlyWhatDiffersIsComputed(t *testing.T) {
	c := start(t, "seqs=8")
	said := strings.Repeat("a long line of the player's about the lamp, the sea and the fox. ", 2)
	root := turns(1, said+"say:I lit it. I always do, every night, whoever asks.")
	next := turns(1, said+"say:I lit it. I always do, every night, whoever asks.", "I lit it. I always do, every night, whoever asks.", "say:Because of the boats.")
	fork := turns(1, said+"say:I lit it. I always do, every night, whoever asks.", "I lit it. I always do, every night, whoever asks.", "Did nobody help you? say:Nobody.")
	edited := turns(1, "Another beginning altogether, "+said+"say:Who are you?")
	steps := []struct {
		name  string
		r     engine.Request
		after string // the prompt, with its reply, that shares most
	}{
		{"cold", root, ""},
		{"along the branch", next, spelt(root) + "I lit it. I always do, every night, whoever asks."},
		{"fork", fork, spelt(next)},
		{"retry", fork, spelt(fork)},
		{"edited turn", edited, spelt(root)},
		{"back to the sibling", next, spelt(next)},
		{"back to the root", root, spelt(root)},
		{"another NPC", turns(2, said+"say:Two."), ""},
		{"a third", turns(3, said+"say:Three."), ""},
		{"the first again", fork, spelt(fork)},
		{"the second again", turns(2, said+"say:Two."), spelt(turns(2, said+"say:Two."))},
		{"the third again", turns(3, said+"say:Three."), spelt(turns(3, said+"say:Three."))},
	}
	for _, s := range steps {
		got := generate(t, c, s.r)
		prompt := spelt(s.r)
		reused := min(max(shared(s.after, prompt), shared(spelt(turns(1)), prompt)), len(prompt)-1)
		if s.name == "cold" {
			reused = 0
		}
		if got.prefill.Reused != reused || got.prefill.Computed != len(prompt)-reused {
			t.Errorf("%s: computed %d, reused %d; want %d, %d", s.name, got.prefill.Computed, got.prefill.Reused, len(prompt)-reused, reused)
		}
	}
}

func TestLeastRecentlyUsedGoesFirst(t *testing.T) {
	c := start(t, "seqs=3")
	if k := c.Info().Kept; k.Prompts != 0 {
		t.Errorf("kept before the model is open: %+v", k)
	}
	cold := func(npc int) bool {
		got := generate(t, c, turns(npc, "say:yes"))
		return got.prefill.Reused < 30 // of the first words, which all share
	}
	for i, want := range []struct {
		npc  int
		cold bool
	}{{1, true}, {2, true}, {3, true}, {1, false}, {2, false}, {3, false}, {4, true}, {3, false}, {2, false}, {4, false}, {1, true}} {
		if got := cold(want.npc); got != want.cold {
			t.Errorf("step %d, NPC %d: cold %v", i, want.npc, got)
		}
	}
	if k := c.Info().Kept; k.Prompts != 3 || k.Bytes != 3*2048 {
		t.Errorf("kept %+v", k)
	}
}
