//go:build !linux

package memory

// Free is unknown here (0), so nothing is refused for its size.
func Free() int64 { return 0 }
