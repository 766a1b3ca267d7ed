package worker

import "syscall"

// attributes puts the child into its own process group, so that Ctrl+C in the
// terminal reaches only the program, and has the kernel kill it when the
// program dies in whatever way.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
