package worker

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Main is the body of the child's command. It keeps the protocol apart from
// whatever native code prints: the descriptor of standard output is moved
// away, and descriptor 1 then leads where standard error does, to the log.
// It returns the exit status.
func Main(open Open) int {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.Dup2(2, 1)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "worker: standard output: %v\n", err)
		return 1
	}
	out := os.NewFile(uintptr(fd), "protocol")
	if err := Serve(os.Stdin, out, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
