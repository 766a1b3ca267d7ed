package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
)

// NewModel makes the root model without a terminal; save is what Run does last.
func NewModel(ctx context.Context, o Options) (model tea.Model, save func()) {
	o.defaults()
	a := newApp(ctx, o, term.NewCrash(o.StateDir, func() {}), nil)
	return a, a.save
}

// Plain runs the workbench without a screen.
var Plain = plain
