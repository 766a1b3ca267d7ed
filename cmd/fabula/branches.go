package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/worlds"
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
	// Edited is the first reply whose prompt an edit of the world changed.
	Edited *story.Edited `json:"edited,omitempty"`
}

func newBranches(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "branches WORLD",
		Short:   "List the branches of a world, newest first",
		Long:    "List the branches of a world, newest first, and of each the first turn whose prompt an edit of the world's files\nchanged: 'fabula replay WORLD BRANCH --changed' shows how the replies would go now.",
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
				printSaid(c.ErrOrStderr(), sh.lang, "no branches yet; 'fabula %s' or 'fabula say %s NPC TEXT' makes the first", args[0], args[0])
			}
			edited, err := editedIn(args[0], r)
			if err != nil {
				return err
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
				line := branchLine{"branch", b.ID, b.Name, b.Leaf, leaf.State.Node, turn.Depth, append([]string{}, b.Tags...), nil}
				if line.Edited, err = edited(b.Leaf); err != nil {
					return fmt.Errorf("branch %s: %w", b.Name, err)
				}
				if err := printBranch(c.OutOrStdout(), line, sh.lang, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// editedIn gives what tells of a branch whether an edit of the world changed its
// prompts; nothing is told while the world's files do not load.
func editedIn(ref string, r story.Reader) (func(story.ID) (*story.Edited, error), error) {
	w, err := worlds.Open(ref)
	var load *worlds.LoadError
	if errors.As(err, &load) {
		return func(story.ID) (*story.Edited, error) { return nil, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := story.New(story.Config{Script: w.Script, Reader: r})
	if err != nil {
		return nil, err
	}
	return s.Edited, nil
}

func printBranch(w io.Writer, b branchLine, language string, asJSON bool) error {
	if asJSON {
		return writeJSON(w, b)
	}
	about := []string{said(language, "%s  at %s", amount{b.Turns, "turn"}, b.Node)}
	about = append(about, b.Tags...)
	if e := b.Edited; e != nil {
		about = append(about, said(language, "edited: @%d %s %s", e.N, e.Kind, printable(e.Source)))
	}
	_, err := fmt.Fprintf(w, "%s  %-20s  %s\n", b.ID, printable(b.Name), strings.Join(about, "  "))
	return err
}
