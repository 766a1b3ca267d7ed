package main

import (
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
			if asJSON {
				return writeJSON(c.OutOrStdout(), map[string]string{
					"event": "version", "version": version, "go": runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH, "native": gguf.Runtime(),
				})
			}
			_, err := fmt.Fprint(c.OutOrStdout(), versionText())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// versionText is what `version` and `--version` print.
func versionText() string {
	native := gguf.Runtime()
	if native == "" {
		native = "no native engine (built without llama.cpp; see 'make build')"
	}
	return fmt.Sprintf("fabula %s %s/%s %s\n%s\n", version, runtime.GOOS, runtime.GOARCH, runtime.Version(), native)
}
