package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"fabula/engine/gguf"
)

// version is set by the Makefile from git; "dev" in a plain go build.
var version = "dev"

func newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version and what is linked in",
		Args:  atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			native := gguf.Runtime()
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(map[string]string{
					"event": "version", "version": version, "go": runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH, "native": native,
				})
			}
			if native == "" {
				native = "no native engine (built without llama.cpp; see 'make build')"
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "fabula %s %s/%s %s\n%s\n", version, runtime.GOOS, runtime.GOARCH, runtime.Version(), native)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}
