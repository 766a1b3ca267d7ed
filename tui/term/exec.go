package term

import (
	"os"
	"os/exec"

	tea "github.com/charmbracelet/bubbletea"
)

// Exec lets cmd have the terminal, then sends what done makes of its error. The
// standard files are set here: bubbletea would hand over our Writer, and the
// child would see a pipe instead of a terminal.
func Exec(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return tea.ExecProcess(cmd, done)
}
