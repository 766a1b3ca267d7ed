// Package world is the screen of a world: what it holds, its branches, what is
// wrong with its files, who serves. A world that does not load shows its
// faults here and waits for them to be mended.
//
// Non-goals: writing an author's files; deciding what a fault means.
package world

import (
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
	"fabula/worlds"
)

// World is the screen. Its methods are called from one goroutine.
type World struct {
	env     *screen.Env
	place   Place
	w, h    int
	list    widget.List // of branches or faults
	nodes   widget.List // of nodes, below the branches or beside them
	onNodes bool        // the nodes have the keyboard
	entries []entry
	faults  []source.Fault
	err     error // why the world does not load, or why the branches cannot be read
	gen     int
	pick    *picker
	last    story.ID // the branch that the chat shows
	busy    bool     // a playthrough is being begun
	check   checked
	edits   screen.Edits // of the branches
}

// Place says where a world and its store lie.
type Place struct {
	Name  string // as given on the command line
	Dir   string // folder of the files; empty for an embedded world
	Store string // folder of the store
}

// entry is one branch of the list.
type entry struct {
	branch   story.Branch
	language string
	node     string
	turns    int
}

// New makes the screen.
func New(env *screen.Env, place Place) *World { return &World{env: env, place: place} }

// Broken sets why the world does not load; nil when it does.
func (v *World) Broken(err error) {
	v.err, v.faults = err, nil
	var load *worlds.LoadError
	if errors.As(err, &load) {
		v.faults = load.Faults
	}
	v.lengthen()
}

// lengthen tells the lists how long they are. Files that do not load come first.
func (v *World) lengthen() {
	v.list.SetLen(v.rows())
	v.onNodes = v.onNodes && v.err == nil
	if v.env.Session != nil {
		v.nodes.SetLen(len(v.env.Session.Script().Nodes))
	}
}

// rows is how many rows can be selected.
func (v *World) rows() int {
	if v.env.Session == nil || len(v.faults) > 0 {
		return len(v.faults)
	}
	return len(v.entries)
}

// SetSize sets columns and rows.
func (v *World) SetSize(w, h int) { v.w, v.h = w, h }

// Typing is never so: the screen has no text to write.
func (v *World) Typing() bool { return false }

// Cursor is never shown.
func (v *World) Cursor() (x, y int, show bool) { return 0, 0, false }

// Shown reads the branches, which have the keyboard again: the way to the nodes
// is the same every time.
func (v *World) Shown() tea.Cmd {
	v.onNodes = false
	return v.load()
}

// Update takes one message.
func (v *World) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return v.key(m)
	case tea.MouseMsg:
		return v.mouse(m)
	case screen.Changed:
		return v.load()
	case screen.Show:
		return v.show(m)
	case screen.Went:
		v.last = m.Branch.ID
	case listed:
		return v.listed(m)
	case screen.EditsFound:
		v.edits.Take(m)
	case screen.Examined:
		if v.env.Session != nil {
			v.check.take(m, v.env.Session.Script())
		}
	case begun:
		v.busy = false
		if m.err != nil {
			return screen.Fail(m.err)
		}
		return screen.Begin(m.branch.ID, m.words)
	}
	return nil
}

type listed struct {
	gen     int
	entries []entry
	err     error
}

// load reads the branches in a command.
func (v *World) load() tea.Cmd {
	s := v.env.Session
	if s == nil || s.Reader() == nil {
		return nil
	}
	v.gen++
	gen := v.gen
	return func() tea.Msg {
		entries, err := readBranches(s.Reader())
		return listed{gen, entries, err}
	}
}

func (v *World) listed(m listed) tea.Cmd {
	if m.gen != v.gen {
		return nil
	}
	v.entries, v.err = m.entries, m.err
	v.faults = nil
	if err := v.env.Session.Stale(); err != nil {
		v.Broken(err)
	}
	v.lengthen()
	var leaves []story.ID
	for _, e := range v.entries {
		leaves = append(leaves, e.branch.Leaf)
	}
	return v.edits.Look(v.env.Session, leaves)
}

func readBranches(r story.Reader) ([]entry, error) {
	all, err := r.Branches()
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, b := range all {
		e, err := readBranch(r, b)
		if err != nil {
			return nil, fmt.Errorf("branch %s: %w", b.Name, err)
		}
		out = append(out, e)
	}
	return out, nil
}

func readBranch(r story.Reader, b story.Branch) (entry, error) {
	e := entry{branch: b}
	p, err := r.Playthrough(b.Playthrough)
	if err != nil {
		return e, err
	}
	a, err := r.Alternative(b.Leaf)
	if err != nil {
		return e, err
	}
	t, err := r.Turn(a.Turn)
	if err != nil {
		return e, err
	}
	e.language, e.node, e.turns = p.Language, a.State.Node, t.Depth
	return e, nil
}

// begun is a branch that was begun, and how to say so.
type begun struct {
	branch story.Branch
	words  string
	err    error
}

// begin starts a playthrough in a language.
func (v *World) begin(language string) tea.Cmd {
	s, words := v.env.Session, v.env.Text.Chat.Started
	v.busy, v.pick = true, nil
	return func() tea.Msg {
		b, _, err := s.Begin(story.Start{Language: language})
		return begun{b, fmt.Sprintf(words, text.Line(b.Name)), err}
	}
}

func reload() tea.Msg { return screen.Reload{} }

// when says when something was, shortly, by the clock of now: the time of the
// same day, else the day.
func when(now, then time.Time) string {
	if then.IsZero() {
		return ""
	}
	then = then.In(now.Location()) // it was stored in another zone
	if now.Year() == then.Year() && now.YearDay() == then.YearDay() {
		return then.Format("15:04")
	}
	return then.Format("2006-01-02")
}
