package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/engine/gguf"
	"fabula/engine/worker"
)

// newWorker is the child process that holds native code: frames on stdin and
// stdout, started by the program itself.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run a model for a parent process (internal)",
		Hidden: true,
		Args:   atMost(0, "nothing"),
		RunE: func(*cobra.Command, []string) error {
			if code := worker.Main(gguf.Open); code != 0 {
				return coded{code, fmt.Errorf("worker ended with %d", code)}
			}
			return nil
		},
	}
}
