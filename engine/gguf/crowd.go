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
	if !c.alone.IsZero() {
		if time.Now().Before(c.alone) {
			return run()
		}
		c.alone = time.Time{}
		_ = t.threads(c.best.stepThreads, c.best.promptThreads) // both ran at load
	}
	rc := watched(t, c.patience(at, n), run)
	if !t.hurried() || rc != aborted {
		return rc
	}
	c.alone = time.Now().Add(quiet)
	_ = t.threads(c.best.stepThreads, c.best.stepThreads)
	return run()
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
