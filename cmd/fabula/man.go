package main

import (
	"fmt"
	"strings"

	mcobra "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page (roff)",
		Example: "  fabula man | man -l -",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			long, status, _ := strings.Cut(root.Long, "EXIT STATUS\n")
			root.Long = strings.Join(strings.Fields(long), " ") // a line feed would begin a paragraph
			page, err := mcobra.NewManPage(1, root)
			if err != nil {
				return fmt.Errorf("manual page: %w", err)
			}
			page.WithSection("Exit status", status)
			_, err = fmt.Fprintln(c.OutOrStdout(), page.Build(roff.NewDocument()))
			return err
		},
	}
}
