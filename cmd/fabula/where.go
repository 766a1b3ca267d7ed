package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"fabula/worlds"
)

func newWhere(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "where [WORLD]",
		Short:   "Print every place that fabula reads or writes",
		Example: "  fabula where\n  fabula where fox_lantern",
		Args:    atMost(1, "WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			list := places()
			if len(args) == 1 {
				at, err := worlds.Find(args[0])
				if err != nil {
					return err
				}
				list = append(list, place{"world", cmp.Or(at.Dir, "built in"), "authored text"}, place{"store", at.StateDir(), "transcripts of this world"})
			}
			out := c.OutOrStdout()
			for _, p := range list {
				if asJSON {
					if err := writeJSON(out, map[string]string{"event": "place", "name": p.name, "path": p.path, "what": p.what}); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(out, "%-8s %s  (%s)\n", p.name, said(sh.lang, p.path), said(sh.lang, p.what))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}
