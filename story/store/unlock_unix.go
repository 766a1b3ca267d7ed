//go:build unix && !solaris && !aix

package store

import (
	"os"
	"syscall"
)

// unlock closes a file that the library left open when it panicked. The lock
// is given back first: the mapping, which nobody can undo, would keep it.
func unlock(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	_ = f.Close()
}
