package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
)

// branchLine is one object of `branches --json`.
type branchLine struct {
	Event string   `json:"event"`
	ID    story.ID `json:"id"`
	Name  string   `json:"name"`
	Leaf  story.ID `json:"leaf"`
	Node  string   `json:"node"`
	Turns int      `json:"turns"`
	Tags  []string `json:"tags"`
}

func newBranches(*shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "branches WORLD",
		Short:   "List the branches of a world, newest first",
		Example: "  fabula branches fox_lantern --json",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			r, closer, err := openTree(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			branches, err := r.Branches()
			if err != nil {
				return err
			}
			if len(branches) == 0 {
				fmt.Fprintf(c.ErrOrStderr(), "no branches yet; 'fabula %s' or 'fabula say %s NPC TEXT' makes the first\n", args[0], args[0])
			}
			for _, b := range branches {
				leaf, err := r.Alternative(b.Leaf)
				if err != nil {
					return fmt.Errorf("branch %s: %w", b.Name, err)
				}
				turn, err := r.Turn(leaf.Turn)
				if err != nil {
					return fmt.Errorf("branch %s: %w", b.Name, err)
				}
				line := branchLine{"branch", b.ID, b.Name, b.Leaf, leaf.State.Node, turn.Depth, append([]string{}, b.Tags...)}
				if err := printBranch(c.OutOrStdout(), line, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func printBranch(w io.Writer, b branchLine, asJSON bool) error {
	if asJSON {
		return writeJSON(w, b)
	}
	_, err := fmt.Fprintf(w, "%s  %-20s  %8s  at %s  %s\n", b.ID, printable(b.Name), plural(b.Turns, "turn"), b.Node, strings.Join(b.Tags, " "))
	return err
}
