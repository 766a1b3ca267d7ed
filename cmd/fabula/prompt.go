package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/prompt"
)

func newPrompt(sh *shell) *cobra.Command {
	var f sayFlags
	var text string
	c := &cobra.Command{
		Use:   "prompt WORLD NPC",
		Short: "Print exactly what would be sent to the engine",
		Long: `Print what a turn would send: every segment with its origin and its size in
tokens, and what was left out. Nothing is generated and nothing is stored.`,
		Example: `  fabula prompt fox_lantern laozhou --text "Who lit the lamp?"
  fabula prompt fox_lantern laozhou --branch hall-1 --json`,
		Args: exactly("WORLD", "NPC"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			o, err := openForReading(args[0], sh, f.playFlags)
			if err != nil {
				return err
			}
			defer func() { err = firstError(err, o.Close()) }()
			p, err := f.look(c.Context(), o, story.Input{To: args[1], Text: text, Sandbox: f.sandbox}, story.Look{})
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(c.OutOrStdout(), p)
			}
			printPrompt(c.OutOrStdout(), p, sh.lang)
			return nil
		},
	}
	f.register(c)
	f.registerStart(c)
	c.Flags().StringVar(&f.branch, "branch", "", "as the next turn below this branch's leaf")
	c.Flags().StringVar(&text, "text", "", "the player's line")
	c.Flags().BoolVar(&f.sandbox, "sandbox", false, "outside the plot")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object")
	return c
}

// look gives the prompt of a turn where the flags say.
func (f sayFlags) look(ctx context.Context, o *opened, in story.Input, look story.Look) (prompt.Prompt, error) {
	at, err := f.spot(o)
	if err != nil {
		return prompt.Prompt{}, err
	}
	to := story.Spot{Branch: at.branch.ID, At: at.below}
	if at.jump || !at.onBranch {
		to.Start = &at.start
	}
	return o.session.Look(ctx, to, in, look)
}

func printPrompt(w io.Writer, p prompt.Prompt, language string) {
	about := ""
	if p.Estimated {
		about = said(language, " (estimated: no tokeniser at hand)")
	}
	for _, s := range p.Segments {
		printSaid(w, language, "--- %s %s %s, %d tokens", s.Role, s.Kind, s.Source, s.Tokens)
		fmt.Fprintln(w, printable(s.Text))
	}
	for _, d := range p.Dropped {
		printSaid(w, language, "--- left out: %s, %d tokens (%s)", d.What, d.Tokens, d.Why)
	}
	printSaid(w, language, "--- total %d tokens, %d of them control tokens%s", p.Tokens, p.Control, about)
}
