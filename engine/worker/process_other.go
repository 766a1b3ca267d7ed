//go:build unix && !linux

package worker

import "syscall"

// attributes puts the child into its own process group, so that Ctrl+C in the
// terminal reaches only the program. The child ends when its standard input
// does, which covers the program's death.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
