package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/tensorrt"
	"fabula/engine/worker"
)

// newWorker is the child process that holds native code: frames on stdin and
// stdout, started by the program itself.
func newWorker() *cobra.Command {
	var kind string
	var ask bool
	c := &cobra.Command{
		Use:    "worker",
		Short:  "Run a model for a parent process (internal)",
		Hidden: true,
		Args:   atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			if ask {
				return printDevices(c.OutOrStdout())
			}
			open := gguf.Open
			if kind == string(engine.TensorRT) {
				open = tensorrt.Open(tensorrt.OpenOptions{Dir: enginesDir(), Root: tensorrtRoot(), Plan: chosenPlan()})
			}
			if code := worker.Main(open); code != 0 {
				return coded{code, fmt.Errorf("worker ended with %d", code)}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&ask, "devices", false, "print the graphics cards of llama.cpp as JSON instead")
	c.Flags().StringVar(&kind, "engine", string(engine.GGUF), "what runs the model: gguf or tensorrt")
	return c
}
