package tree

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
)

// change is something that was done here and can be taken back.
type change struct {
	branch     story.ID // that the change is told of
	gone       story.Branch
	undo, redo func() error
	undid      string // how it is said that it was taken back
	did        string // how it is said that it was done
}

// changed: a change was made, taken back or made again.
type changed struct {
	change change
	back   bool // it was taken back
	again  bool // it had been taken back before
	err    error
}

// do makes a change, in a command.
func do(c change) tea.Cmd {
	return func() tea.Msg { return changed{change: c, err: c.redo()} }
}

// take takes the last change of a list back, or makes it again.
func (t *Tree) take(list *[]change) tea.Cmd {
	c := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	back := list == &t.undone
	return func() tea.Msg {
		if back {
			return changed{change: c, back: true, err: c.undo()}
		}
		return changed{change: c, again: true, err: c.redo()}
	}
}

// changed notes a change in the lists and tells everybody. A branch that is
// gone is forgotten first: a key that is pressed then must not lead to it. What
// was being read may still have it.
func (t *Tree) changed(m changed) tea.Cmd {
	if m.err != nil {
		return screen.Fail(m.err)
	}
	c, said := m.change, m.change.did
	if m.back {
		t.redo, said = append(t.redo, c), c.undid
	} else {
		t.undone = append(t.undone, c)
		if !m.again {
			t.redo = nil
		}
		if id := c.gone.ID; id != "" {
			all := t.forest.branches[c.gone.Leaf]
			t.forest.branches[c.gone.Leaf] = slices.DeleteFunc(all, func(b story.Branch) bool { return b.ID == id })
			t.gen++
		}
	}
	tell := func() tea.Msg { return screen.Changed{Branch: c.branch} }
	if said == "" {
		return tell
	}
	return tea.Batch(tell, screen.Say(said))
}

func (t *Tree) noUndo() string {
	if len(t.undone) == 0 {
		return t.env.Text.Tree.NoUndo
	}
	return ""
}

func (t *Tree) noRedo() string {
	if len(t.redo) == 0 {
		return t.env.Text.Tree.NoRedo
	}
	return ""
}

// set stores mark and title of an alternative.
func (t *Tree) set(a story.Alternative, mark bool, title string) tea.Cmd {
	s, words := t.env.Session, t.env.Text.Tree
	put := func(mark bool, title string) func() error {
		return func() error {
			_, err := s.Mark(a.ID, mark, title)
			return err
		}
	}
	return do(change{branch: t.here.ID, undo: put(a.Mark, a.Title), redo: put(mark, title), undid: words.Undid})
}

// hide takes a branch's name away; its turns stay.
func (t *Tree) hide(b story.Branch) tea.Cmd {
	s, words := t.env.Session, t.env.Text.Tree
	name := text.Line(b.Name)
	return do(change{branch: b.ID, gone: b, did: fmt.Sprintf(words.Deleted, name), undid: fmt.Sprintf(words.Restored, name),
		undo: func() error {
			_, err := s.Restore(b)
			return err
		},
		redo: func() error { return s.DeleteBranch(b.ID) }})
}
