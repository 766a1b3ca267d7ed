package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text"
)

// task is long work that runs. What it reported last is all that is kept.
type task struct {
	screen.Task
	began   time.Time
	cancel  context.CancelFunc
	stopped bool // the person cancelled it

	mu    sync.Mutex
	done  int
	total int
	words string
}

// beatFor is how often the row of a task is drawn anew.
const beatFor = 200 * time.Millisecond

// beat draws the row of a task anew.
type beat struct{}

func (t *task) report(done, total int, words string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done, t.total, t.words = done, total, words
}

func (t *task) read() (done, total int, words string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done, t.total, t.words
}

// undertake runs a task in a command.
func (a *app) undertake(t screen.Task) tea.Cmd {
	if a.running(t.ID) != nil {
		return a.show(screen.Toast{Text: fmt.Sprintf(a.env.Text.Task.Already, t.Title)})
	}
	ctx, cancel := context.WithCancel(a.ctx)
	r := &task{Task: t, began: a.env.Now(), cancel: cancel}
	a.tasks = append(a.tasks, r)
	a.working.Add(1)
	return tea.Batch(a.nextBeat(), func() tea.Msg {
		defer a.working.Done()
		defer cancel()
		return screen.TaskEnded{ID: t.ID, Err: t.Run(ctx, r.report)}
	})
}

// running gives the task of an id, nil when it does not run.
func (a *app) running(id string) *task {
	for _, t := range a.tasks {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// nextBeat draws again soon, while there are tasks.
func (a *app) nextBeat() tea.Cmd {
	if a.beating || len(a.tasks) == 0 {
		return nil
	}
	a.beating = true
	return tea.Tick(beatFor, func(time.Time) tea.Msg { return beat{} })
}

// taskEnded says how a task ended, and tells every screen.
func (a *app) taskEnded(m screen.TaskEnded) tea.Cmd {
	t := a.running(m.ID)
	if t == nil {
		return nil
	}
	for i, r := range a.tasks {
		if r == t {
			a.tasks = append(a.tasks[:i:i], a.tasks[i+1:]...)
		}
	}
	return tea.Batch(a.tellEnd(t, m.Err), a.broadcast(m))
}

func (a *app) tellEnd(t *task, err error) tea.Cmd {
	words := a.env.Text.Task
	switch {
	case t.stopped && errors.Is(err, context.Canceled):
		return a.yield(screen.Toast{Text: fmt.Sprintf(words.Cancelled, t.Title)})
	case err != nil:
		return a.show(screen.Toast{Text: fmt.Sprintf(words.Failed, t.Title, err), Error: true})
	}
	return a.yield(screen.Toast{Text: fmt.Sprintf(words.Done, t.Title, span(a.env.Now().Sub(t.began)))})
}

// stopTask cancels a task.
func (a *app) stopTask(id string) {
	if t := a.running(id); t != nil {
		t.stopped = true
		t.cancel()
	}
}

// cancelShown cancels the task whose row is shown, asked twice: an hour's work
// is not to end by a slip.
func (a *app) cancelShown() tea.Cmd {
	t := a.tasks[len(a.tasks)-1]
	if a.armed != "task.cancel" || a.asked != t {
		a.armed, a.asked = "task.cancel", t
		return a.show(screen.Toast{Text: fmt.Sprintf(a.env.Text.Task.CancelAsk, t.Title)})
	}
	a.armed = ""
	a.stopTask(t.ID)
	return nil
}

func (a *app) noTask() string {
	if len(a.tasks) == 0 {
		return a.env.Text.Task.None
	}
	return ""
}

// taskRow draws the task that was begun last: how far, how long, what it is at.
func (a *app) taskRow() string {
	th, t := a.env.Theme, a.tasks[len(a.tasks)-1]
	done, total, words := t.read()
	now := a.env.Now()
	parts := []string{th.Accent.Render(text.Line(t.Title))}
	if total > 0 {
		parts = append(parts, a.bar(done, total)+fmt.Sprintf(" %d/%d", done, total))
	} else if done > 0 {
		parts = append(parts, fmt.Sprint(done))
	}
	parts = append(parts, span(now.Sub(t.began)))
	if left, ok := remaining(now.Sub(t.began), done, total); ok {
		parts = append(parts, fmt.Sprintf(a.env.Text.Task.Left, span(left)))
	}
	if t.stopped {
		words = a.env.Text.Task.Stopping
	}
	if words != "" {
		parts = append(parts, th.Dim.Render(text.Line(words)))
	}
	keys := a.env.Text.Keys.CancelTask
	right := th.Key.Render(a.keyOf("task.cancel")) + " " + th.Dim.Render(keys.Name) + " "
	if n := len(a.tasks) - 1; n > 0 {
		right = th.Dim.Render(fmt.Sprintf(a.env.Text.Task.More, n)) + "  " + right
	}
	left := " " + strings.Join(parts, th.Dim.Render(" "+th.Signs.Bullet+" "))
	return text.Fit(left, max(a.w-text.Width(right)-1, 0), th.Signs.Ellipsis) + " " + right
}

// barWidth is how many columns the bar of a task has.
const barWidth = 10

func (a *app) bar(done, total int) string {
	th := a.env.Theme
	n := max(min(barWidth*done/total, barWidth), 0)
	return th.Accent.Render(strings.Repeat(th.Signs.Bar, n)) + th.Rule.Render(strings.Repeat(th.Signs.Bullet, barWidth-n))
}

// estimateAfter is how long a task runs before what is left is guessed.
const estimateAfter = 2 * time.Second

// remaining guesses how long a task goes on, from how long it took so far.
func remaining(elapsed time.Duration, done, total int) (time.Duration, bool) {
	if elapsed < estimateAfter || done < 1 || done >= total {
		return 0, false
	}
	return time.Duration(float64(elapsed) / float64(done) * float64(total-done)), true
}

// span writes a duration as minutes and seconds, with hours where there are any.
func span(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// patience is how long tasks have to tidy up when the workbench ends.
const patience = 3 * time.Second

// finish waits for the tasks that were cancelled by the workbench's end.
func (a *app) finish() {
	over := make(chan struct{})
	a.crash.Go(func() {
		a.working.Wait()
		close(over)
	})
	select {
	case <-over:
	case <-time.After(patience):
	}
}
