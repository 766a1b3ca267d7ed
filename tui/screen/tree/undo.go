package tree

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
)

// undo takes the newest change back of the playthrough that the selection is in,
// whichever branch it was on: a turn, a mark, a title, a hidden branch. Where every
// branch of it is hidden, the one that was hidden last comes back.
func (t *Tree) undo() tea.Cmd { return t.rewind(t.env.Session.Undo, false) }

// redo does again what was taken back.
func (t *Tree) redo() tea.Cmd { return t.rewind(t.env.Session.Redo, true) }

func (t *Tree) rewind(step func(story.ID) (story.Undone, error), forth bool) tea.Cmd {
	l, _ := t.at()
	play := t.forest.turns[t.forest.knots[l.knot].turn].Playthrough
	if _, ok := t.branchIn(play); !ok {
		for _, h := range t.forest.hiddenIn(play) {
			return t.restore(h)
		}
		return screen.Say(t.env.Text.Talk.NoUndo)
	}
	s := t.env.Session
	return t.env.Rewind(func(play story.ID) (u story.Undone, err error) {
		branch, err := s.Newest(play, forth)
		if err != nil {
			return u, err
		}
		return step(branch)
	}, play, forth)
}

// set stores mark and title of an alternative.
func (t *Tree) set(a story.Alternative, mark bool, title string) tea.Cmd {
	s, here := t.env.Session, t.here.ID
	return func() tea.Msg {
		if _, err := s.Mark(a.ID, mark, title); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.Changed{Branch: here}
	}
}

// hide hides the branch that ends at an alternative; where only hidden ones end,
// the one that was hidden last comes back.
func (t *Tree) hide(id story.ID) tea.Cmd {
	all := t.forest.branches[id]
	if len(all) == 0 {
		return t.restore(t.forest.hidden[id][0])
	}
	b, s := all[0], t.env.Session
	return func() tea.Msg {
		if err := s.DeleteBranch(b.ID); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return hidden{b}
	}
}

// restore brings a hidden branch back.
func (t *Tree) restore(b story.Branch) tea.Cmd {
	s, words := t.env.Session, t.env.Text.Tree
	return func() tea.Msg {
		back, err := s.Restore(b)
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			func() tea.Msg { return screen.Changed{Branch: back.ID} },
			screen.Say(fmt.Sprintf(words.Restored, text.Line(back.Name))),
		}
	}
}

// hidden: a branch is no longer shown.
type hidden struct{ branch story.Branch }

// hidden forgets a branch before anybody is told that it is gone: a key that is
// pressed then must not lead to it. What was being read may still have it.
func (t *Tree) hidden(m hidden) tea.Cmd {
	id, leaf := m.branch.ID, m.branch.Leaf
	t.forest.branches[leaf] = slices.DeleteFunc(t.forest.branches[leaf], func(b story.Branch) bool { return b.ID == id })
	t.gen++
	return tea.Batch(
		func() tea.Msg { return screen.Changed{Branch: id} },
		screen.Say(fmt.Sprintf(t.env.Text.Tree.Deleted, text.Line(m.branch.Name))))
}
