package main

import (
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"fabula/tui/text"
	"fabula/worlds"
)

func newNew(sh *shell) *cobra.Command {
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
			if strings.IndexFunc(args[0], unicode.IsControl) >= 0 {
				return usage("new %s: the name holds a control character or a line end; write it without", text.Line(args[0]))
			}
			if err := worlds.New(args[0], template); err != nil {
				return err
			}
			printSaid(c.OutOrStdout(), sh.lang, "wrote %s\nplay it: fabula %s\ncheck it: fabula check %s", printable(args[0]), quoted(args[0]), quoted(args[0]))
			return nil
		},
	}
	c.Flags().StringVar(&template, "template", "blank", strings.Join(worlds.Templates(), " or "))
	return c
}

// quoted writes a path as a shell takes it, and so that it is no flag.
func quoted(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	plain := func(r rune) bool {
		return r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-", r))
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
