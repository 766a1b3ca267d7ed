package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
	"fabula/tui/widget"
)

// NewModel makes the root model without a terminal; save is what Run does last.
func NewModel(ctx context.Context, o Options) (model tea.Model, save func()) {
	o.defaults()
	a := newApp(ctx, o, term.NewCrash(o.StateDir, func() {}), nil)
	return a, a.save
}

// Busy reports whether the chat waits for the session.
func Busy(m tea.Model) bool { return m.(*app).chat.Streaming() }

// Plain runs the workbench without a screen.
var Plain = plain

// Rows lists every binding row of the workbench.
func Rows(m tea.Model) []widget.Binding {
	a := m.(*app)
	rows := a.keys()
	for _, p := range pages {
		rows = append(rows, a.screens[p.name].Keys()...)
	}
	return rows
}
