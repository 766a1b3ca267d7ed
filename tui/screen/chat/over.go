package chat

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/widget"
)

// over is what lies over the talk for a while: it has the keys and the rows of
// the transcript until it is left.
type over interface {
	rows(c *Chat) []row
	draw(c *Chat, w, h int) widget.Rows
	update(c *Chat, msg tea.Msg) tea.Cmd
	title(c *Chat) string
	lists() []*widget.List // that take the mouse, the first where it is beside all
	wide() bool            // needs the columns of the pane beside the talk
}

// leave goes back to the talk, which is read.
func (c *Chat) leave() {
	c.over, c.reading = nil, true
}

// lay puts something over the talk.
func (c *Chat) lay(o over) {
	c.over, c.reading = o, true
}
