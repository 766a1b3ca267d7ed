package chat

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
)

// owedEvery is how long is waited before the store is asked again to take a
// reply that it could not.
const owedEvery = time.Second

// stored tells whether the store took by now what it could not before.
type stored struct {
	branch story.ID
	err    error
}

// owed asks the store again while it owes a reply: once there is room on its disk
// the reply is back, without the person doing anything.
func (c *Chat) owed(branch story.ID) tea.Cmd {
	s := c.env.Session
	if len(s.Owed()) == 0 {
		return nil
	}
	return func() tea.Msg {
		time.Sleep(owedEvery)
		return stored{branch, s.StoreOwed()}
	}
}

func (c *Chat) stored(m stored) tea.Cmd {
	if m.err != nil {
		return c.owed(m.branch)
	}
	cmds := []tea.Cmd{changed(m.branch), screen.Say(c.env.Text.Store.Taken)}
	if c.path.branch.ID == m.branch && c.run == nil {
		cmds = append(cmds, c.load(m.branch))
	}
	return tea.Batch(cmds...)
}
