package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

func newCensus(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "census WORLD BRANCH[@N]",
		Short: "List what a branch left open: anchors, beats, secrets, a question, promises",
		Long: "List what a branch left open at its end, or at turn N: anchors that were never said and beats that never\n" +
			"happened in the nodes that it came by, secrets that were unlocked and never told, a question that waits, and what\n" +
			"was promised, by words of promising, and nothing that happened later has the words of: whether it was kept in\n" +
			"other words is for a person to say.",
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
			steps, speak, err := pathOf(r, args[1])
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
			promises := story.OpenPromises(w.Script, steps, speak)
			for _, p := range promises {
				if err := printPromise(c.OutOrStdout(), words, p, asJSON); err != nil {
					return err
				}
			}
			printSaid(c.ErrOrStderr(), sh.lang, "%s left open", amount{len(open) + len(promises), "thread"})
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// pathOf reads the path to the end of BRANCH, or to its turn N, and the language
// that NPCs speak on it.
func pathOf(r story.Reader, ref string) ([]story.Step, string, error) {
	_, at, err := branchAt(r, ref)
	if err != nil {
		return nil, "", err
	}
	steps, err := r.Path(at)
	if err != nil || len(steps) == 0 {
		_, err = stepsOf(r, ref) // says what is wrong
		return nil, "", err
	}
	play, err := r.Playthrough(steps[0].Turn.Playthrough)
	return steps, play.Language, err
}

func printPromise(out io.Writer, words *lang.Strings, p story.Promise, asJSON bool) error {
	if asJSON {
		return writeJSON(out, struct {
			Event string `json:"event"`
			Kind  string `json:"kind"`
			story.Promise
		}{"thread", "promise", p})
	}
	_, err := fmt.Fprintf(out, "%-28s %s: %q\n", fmt.Sprintf("@%d %s", p.N, p.By), words.Threads["promise"], printable(p.Text))
	return err
}
