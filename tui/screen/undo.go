package screen

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/text"
)

// Rewind makes a command that takes the newest change of something back by step,
// or does it again (forth), and tells what that was.
func (e *Env) Rewind(step func(story.ID) (story.Undone, error), of story.ID, forth bool) tea.Cmd {
	t := e.Text
	return func() tea.Msg {
		u, err := step(of)
		switch {
		case errors.Is(err, story.ErrNothing) && forth:
			return Toast{Text: t.Talk.NoRedo}
		case errors.Is(err, story.ErrNothing):
			return Toast{Text: t.Talk.NoUndo}
		case err != nil:
			return Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			func() tea.Msg { return Changed{Branch: u.Branch.ID} },
			Say(t.Undone(string(u.Kind), forth, u.Depth, text.Line(u.Name))),
		}
	}
}
