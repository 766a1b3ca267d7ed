//go:build unix && !linux

package main

import "syscall"

// yieldToChat lowers the priority of this process, so that a chat in another one
// keeps its pace.
func yieldToChat() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
