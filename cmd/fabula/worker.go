package main

import (
	"os"

	"github.com/spf13/cobra"

	"fabula/engine/gguf"
	"fabula/engine/worker"
)

// newWorker is the child process that runs native engines. The program starts
// it; it speaks frames on its standard input and output.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run a native engine for another fabula process",
		Args:   atMost(0, "nothing"),
		Hidden: true,
		Run:    func(*cobra.Command, []string) { os.Exit(worker.Main(gguf.Open)) },
	}
}
