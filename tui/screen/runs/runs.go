// Package runs is the screen of playtests and simulated players: what they came
// to, what did not come true and where.
//
// Non-goals: playing (story/playtest/play); reports in files (`fabula play`).
package runs

import (
	"cmp"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/playtest"
	"fabula/story/playtest/play"
	"fabula/story/playtest/players"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Runs is the screen. Its methods are called from one goroutine.
type Runs struct {
	env  *screen.Env
	w, h int

	all   []*run // playtests, then players
	tests int    // how many of all are playtests
	past  []stored
	lines []line
	list  widget.List
	batch *batch // runs that are on their way

	gen  int
	read bool
	err  error
}

// run is something that can be run, and what it came to last.
type run struct {
	test   *playtest.Playtest // nil: kind plays from the start
	kind   string
	waits  bool
	result *play.Result // nil: it was not run here yet
	err    error        // why it could not begin
}

func (r *run) name() string {
	if r.test != nil {
		return r.test.ID
	}
	return r.kind
}

func (r *run) failed() bool { return r.err != nil || r.result != nil && r.result.Failed() }

// stored is a run of before, as its branch tells it: playtests leave no other
// trace in the store.
type stored struct {
	branch story.Branch
	node   string
	turn   int
}

// line is one row of the list: a heading, a run, one of its failures, or a run
// of before. Just one of run, past and title is set.
type line struct {
	title   string
	run     *run
	failure int // of run; -1 = the run itself
	past    *stored
}

// New makes the screen.
func New(env *screen.Env) *Runs {
	v := &Runs{env: env}
	v.lay()
	return v
}

// SetSize sets columns and rows.
func (v *Runs) SetSize(w, h int) { v.w, v.h = w, h }

// Typing is never so.
func (v *Runs) Typing() bool { return false }

// Cursor is never shown.
func (v *Runs) Cursor() (x, y int, show bool) { return 0, 0, false }

// Shown reads the world's playtests and what was played before.
func (v *Runs) Shown() tea.Cmd { return v.load() }

// Update takes one message.
func (v *Runs) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return v.key(m)
	case tea.MouseMsg:
		return v.mouse(m)
	case screen.Changed:
		return v.load()
	case loaded:
		v.take(m)
	case pulled:
		return v.pull()
	case screen.TaskEnded:
		return v.ended(m)
	}
	return nil
}

// loaded is what was read.
type loaded struct {
	gen   int
	tests []*playtest.Playtest
	past  []stored
	err   error
}

// load reads in a command.
func (v *Runs) load() tea.Cmd {
	s, tests := v.env.Session, v.env.Playtests
	if s == nil || s.Reader() == nil {
		return nil
	}
	v.gen++
	gen := v.gen
	return func() tea.Msg {
		m := loaded{gen: gen}
		if tests != nil {
			m.tests, m.err = tests() // those that can be read come with an error of the others
		}
		var err error
		m.past, err = before(s.Reader())
		m.err = errors.Join(m.err, err)
		return m
	}
}

// before lists what simulated players left in the store, the newest first: of a
// run that has several branches the one that was touched last.
func before(r story.Reader) ([]stored, error) {
	branches, err := r.Branches()
	if err != nil {
		return nil, err
	}
	last := map[story.ID]story.Branch{} // by playthrough
	for _, b := range branches {
		if had, ok := last[b.Playthrough]; slices.Contains(b.Tags, story.SimulatedTag) && (!ok || had.Touched.Before(b.Touched)) {
			last[b.Playthrough] = b
		}
	}
	var all []stored
	for _, b := range last {
		a, err := r.Alternative(b.Leaf)
		if err != nil {
			return nil, err
		}
		t, err := r.Turn(a.Turn)
		if err != nil {
			return nil, err
		}
		all = append(all, stored{b, a.State.Node, t.Depth})
	}
	slices.SortFunc(all, func(a, b stored) int { return cmp.Compare(b.branch.ID, a.branch.ID) })
	return all, nil
}

// take keeps what runs came to, by their names.
func (v *Runs) take(m loaded) {
	if m.gen != v.gen {
		return
	}
	v.read, v.err = true, m.err
	if m.err != nil && len(m.tests) == 0 {
		return
	}
	had := v.all
	keep := func(r *run) *run {
		for _, h := range had {
			if h.name() == r.name() && (h.test == nil) == (r.test == nil) {
				h.test = r.test
				return h
			}
		}
		return r
	}
	v.all, v.tests, v.past = nil, len(m.tests), m.past
	for _, p := range m.tests {
		v.all = append(v.all, keep(&run{test: p}))
	}
	for _, k := range players.Kinds() {
		v.all = append(v.all, keep(&run{kind: k}))
	}
	v.lay()
}

// lay lists what there is, anew, and keeps the selection.
func (v *Runs) lay() {
	was, had := v.at()
	v.lines = nil
	t := v.env.Text.Runs
	add := func(title string, runs []*run) {
		v.lines = append(v.lines, line{title: title, failure: -1})
		for _, r := range runs {
			v.lines = append(v.lines, line{run: r, failure: -1})
			if r.result == nil {
				continue
			}
			for i := range r.result.Failures {
				v.lines = append(v.lines, line{run: r, failure: i})
			}
		}
	}
	add(t.Title, v.all[:v.tests])
	add(t.Players, v.all[v.tests:])
	v.lines = append(v.lines, line{title: t.Stored, failure: -1})
	for i := range v.past {
		v.lines = append(v.lines, line{past: &v.past[i], failure: -1})
	}
	v.list.SetLen(len(v.lines))
	for i, l := range v.lines {
		if had && (l.run != nil && l.run == was.run && l.failure == was.failure || l.past != nil && was.past != nil && l.past.branch.ID == was.past.branch.ID) {
			v.list.Select(i)
			return
		}
	}
	v.settle(1)
}

// settle moves the selection from a heading to the nearest thing that can be
// selected, first in one direction.
func (v *Runs) settle(by int) {
	for _, dir := range []int{by, -by} {
		for i := v.list.At(); i >= 0 && i < len(v.lines); i += dir {
			if v.lines[i].title == "" {
				v.list.Select(i)
				return
			}
		}
	}
}

// at gives the selected row.
func (v *Runs) at() (line, bool) {
	if i := v.list.At(); i < len(v.lines) && v.lines[i].title == "" {
		return v.lines[i], true
	}
	return line{failure: -1}, false
}
