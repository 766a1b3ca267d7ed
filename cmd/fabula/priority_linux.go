package main

import (
	"os"
	"strconv"
	"syscall"
)

// yieldNice is how far below a chat a build stands.
const yieldNice = 10

// yieldToChat lowers the priority of this process, so that a chat in another one
// keeps its pace. Linux counts priorities by thread; those made later inherit
// it. A system that refuses leaves things as they are.
func yieldToChat() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, yieldNice)
		}
	}
}
