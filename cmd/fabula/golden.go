package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/personas/source"
	"fabula/story/golden"
	"fabula/story/golden/rerun"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

func newGolden(sh *shell) *cobra.Command {
	c := &cobra.Command{
		Use:   "golden",
		Short: "Keep good replies as tests: the like must come again",
		Long: `Keep good replies as tests. A golden reply is a file in the world's folder golden/
that a designer edits: where it was said, what was said before, and what another
reply in its place has to hold: words that must or must not be in it, how far the
voice may be from the persona's samples, and no rule that the golden one did not
break. Run them after an edit of a persona, or with another engine.`,
	}
	c.AddCommand(newGoldenAdd(sh), newGoldenList(sh), newGoldenRun(sh))
	return c
}

type starFlags struct {
	id        string
	must, not []string
}

func newGoldenAdd(sh *shell) *cobra.Command {
	var f starFlags
	c := &cobra.Command{
		Use:     "add WORLD BRANCH@N",
		Short:   "Make a golden reply of a stored one: a new file in golden/",
		Example: "  fabula golden add my_world door-1@3 --must 'twelve | dozen' --must-not phone",
		Args:    exactly("WORLD", "BRANCH@N"),
		RunE:    func(c *cobra.Command, args []string) error { return star(c, sh, args[0], args[1], f) },
	}
	c.Flags().StringVar(&f.id, "id", "", "id of the golden reply, and name of its file (default: after the NPC)")
	c.Flags().StringArrayVar(&f.must, "must", nil, "words that must be in the reply; | divides wordings (repeatable)")
	c.Flags().StringArrayVar(&f.not, "must-not", nil, "words that must not be in it (repeatable)")
	return c
}

func star(c *cobra.Command, sh *shell, ref, at string, f starFlags) error {
	w, r, closer, err := openReader(ref)
	if err != nil {
		return err
	}
	defer closer.Close()
	if w.Embedded {
		return usage("%s is built in; copy it with 'fabula new NAME --template %[1]s' and add to the copy", w.Name)
	}
	steps, _, err := stepsTo(r, at)
	if err != nil {
		return err
	}
	last := steps[len(steps)-1]
	if last.Alternative.Speaker == "" || last.Alternative.Text == "" || last.Turn.Input.Text == "" {
		return usage("%s: no NPC answers the player there", at)
	}
	through, err := r.Playthrough(last.Turn.Playthrough)
	if err != nil {
		return err
	}
	g := rerun.Star(w.Script, through.Language, steps)
	if g.ID, err = starID(w, g.NPC, f.id); err != nil {
		return err
	}
	g.MustKnow, g.MustNot = f.must, f.not
	words := lang.For(sh.lang).Golden
	by := g.NPC
	if last.Alternative.Reply != nil {
		by = last.Alternative.Reply.Engine.Name
	}
	file := filepath.Join(w.Dir, "golden", g.ID+".yaml")
	err = worlds.WriteNew(file, rerun.File(g, fmt.Sprintf(words.Comment, at, last.Turn.Depth, by), words.Hint))
	if errors.Is(err, fs.ErrExist) {
		return usage("%s is there already; give another name by --id", file)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), words.Made+"\n", printable(file))
	return err
}

// starID gives the id that is asked for, else a free one after the NPC.
func starID(w *worlds.World, npc, asked string) (string, error) {
	var taken []string
	for _, g := range goldenReplies(w, nil) {
		taken = append(taken, g.ID)
	}
	switch {
	case asked == "":
		return rerun.FreeID(npc, taken), nil
	case !source.IsID(asked):
		return "", usage("--id %q: an id is small letters, digits and _, a letter first", asked)
	}
	return asked, nil
}

// goldenReplies lists those of a world, all or those named.
func goldenReplies(w *worlds.World, ids []string) []golden.Reply {
	var out []golden.Reply
	for _, g := range w.Golden {
		for _, r := range g.Replies {
			if len(ids) == 0 || slices.Contains(ids, r.ID) {
				out = append(out, r)
			}
		}
	}
	return out
}

// goldenLine is one object of `golden list --json`.
type goldenLine struct {
	Event    string   `json:"event"` // golden
	ID       string   `json:"id"`
	At       string   `json:"at"`
	NPC      string   `json:"npc"`
	Say      string   `json:"say"`
	Reply    string   `json:"reply"`
	MustKnow []string `json:"must_know,omitempty"`
	MustNot  []string `json:"must_not_know,omitempty"`
	Distance float64  `json:"distance"`
}

func newGoldenList(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list WORLD",
		Short:   "List the golden replies of a world",
		Example: "  fabula golden list my_world",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := worlds.Open(args[0])
			if err != nil {
				return err
			}
			words := lang.For(sh.lang)
			all := goldenReplies(w, nil)
			if len(all) == 0 {
				fmt.Fprintln(c.ErrOrStderr(), words.Golden.None)
			}
			for _, g := range all {
				if err := printGolden(c.OutOrStdout(), words, g, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func printGolden(out io.Writer, words *lang.Strings, g golden.Reply, asJSON bool) error {
	if asJSON {
		return writeJSON(out, goldenLine{"golden", g.ID, g.Pos.String(), g.NPC, g.Say, g.Reply, g.MustKnow, g.MustNot, g.Distance})
	}
	some := func(all []string) string {
		if len(all) == 0 {
			return "–"
		}
		return strings.Join(all, words.Way.List)
	}
	_, err := fmt.Fprintf(out, words.Golden.Row+"\n    %s → %s\n", g.ID, g.NPC, printable(some(g.MustKnow)), printable(some(g.MustNot)), g.Distance, text.Line(g.Say), text.Line(g.Reply))
	return err
}
