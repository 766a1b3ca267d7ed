// Package tree is the screen of every turn that was ever taken in a world, as
// one tree: playthroughs, branches, alternatives.
//
// The line that the chat follows runs straight down; what leaves it stands one
// step to the right. Non-goals: comparing branches (screen/compare).
package tree

import (
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Tree is the screen. Its methods are called from one goroutine.
type Tree struct {
	env    *screen.Env
	w, h   int
	list   widget.List
	forest forest
	rows   []line
	folded map[story.ID]bool // alternatives below which nothing is drawn
	spread map[story.ID]bool // alternatives below which every sibling is drawn
	picked []story.ID        // alternatives to compare, at most two
	gen    int
	here   story.Branch // that the chat shows
	home   bool         // select where the chat is once the tree was read
	want   story.ID     // alternative to select then in its place
	title  *widget.Prompt
	edits  screen.Edits      // of the branches
	titled story.Alternative // that the title is written for
	err    error
}

// New makes the screen.
func New(env *screen.Env) *Tree {
	return &Tree{env: env, folded: map[story.ID]bool{}, spread: map[story.ID]bool{}, forest: newForest()}
}

// SetSize sets columns and rows.
func (t *Tree) SetSize(w, h int) {
	t.w, t.h = w, h
	t.title.SetWidth(w)
}

// Typing reports whether a title is being written.
func (t *Tree) Typing() bool { return t.title != nil }

// Cursor is the insertion point of the title.
func (t *Tree) Cursor() (x, y int, show bool) { return t.title.Cursor(t.h, t.env.Theme) }

// Shown reads the tree and selects where the chat is.
func (t *Tree) Shown() tea.Cmd {
	t.home = true
	return t.load()
}

// Update takes one message.
func (t *Tree) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return t.key(m)
	case tea.MouseMsg:
		return t.mouse(m)
	case screen.Changed:
		return t.load()
	case screen.Show:
		t.want = story.ID(m.ID)
		t.selectAlt(t.want)
	case screen.Went:
		t.here = m.Branch
		t.again()
	case read:
		return t.read(m)
	case screen.EditsFound:
		t.edits.Take(m)
	case hidden:
		return t.hidden(m)
	}
	return nil
}

type read struct {
	gen    int
	forest forest
	err    error
}

// load reads the tree in a command.
func (t *Tree) load() tea.Cmd {
	s := t.env.Session
	if s == nil || s.Reader() == nil {
		return nil
	}
	t.gen++
	gen := t.gen
	return func() tea.Msg {
		f, err := grow(s.Reader())
		return read{gen, f, err}
	}
}

func (t *Tree) read(m read) tea.Cmd {
	if m.gen != t.gen {
		return nil
	}
	at, had := t.at()
	was := t.knot(at).alt.ID
	t.forest, t.err = m.forest, m.err
	t.lay()
	look := t.edits.Look(t.env.Session, slices.Collect(maps.Keys(t.forest.branches)))
	if t.home || !had {
		t.home = false
		t.goHome()
		t.selectAlt(t.want)
		t.want = ""
		return look
	}
	t.selectAlt(was)
	return look
}

// branchFor finds a branch to go to an alternative with: the one that ends
// there, else the chat's, else any of the same playthrough.
func (t *Tree) branchFor(alt story.ID, play story.ID) (story.Branch, bool) {
	if all := t.forest.branches[alt]; len(all) > 0 {
		return all[0], true
	}
	return t.branchIn(play)
}

// branchIn finds a branch of a playthrough, the chat's first.
func (t *Tree) branchIn(play story.ID) (story.Branch, bool) {
	if t.here.Playthrough == play {
		return t.here, true
	}
	for _, all := range t.forest.branches {
		for _, b := range all {
			if b.Playthrough == play {
				return b, true
			}
		}
	}
	return story.Branch{}, false
}

// snippet is the beginning of a text on one row.
func snippet(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// again lays the tree out anew and keeps the selection.
func (t *Tree) again() {
	l, ok := t.at()
	t.lay()
	if ok {
		t.selectAlt(t.knot(l).alt.ID)
	}
}

// mouse scrolls, a click selects a row, and another opens it.
func (t *Tree) mouse(m tea.MouseMsg) tea.Cmd {
	if t.title == nil && widget.Point(m, t.View, &t.list).Again {
		return t.key(widget.Enter)
	}
	return nil
}
