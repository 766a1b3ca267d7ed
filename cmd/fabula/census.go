package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/story/plot"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

func newCensus(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "census WORLD BRANCH[@N]",
		Short: "List what a branch left open: anchors, beats, secrets, a question",
		Long: "List what a branch left open at its end, or at turn N: anchors that were never said and beats that never\n" +
			"happened in the nodes that it came by, secrets that were unlocked and never told, a question that waits.",
		Example: "  fabula census fox_lantern hall-1",
		Args:    exactly("WORLD", "BRANCH[@N]"),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := worlds.Open(args[0])
			if err != nil {
				return err
			}
			r, closer, err := openTree(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			steps, err := stepsOf(r, args[1])
			if err != nil {
				return err
			}
			words := lang.For(sh.lang)
			open := w.Script.Census(steps[len(steps)-1].Alternative.State)
			for _, t := range open {
				if asJSON {
					err = writeJSON(c.OutOrStdout(), struct {
						Event string `json:"event"`
						plot.Thread
					}{"thread", t})
				} else {
					_, err = fmt.Fprintf(c.OutOrStdout(), "%-28s %s\n", t.ID, words.Threads[t.Kind])
				}
				if err != nil {
					return err
				}
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s left open\n", plural(len(open), "thread"))
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}
