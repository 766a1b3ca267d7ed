package main

import (
	"fmt"
	"strings"

	mcobra "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"fabula/tui"
)

func newMan(root *cobra.Command, sh *shell) *cobra.Command {
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
			page.WithSection("Keys", keysOfAll(sh.lang))
			_, err = fmt.Fprintln(c.OutOrStdout(), page.Build(roff.NewDocument()))
			return err
		},
	}
}

// keysOfAll lists the keys of the workbench by screen, as its help does: keys,
// the action's id for keys.yaml, what it does.
func keysOfAll(language string) string {
	var b strings.Builder
	for _, page := range tui.Manual(language) {
		fmt.Fprintf(&b, "%s\n", page.Title)
		for _, row := range page.Rows {
			fmt.Fprintf(&b, "  %-16s %-20s %s\n", strings.Join(row.Keys, " "), row.ID, row.Hint)
		}
		b.WriteString("\n")
	}
	return b.String()
}
