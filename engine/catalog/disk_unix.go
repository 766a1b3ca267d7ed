//go:build unix

package catalog

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes a file for this process until it is closed; an error if another
// one has it.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// freeDisk is how many bytes a person may still write in a folder.
func freeDisk(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
