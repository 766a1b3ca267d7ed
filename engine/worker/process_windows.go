package worker

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// attributes puts the child into its own process group, so that Ctrl+C in the
// terminal reaches only the program. The child ends when its standard input
// does, which covers the program's death.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
