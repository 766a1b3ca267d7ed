package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/personas/source"
	"fabula/story/export/plottree"
	"fabula/tui/keymap"
	"fabula/worlds"
)

// schemaKinds are the documents that fabula publishes a JSON Schema of.
var schemaKinds = []string{"world", "persona", "plot", "lore", "playtest", "labels", "golden", "plottree", "remotes", "keys"}

func newSchema(*shell) *cobra.Command {
	return &cobra.Command{
		Use:       "schema KIND",
		Short:     "Print the JSON Schema of a file kind: " + strings.Join(schemaKinds, ", "),
		Example:   "  fabula schema persona > persona.schema.json",
		Args:      exactly("KIND"),
		ValidArgs: schemaKinds,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(schemaKinds, args[0]) {
				return usage("schema %s: no such kind; there are %s", args[0], strings.Join(schemaKinds, ", "))
			}
			load := worlds.Schema
			switch args[0] {
			case "plottree":
				load = func(string) ([]byte, error) { return plottree.Schema() }
			case "keys":
				load = func(string) ([]byte, error) { return source.Schema("keys.yaml", keymap.Type()) }
			case "remotes":
				load = func(string) ([]byte, error) { return source.Schema("remotes.yaml", remotesType()) }
			}
			text, err := load(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", bytes.TrimSpace(text))
			return err
		},
	}
}
