//go:build !unix

package main

import "os"

// alive reports whether a process of this number runs: Windows opens no other.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
