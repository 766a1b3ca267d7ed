package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/plot"
)

// beatLine is one object of `beat --json`: what was noticed in a turn.
type beatLine struct {
	Event    string        `json:"event"` // beat or unsure
	N        int           `json:"n"`
	Turn     story.ID      `json:"turn"`
	Beat     string        `json:"beat"`
	By       string        `json:"by"`
	Evidence plot.Evidence `json:"evidence"`
	Changes  []plot.Change `json:"changes,omitempty"`
}

// decidedLine says where a decision was stored.
type decidedLine struct {
	Event string `json:"event"` // decided
	story.Decision
	Branch      story.ID `json:"branch"`
	Turn        story.ID `json:"turn"`
	Alternative story.ID `json:"alternative"`
}

func newBeat(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "beat WORLD BRANCH[@N] [accept|reject BEAT]",
		Short: "Show the beats that were noticed, or say that one happened or did not",
		Long: "Show what was noticed in the turns of a branch, and on which words; what may have happened is \"unsure\".\n" +
			"accept and reject take a person's word on a beat of turn N, else of the last turn: the turn is taken again\n" +
			"with it, the reply kept, beside the old one, which stays. The branch moves there only from its last turn;\n" +
			"further up a new branch is made.",
		Example: "  fabula beat fox_lantern hall-1\n  fabula beat fox_lantern hall-1@3 accept gives_word\n  fabula beat fox_lantern hall-1 reject hall.asks_lamp",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return exactly("WORLD", "BRANCH[@N]", "accept|reject", "BEAT")(c, args)
			}
			return exactly("WORLD", "BRANCH[@N]")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return showBeats(c, sh, args[0], args[1], asJSON)
			}
			if args[2] != "accept" && args[2] != "reject" {
				return usage("%q: write accept or reject", args[2])
			}
			return decideBeat(c, sh, args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func showBeats(c *cobra.Command, sh *shell, world, ref string, asJSON bool) error {
	r, closer, err := openTree(world)
	if err != nil {
		return err
	}
	defer closer.Close()
	steps, err := stepsOf(r, ref)
	if err != nil {
		return err
	}
	out, noticed := c.OutOrStdout(), 0
	for _, s := range steps {
		for _, line := range beatsOf(s) {
			noticed++
			if asJSON {
				err = writeJSON(out, line)
			} else {
				_, err = fmt.Fprintf(out, "@%d  %-6s  %-24s  %s: %q  [%s %s]%s\n", line.N, line.Event, line.Beat, line.By,
					printable(line.Evidence.Quote), line.Evidence.Rung, printable(line.Evidence.Rule), changesOf(line.Changes))
			}
			if err != nil {
				return err
			}
		}
	}
	if noticed == 0 {
		printSaid(c.ErrOrStderr(), sh.lang, "no beat was noticed in %s", printable(ref))
	}
	return nil
}

// beatsOf lists what was noticed in a step, the player's side first.
func beatsOf(s story.Step) []beatLine {
	var out []beatLine
	add := func(fired []plot.Fired, doubts []plot.Doubt) {
		for _, f := range fired {
			out = append(out, beatLine{"beat", s.Turn.Depth, s.Turn.ID, f.Beat, f.By, f.Evidence, f.Changes})
		}
		for _, d := range doubts {
			out = append(out, beatLine{"unsure", s.Turn.Depth, s.Turn.ID, d.Beat, d.By, d.Evidence, nil})
		}
	}
	add(s.Turn.Fired, s.Turn.Doubts)
	add(s.Alternative.Fired, s.Alternative.Doubts)
	return out
}

func decideBeat(c *cobra.Command, sh *shell, args []string, asJSON bool) (err error) {
	o, err := openWorld(args[0], sh, playFlags{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	steps, err := stepsOf(o.session.Reader(), args[1])
	if err != nil {
		return err
	}
	name, _, one := cutTurn(args[1])
	if !one {
		name = args[1]
	}
	b, err := findBranch(o.session.Reader(), name)
	if err != nil {
		return err
	}
	at := steps[len(steps)-1].Alternative.ID
	happened := args[2] == "accept"
	b, step, err := o.session.Decide(b.ID, at, args[3], happened)
	if err != nil {
		return err
	}
	if asJSON {
		view := story.ViewState(step.Alternative.State, o.session.Script().Offers(step.Alternative.State, o.language(b)))
		d := decidedLine{"decided", story.Decision{Beat: args[3], Happened: happened}, b.ID, step.Turn.ID, step.Alternative.ID}
		return firstError(writeJSON(c.OutOrStdout(), d), writeJSON(c.OutOrStdout(), story.Event{Kind: story.StateEvent, State: &view}))
	}
	for _, line := range beatsOf(step) {
		fmt.Fprintf(c.OutOrStdout(), "@%d  %-6s  %s%s\n", line.N, line.Event, line.Beat, changesOf(line.Changes))
	}
	printSaid(c.ErrOrStderr(), sh.lang, "[branch %s (%s), turn %d, at %s]", b.ID, printable(b.Name), step.Turn.Depth, step.Alternative.State.Node)
	return nil
}
