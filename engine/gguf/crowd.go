//go:build llama

package gguf

import (
	"sync"
	"time"
)

// aborted is what a run returns that was stopped.
const aborted = 2

// crowd takes a prompt's extra threads away for a while when a batch takes far
// longer than measured: another program wants the cores, and threads that wait
// for each other can take a hundred times as long. The batch is then run anew;
// its result does not depend on the number of threads.
type crowd struct {
	best  timing    // as measured at load
	fixed bool      // a run that was stopped cannot be run anew: the model does not wind back
	alone time.Time // until then prompts do without their extra threads
	lean  bool      // they do now
	habit habit
}

// quiet is how long a prompt does without its extra threads once others wanted
// the cores.
const quiet = 10 * time.Second

// team is what does the work; model implements it.
type team interface {
	threads(step, prompt int) error
	hurry(on bool) // stops the run of now
	hurried() bool // says whether that was asked for, and forgets it
}

// decode runs n tokens at a depth and returns what run returned.
func (c *crowd) decode(t team, at, n int, run func() int) int {
	if n == 1 || c.fixed || c.best.promptThreads <= c.best.stepThreads {
		return run()
	}
	many := n > few || c.habit.many(n)
	if time.Now().Before(c.alone) {
		many = false
	}
	c.staff(t, many)
	start := time.Now()
	if !many {
		rc := run()
		c.habit.note(n, many, rc, time.Since(start))
		return rc
	}
	rc := watched(t, c.patience(at, n), run)
	if !t.hurried() || rc != aborted {
		c.habit.note(n, many, rc, time.Since(start))
		return rc
	}
	c.alone = time.Now().Add(quiet)
	c.staff(t, false)
	return run()
}

// staff gives prompts their extra threads or takes them away.
func (c *crowd) staff(t team, many bool) {
	if many == !c.lean {
		return
	}
	c.lean = !many
	if many {
		_ = t.threads(c.best.stepThreads, c.best.promptThreads) // both ran at load
	} else {
		_ = t.threads(c.best.stepThreads, c.best.stepThreads)
	}
}

// few is the most tokens of a pass whose threads are chosen by habit: sequences
// that decode together. On a machine that is shared, threads that wait for each
// other at every layer soon cost more than they bring.
const few = 16

// habit remembers how long passes of a few tokens took with and without extra
// threads, and tries the slower way now and then.
type habit [few + 1]struct {
	took [2]float64 // seconds, moving means: without, with
	runs int
}

const (
	again = 48  // passes until the slower way is tried again
	newer = 0.3 // weight of the newest time
)

func index(many bool) int {
	if many {
		return 1
	}
	return 0
}

// many says how to run the next pass of n tokens.
func (h *habit) many(n int) bool {
	e := &h[n]
	e.runs++
	better := e.took[1] <= e.took[0] // either may be 0: not tried
	if e.took[0] == 0 {
		better = e.took[1] == 0
	}
	if e.took[0] > 0 && e.took[1] > 0 && e.runs%again == 0 {
		return !better
	}
	return better
}

func (h *habit) note(n int, many bool, rc int, took time.Duration) {
	if n > few || rc != 0 {
		return
	}
	mean := &h[n].took[index(many)]
	if *mean == 0 {
		*mean = took.Seconds()
		return
	}
	*mean += newer * (took.Seconds() - *mean)
}

// watched runs and, when that takes longer than limit, hurries.
func watched(t team, limit time.Duration, run func() int) int {
	var mu sync.Mutex
	over := false
	late := time.AfterFunc(limit, func() {
		mu.Lock()
		defer mu.Unlock()
		t.hurry(!over)
	})
	rc := run()
	late.Stop()
	mu.Lock()
	over = true // a timer that fires now must not stop the next run
	mu.Unlock()
	return rc
}

// patience is how long n tokens at a depth may take with a prompt's extra
// threads: four times what was measured, more the deeper.
func (c *crowd) patience(at, n int) time.Duration {
	measured := c.best.prompt * time.Duration(n) / probe
	return 4*measured*time.Duration(1000+at)/1000 + 20*time.Millisecond
}
