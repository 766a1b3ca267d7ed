package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/story/plot"
)

// Examined tells every screen what a search of a script found.
type Examined struct {
	Script *plot.Script
	Report check.Report
}

// Examine searches a script in a command.
func Examine(s *plot.Script) tea.Cmd {
	return func() tea.Msg { return Examined{s, check.Examine(s, space.Limits{})} }
}
