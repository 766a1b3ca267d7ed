package worker_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"fabula/engine/worker"
)

// parent starts a worker, tells its process id and waits to be killed.
func parent() {
	c, err := worker.Start(worker.Options{Command: func() *exec.Cmd { return self("worker") }, Model: "fake"})
	if err != nil {
		os.Exit(1)
	}
	if err := c.Ready(context.Background()); err != nil {
		os.Exit(1)
	}
	fmt.Println(c.Info().Model)
	st := c.Status()
	fmt.Println(st.PID)
	time.Sleep(time.Minute)
	os.Exit(0)
}
