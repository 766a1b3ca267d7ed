//go:build llama

package gguf_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fabula/engine/gguf"
)

// gang is a team whose threads wait for each other without end while crowded,
// unless there is one only.
type gang struct {
	now     int   // threads of a prompt
	ran     []int // threads of every run
	crowded bool
	hurry   atomic.Bool
}

func (g *gang) Threads(_, prompt int) { g.now = prompt }
func (g *gang) Hurry(on bool)         { g.hurry.Store(on) }
func (g *gang) Hurried() bool         { return g.hurry.Swap(false) }

func (g *gang) run() int {
	g.ran = append(g.ran, g.now)
	for g.crowded && g.now > 1 {
		if g.hurry.Load() {
			return 2
		}
		time.Sleep(time.Millisecond)
	}
	return 0
}

func TestCrowd(t *testing.T) {
	const threads = 4
	c, g := gguf.NewCrowd(threads, 100*time.Microsecond), &gang{now: threads}
	steps := []struct {
		name    string
		crowded bool
		tokens  int
		later   bool
		ran     []int
	}{
		{"nobody else", false, 32, false, []int{4}},
		{"others want the cores", true, 32, false, []int{4, 1}},
		{"they still do", true, 32, false, []int{1}},
		{"gone, but who knows", false, 32, false, []int{1}},
		{"later", false, 32, true, []int{4}},
		{"and again", true, 32, false, []int{4, 1}},
	}
	for _, s := range steps {
		g.crowded, g.ran = s.crowded, nil
		if s.later {
			c.Later()
		}
		if rc := c.Decode(g, s.tokens, g.run); rc != 0 || !slices.Equal(g.ran, s.ran) {
			t.Errorf("%s: returned %d after runs with %v threads, want %v", s.name, rc, g.ran, s.ran)
		}
	}
}

// What stops a batch for another reason is told, and does not count as a crowd.
func TestCrowdPassesOn(t *testing.T) {
	c, g := gguf.NewCrowd(4, time.Second), &gang{now: 4}
	for _, want := range []int{1, 2, -1} {
		runs := 0
		if rc := c.Decode(g, 32, func() int { runs++; return want }); rc != want || runs != 1 || g.now != 4 {
			t.Errorf("%d became %d in %d runs, %d threads", want, rc, runs, g.now)
		}
	}
}

// A batch that was done just as time ran out stands.
func TestCrowdTooLate(t *testing.T) {
	c, g := gguf.NewCrowd(4, time.Microsecond), &gang{now: 4}
	runs := 0
	done := func() int {
		for runs++; !g.hurry.Load(); time.Sleep(time.Millisecond) {
		}
		return 0
	}
	if rc := c.Decode(g, 32, done); rc != 0 || runs != 1 || g.now != 4 || g.hurry.Load() {
		t.Errorf("returned %d after %d runs, %d threads, still in a hurry: %v", rc, runs, g.now, g.hurry.Load())
	}
}

// Sequences that decode together use the threads that are faster just now, and
// find out when that changes.
func TestHabit(t *testing.T) {
	c, g := gguf.NewCrowd(4, time.Millisecond), &gang{now: 4}
	slow := 0 // the number of threads that is slow
	run := func() int {
		g.ran = append(g.ran, g.now)
		if g.now == slow {
			time.Sleep(4 * time.Millisecond)
		} else {
			time.Sleep(time.Millisecond)
		}
		return 0
	}
	share := func(n int) float64 {
		g.ran = nil
		for range n {
			c.Decode(g, 4, run)
		}
		many := 0
		for _, threads := range g.ran {
			if threads == 4 {
				many++
			}
		}
		return float64(many) / float64(n)
	}
	slow = 1
	if got := share(60); got < 0.9 {
		t.Errorf("%.2f of the passes with the threads that help", got)
	}
	slow = 4
	if got := share(120); got > 0.3 {
		t.Errorf("%.2f of the passes with threads that wait for each other", got)
	}
	slow = 1
	if got := share(300); got < 0.5 {
		t.Errorf("%.2f of the passes with the threads that help again", got)
	}
}
