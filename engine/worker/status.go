package worker

import (
	"fmt"
	"time"

	"fabula/engine"
)

// State says what the child is doing.
type State string

// The states of a worker.
const (
	Loading State = "loading" // the child starts or reads the model
	Ready   State = "ready"
	Waiting State = "waiting" // it crashed and will be started again
	Failed  State = "failed"  // it will not be started again; Status.Err says why
	Closed  State = "closed"
)

// Status is the health of a worker at one moment.
type Status struct {
	State    State
	Progress float64       // of Loading, 0..1
	Load     time.Duration // how long the last load took
	PID      int           // of the living child, else 0
	Since    time.Time     // when that child was started
	Restarts int
	Err      error // of the last crash or refusal
}

// crash is the end of a child that nobody asked for.
type crash struct {
	what string // "died: signal: killed"
	log  string // where its output went, if known
}

// killed is what the system says of a process that a signal KILL ended which we
// did not send: most often the kernel, for want of memory.
const killed = "died: signal: killed"

// Is tells a crash from other errors, and the kernel's kill from a crash.
func (c *crash) Is(target error) bool {
	return target == engine.ErrCrashed || target == engine.ErrMemory && c.what == killed
}

func (c *crash) Error() string {
	if c.log == "" {
		return "worker " + c.what
	}
	return fmt.Sprintf("worker %s (see %s)", c.what, c.log)
}
