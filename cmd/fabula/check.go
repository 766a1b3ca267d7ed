package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/check"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// found is one thing that `check` reports, worded: a load fault or a finding.
type found struct {
	pos        source.Pos
	level      lint.Level
	code       string
	args       []string
	what, todo string
}

// foundLine is one object of `check --json`.
type foundLine struct {
	Event string     `json:"event"`
	Level lint.Level `json:"level"`
	Code  string     `json:"code"`
	File  string     `json:"file"`
	Line  int        `json:"line"`
	Col   int        `json:"col"`
	Args  []string   `json:"args,omitempty"`
	What  string     `json:"what"`
	Do    string     `json:"do,omitempty"`
}

func newCheck(sh *shell) *cobra.Command {
	var asJSON bool
	var junit string
	c := &cobra.Command{
		Use:   "check WORLD",
		Short: "Load everything and report every fault and finding with its line",
		Long: "Load everything and report every fault with its line; of a world that loads, what breaks the story.\n" +
			"Warnings leave the exit code at 0. `allow: [{finding: CODE, reason: …}]` on a world, variable, persona,\n" +
			"node, beat or exit silences one; --json shows the codes.",
		Example: "  fabula check my_world\n  fabula check my_world --junit faults.xml",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := worlds.Open(args[0])
			var load *worlds.LoadError
			if err != nil && !errors.As(err, &load) {
				return err
			}
			list := foundIn(w, load, sh.lang)
			if junit != "" {
				if err := writeJUnit(junit, args[0], list); err != nil {
					return err
				}
			}
			if err := printFound(c.OutOrStdout(), list, asJSON, sh.lang); err != nil {
				return err
			}
			return sumUp(c.ErrOrStderr(), w, list)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.Flags().StringVar(&junit, "junit", "", "also write a JUnit report to this file")
	return c
}

// foundIn words what is wrong with a world: its load faults, else its findings.
func foundIn(w *worlds.World, load *worlds.LoadError, language string) []found {
	var list []found
	if load != nil {
		for _, f := range load.Faults {
			what, todo := lang.Fault(f.Code, f.Args, language)
			list = append(list, found{f.Pos, lint.Error, f.Code, f.Args, what, todo})
		}
		return list
	}
	for _, f := range check.Script(w.Script) {
		what, todo := lang.Finding(f.Code, f.Args, language)
		list = append(list, found{f.Pos, f.Level, f.Code, f.Args, what, todo})
	}
	return list
}

func printFound(w io.Writer, list []found, asJSON bool, language string) error {
	for _, f := range list {
		if asJSON {
			line := foundLine{"finding", f.level, f.code, f.pos.File, f.pos.Line, f.pos.Col, f.args, f.what, f.todo}
			if err := writeJSON(w, line); err != nil {
				return err
			}
			continue
		}
		level := ""
		if f.level != lint.Error {
			level = lang.Warning(language) + ": "
		}
		printOne(w, f.pos, level+f.what, f.todo)
	}
	return nil
}

// sumUp says in one line how the world stands; an error where it may not pass.
func sumUp(out io.Writer, w *worlds.World, list []found) error {
	failed := errorsIn(list)
	warnings := len(list) - failed
	switch {
	case w == nil:
		fmt.Fprintln(out, plural(failed, "fault"))
		return errReported
	case failed > 0:
		fmt.Fprintf(out, "%s loads, but has %s, %s\n", w.Name, plural(failed, "error"), plural(warnings, "warning"))
		return errReported
	case warnings > 0:
		fmt.Fprintf(out, "%s loads: %s; %s\n", w.Name, counts(w.Script), plural(warnings, "warning"))
	default:
		fmt.Fprintf(out, "%s loads: %s\n", w.Name, counts(w.Script))
	}
	return nil
}

func errorsIn(list []found) int {
	n := 0
	for _, f := range list {
		if f.level == lint.Error {
			n++
		}
	}
	return n
}
