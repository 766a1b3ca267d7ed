package screen

import (
	"fmt"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/editor"

	"fabula/personas/source"
	"fabula/tui/term"
)

// Edit opens the person's editor at a place in the world's files. When it
// closes, the mouse is asked for again and the files are read anew.
func (e *Env) Edit(at source.Pos) tea.Cmd {
	if os.Getenv("EDITOR") == "" && os.Getenv("VISUAL") == "" {
		return Say(e.Text.World.NoEditor)
	}
	file := filepath.Join(e.Dir, filepath.FromSlash(at.File))
	cmd, err := editor.Command("fabula", file, editor.LineNumber(max(at.Line, 1)))
	if err != nil {
		return Fail(err)
	}
	return term.Exec(cmd, func(err error) tea.Msg {
		after := func() tea.Msg { return Reload{} }
		if err != nil {
			after = Fail(fmt.Errorf(e.Text.World.EditorEnded, err))
		}
		return tea.BatchMsg{func() tea.Msg { return Returned{} }, after}
	})
}

// NoFiles is why no file can be edited; "" when one can.
func (e *Env) NoFiles() string {
	if e.Dir == "" {
		return e.Text.World.Embedded
	}
	return ""
}
