package screen

import "context"

// Task asks the frame to do long work beside everything else: an import, a
// build, a playtest, an export. The frame shows how it goes on and cancels it
// when the person asks; leaving the screen that began it does not. A task with
// the ID of one that runs is refused.
//
// Run works in a goroutine of its own until it is done or ctx ends, and must end
// soon after ctx. It tells report how much of how much is done, total 0 where
// that is not known, and in a few words what it is at; report may be called as
// often as is convenient.
type Task struct {
	ID, Title string
	Run       func(ctx context.Context, report func(done, total int, words string)) error
}

// TaskEnded tells every screen that a task is over. Err is nil when it was done,
// and wraps context.Canceled when it was cancelled.
type TaskEnded struct {
	ID  string
	Err error
}

// StopTask asks the frame to cancel a task, without asking the person again.
type StopTask struct{ ID string }
