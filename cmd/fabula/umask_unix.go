//go:build unix

package main

import "syscall"

// keepPrivate lets everything that this process and those it starts write be
// readable by its user alone, whatever a library asks for: transcripts and keys
// are nobody else's.
func keepPrivate() { syscall.Umask(0o077) }
