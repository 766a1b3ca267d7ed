package tui

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/screen/world"
	"fabula/worlds"
)

// reloaded is what came of reading the world's files again.
type reloaded struct {
	session *story.Session
	err     error
}

// reload reads the world's files again, in a command.
func (a *app) reload() tea.Cmd {
	open := a.o.Open
	if s := a.env.Session; s != nil {
		return func() tea.Msg { return reloaded{err: s.Reload()} }
	}
	if open == nil {
		return nil
	}
	return func() tea.Msg {
		s, err := open()
		return reloaded{s, err}
	}
}

func (a *app) reloaded(m reloaded) tea.Cmd {
	w := a.screens[screen.World].(*world.World)
	w.Broken(m.err)
	if m.err != nil {
		var load *worlds.LoadError
		if errors.As(m.err, &load) {
			return a.show(screen.Toast{Text: fmt.Sprintf(a.env.Text.World.StillBroken, len(load.Faults)), Error: true})
		}
		return a.show(screen.Toast{Text: m.err.Error(), Error: true})
	}
	say := a.show(screen.Toast{Text: a.env.Text.World.Reloaded})
	if a.env.Session == nil && m.session != nil {
		a.env.Session = m.session
		return tea.Batch(say, a.resume(), a.open(screen.Chat))
	}
	a.chat.Redraw()
	return tea.Batch(say, a.broadcast(screen.Changed{Branch: a.chat.Branch().ID}))
}
