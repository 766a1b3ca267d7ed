package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Ensure that a build stands below a chat with every thread, also those that
// come later. It is a process of its own that tries: there is no way back.
func TestABuildYields(t *testing.T) {
	if os.Getenv("FABULA_TEST_YIELD") == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestABuildYields$")
		c.Env = append(os.Environ(), "FABULA_TEST_YIELD=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	yieldToChat()
	var all sync.WaitGroup
	for range 32 { // make the runtime start threads
		all.Go(func() { _, _ = exec.Command("true").CombinedOutput() })
	}
	all.Wait()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range threads {
		stat, err := os.ReadFile("/proc/self/task/" + th.Name() + "/stat")
		if err != nil {
			continue // it ended
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if nice, err := strconv.Atoi(fields[16]); err != nil || nice != yieldNice {
			t.Errorf("thread %s has niceness %s (%v)", th.Name(), fields[16], err)
		}
	}
}
