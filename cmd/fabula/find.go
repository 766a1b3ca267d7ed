package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/story"
)

func newFind(*shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "find WORLD TEXT",
		Short:   "Find a text in everything that was ever said",
		Example: "  fabula find fox_lantern lamp",
		Args:    exactly("WORLD", "TEXT"),
		RunE: func(c *cobra.Command, args []string) error {
			if args[1] == "" {
				return usage("find needs a text to look for")
			}
			r, closer, err := openTree(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			hits, err := r.Find(args[1])
			if err != nil {
				return err
			}
			for _, h := range hits {
				if asJSON {
					err = writeJSON(c.OutOrStdout(), struct {
						Event string `json:"event"`
						story.Hit
					}{"hit", h})
				} else {
					_, err = fmt.Fprintf(c.OutOrStdout(), "%s@%d  %s\n", h.Branch, h.Depth, printable(h.Text))
				}
				if err != nil {
					return err
				}
			}
			if len(hits) == 0 {
				fmt.Fprintf(c.ErrOrStderr(), "nothing holds %q\n", args[1])
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}
