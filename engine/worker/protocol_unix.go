//go:build unix

package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// protocol moves the descriptor of standard output away and has descriptor 1
// lead where standard error does, for native code too.
func protocol() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.Dup2(2, 1)
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}
