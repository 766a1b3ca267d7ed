package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fabula/worlds"
)

func newNew(*shell) *cobra.Command {
	var template string
	c := &cobra.Command{
		Use:     "new DIR",
		Short:   "Write a new world folder",
		Example: "  fabula new salt_ferry\n  fabula new mine --template fox_lantern",
		Args:    exactly("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "" {
				return usage("new needs a folder to write to")
			}
			if err := worlds.New(args[0], template); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "wrote %s\nplay it: fabula %s\ncheck it: fabula check %s\n", args[0], args[0], args[0])
			return nil
		},
	}
	c.Flags().StringVar(&template, "template", "blank", strings.Join(worlds.Templates(), " or "))
	return c
}
