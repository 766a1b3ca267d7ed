package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fabula/tui/screen"
)

// work is a task that a test drives.
type work struct {
	report chan [2]int
	end    chan error
}

func newWork() *work { return &work{make(chan [2]int, 4), make(chan error, 1)} }

func (w *work) task(id, title string) screen.Task {
	return screen.Task{ID: id, Title: title, Run: func(ctx context.Context, report func(int, int, string)) error {
		for {
			select {
			case r := <-w.report:
				report(r[0], r[1], "row by row")
			case err := <-w.end:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}}
}

// Ensure that a task is seen from every screen with how far it is and how long
// it goes on, and that its end is told.
func TestTask(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 30})
	b.Wait("Adu")
	w := newWork()
	b.Send(w.task("import", "import cards"))
	b.Wait("import cards")
	b.clock.Add(10 * time.Second)
	w.report <- [2]int{25, 100}
	b.Wait("25/100 · 0:10 · about 0:30 left · row by row")
	b.Exact(120, 30)
	b.Press("f6")
	b.Wait("25/100")
	b.Send(w.task("import", "import cards"))
	b.Wait("import cards is running already")
	w.end <- nil
	b.Wait("done: import cards (0:10)")
	b.Exact(120, 30)
}

// Ensure that a task ends by its key only when pressed twice, that a failure
// stays on screen, and that several have a row and a count.
func TestTaskCancelledAndFailed(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	one, two := newWork(), newWork()
	b.Send(one.task("a", "playtest"))
	b.Send(two.task("b", "build"))
	b.Wait("+1 more")
	b.Exact(80, 24)
	b.Press("ctrl+x")
	b.Wait("again cancels build")
	b.Press("ctrl+x")
	b.Wait("cancelled: build")
	one.end <- errors.New("disk full")
	b.Wait("playtest failed: disk full")
	b.Press("ctrl+x")
	b.Wait("no task is running")
}

// Ensure that quitting asks while a task runs.
func TestQuittingAsksForTasks(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Send(newWork().task("a", "playtest"))
	b.Press("esc", "q")
	b.Wait("tasks running: 1. Quitting cancels them")
	if b.Quit {
		t.Fatal("q quit at once")
	}
	b.Press("j", "q")
	if b.Quit {
		t.Fatal("q quit although another key came between")
	}
	b.Press("ctrl+c")
	if b.Quit {
		t.Fatal("ctrl+c quit at once")
	}
	b.Press("ctrl+c")
	if !b.Quit {
		t.Error("ctrl+c twice did not quit")
	}
}

// Ensure that a task that was cancelled by the palette is told to its screen.
func TestStopTask(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Send(newWork().task("a", "playtest"))
	b.Press("ctrl+p")
	b.Type("cancel playtest")
	b.Wait("cancel playtest")
	b.Press("enter")
	b.Wait("cancelled: playtest")
	if strings.Contains(b.Plain(), "0:00") {
		t.Errorf("its row is still there:\n%s", b.Plain())
	}
}
