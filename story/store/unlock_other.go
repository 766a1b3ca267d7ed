//go:build !unix || solaris || aix

package store

import "os"

// unlock closes a file that the library left open when it panicked.
func unlock(f *os.File) { _ = f.Close() }
