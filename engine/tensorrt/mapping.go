//go:build tensorrt

package tensorrt

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"fabula/engine"
)

// mapping is a file in memory that the kernel reads when it is looked at, so that
// half a gigabyte of plan never lies in the heap.
type mapping []byte

func mapped(path string) (mapping, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	raw, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w: %w", path, engine.ErrUnavailable, err)
	}
	return raw, nil
}

func (m mapping) close() { _ = unix.Munmap(m) } // of what mapped gave, cannot fail
