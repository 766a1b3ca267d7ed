package runs

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story/playtest/play"
	"fabula/tui/screen"
)

// taskID is that of all runs: one batch at a time, so that a person who talks
// meanwhile waits for one turn at most.
const taskID = "runs"

// turns is how long a simulated player plays, firstSeed what a run without one
// begins with: as `fabula play` has it.
const (
	turns     = 12
	firstSeed = 1
)

// pullEvery is how often results are taken over.
const pullEvery = 200 * time.Millisecond

// pulled asks for the results so far.
type pulled struct{}

// batch is runs that are played one after the other. Their results wait for the
// screen under mu.
type batch struct {
	runs  []*run
	tasks []play.Task
	mu    sync.Mutex
	over  []outcome
	taken int // of over, by the screen
}

// outcome is what a run came to.
type outcome struct {
	result play.Result
	err    error
}

// start runs some in a task.
func (v *Runs) start(runs []*run) tea.Cmd {
	b := &batch{runs: runs}
	for _, r := range runs {
		r.waits = true
		t := play.Task{Playtest: r.test, Kind: r.kind, Turns: turns, Seed: firstSeed}
		if r.test != nil && r.test.Seed != nil {
			t.Seed = *r.test.Seed
		}
		b.tasks = append(b.tasks, t)
	}
	v.batch = b
	words, s := v.env.Text.Runs, v.env.Session
	title := fmt.Sprintf(words.Task, runs[0].name())
	if len(runs) > 1 {
		title = fmt.Sprintf(words.TaskAll, len(runs))
	}
	task := screen.Task{ID: taskID, Title: title, Run: func(ctx context.Context, report func(int, int, string)) error {
		for i, t := range b.tasks {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			report(i, len(b.tasks), t.Name())
			r, err := play.Play(ctx, s, t)
			b.mu.Lock()
			b.over = append(b.over, outcome{r, err})
			b.mu.Unlock()
		}
		return ctx.Err()
	}}
	return tea.Batch(func() tea.Msg { return task }, tick())
}

func tick() tea.Cmd { return tea.Tick(pullEvery, func(time.Time) tea.Msg { return pulled{} }) }

// collect takes over the results that are there.
func (v *Runs) collect() {
	b := v.batch
	b.mu.Lock()
	over := b.over
	b.mu.Unlock()
	if len(over) == b.taken {
		return
	}
	for ; b.taken < len(over); b.taken++ {
		r, o := b.runs[b.taken], over[b.taken]
		r.waits, r.err, r.result = false, o.err, &o.result
		if o.err != nil {
			r.result = nil
		}
	}
	v.lay()
}

func (v *Runs) pull() tea.Cmd {
	if v.batch == nil {
		return nil
	}
	v.collect()
	return tick()
}

// ended takes over what the last runs came to, and tells everybody that the tree
// has grown.
func (v *Runs) ended(m screen.TaskEnded) tea.Cmd {
	if m.ID != taskID || v.batch == nil {
		return nil
	}
	v.collect()
	for _, r := range v.batch.runs {
		r.waits = false
	}
	v.batch = nil
	return tea.Batch(v.load(), func() tea.Msg { return screen.Changed{} })
}
