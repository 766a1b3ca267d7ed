package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
	"fabula/worlds"
)

// turnLine is one object of `show --json`.
type turnLine struct {
	Event       string           `json:"event"`
	N           int              `json:"n"`
	ID          story.ID         `json:"id"`
	Parent      story.ID         `json:"parent,omitempty"`
	Alternative story.ID         `json:"alternative"`
	Of          int              `json:"alternatives"`
	Player      story.Input      `json:"player"`
	Speaker     *string          `json:"speaker"`
	Text        string           `json:"text"`
	Lines       []plot.Played    `json:"lines,omitempty"`
	After       []plot.Played    `json:"lines_after,omitempty"`
	Anchors     []plot.Delivered `json:"anchors,omitempty"`
	Node        string           `json:"node"`
	Engine      string           `json:"engine,omitempty"`
	Reason      string           `json:"reason,omitempty"`
	Status      story.Status     `json:"status"`
	Human       bool             `json:"human,omitempty"`
}

func newShow(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "show WORLD BRANCH[@N]",
		Short:   "Print a branch, or turn N of it (0 is the opening)",
		Example: "  fabula show fox_lantern hall-1\n  fabula show fox_lantern hall-1@3 --json",
		Args:    exactly("WORLD", "BRANCH[@N]"),
		RunE: func(c *cobra.Command, args []string) error {
			r, closer, err := openTree(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			script, err := scriptForNames(args[0], c.ErrOrStderr(), sh.lang)
			if err != nil {
				return err
			}
			steps, err := stepsOf(r, args[1])
			if err != nil {
				return err
			}
			play, err := r.Playthrough(steps[0].Turn.Playthrough)
			if err != nil {
				return err
			}
			for _, s := range steps {
				if !asJSON {
					printStep(c.OutOrStdout(), script, s, play.Language, sh.lang)
					continue
				}
				if err := writeJSON(c.OutOrStdout(), newTurnLine(s)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// scriptForNames gives the script of a world, or an empty one while its files do
// not load: ids then stand for names.
func scriptForNames(ref string, notes io.Writer, language string) (*plot.Script, error) {
	w, err := worlds.Open(ref)
	var load *worlds.LoadError
	if errors.As(err, &load) {
		printSaid(notes, language, "the world does not load (%s), so ids stand for names", amount{len(load.Faults), "fault"})
		return &plot.Script{}, nil
	}
	if err != nil {
		return nil, err
	}
	return w.Script, nil
}

// stepsOf reads the path of "BRANCH" or the one step of "BRANCH@N".
func stepsOf(r story.Reader, ref string) ([]story.Step, error) {
	steps, one, err := stepsTo(r, ref)
	if err == nil && one {
		steps = steps[len(steps)-1:]
	}
	return steps, err
}

// stepsTo reads the path of "BRANCH", or of "BRANCH@N" up to turn N; turn says
// that a turn was named.
func stepsTo(r story.Reader, ref string) (steps []story.Step, turn bool, err error) {
	name, at, one := cutTurn(ref)
	if _, err := r.Branch(ref); err == nil {
		name, one = ref, false // a branch may be called so
	}
	b, err := findBranch(r, name)
	if err != nil {
		return nil, false, err
	}
	steps, err = r.Path(b.Leaf)
	if err == nil && len(steps) == 0 {
		err = coded{exitUsage, fmt.Errorf("branch %s has no opening yet: its program is at it, or died; opening the world mends it", b.Name)}
	}
	if err != nil || !one {
		return steps, false, err
	}
	if at >= len(steps) {
		return nil, true, usage("%s has turns 0 to %d, there is no %d", b.Name, len(steps)-1, at)
	}
	return steps[:at+1], true, nil
}

// cutTurn splits "name@3"; a name that merely holds an @ stays whole.
func cutTurn(ref string) (name string, n int, ok bool) {
	i := strings.LastIndexByte(ref, '@')
	if i < 0 {
		return ref, 0, false
	}
	n, err := strconv.Atoi(ref[i+1:])
	if err != nil || n < 0 {
		return ref, 0, false
	}
	return ref[:i], n, true
}

func newTurnLine(s story.Step) turnLine {
	t, a := s.Turn, s.Alternative
	line := turnLine{
		Event: "turn", N: t.Depth, ID: t.ID, Parent: t.Parent, Alternative: a.ID, Of: len(t.Children), Player: t.Input,
		Text: a.Text, Lines: a.Lines, After: a.After, Anchors: a.Delivered, Node: a.State.Node, Status: t.Status, Human: a.Human,
	}
	if a.Speaker != "" {
		line.Speaker = &a.Speaker
	}
	if a.Reply != nil {
		line.Engine, line.Reason = a.Reply.Engine.Name, string(a.Reply.Reason)
	}
	return line
}

// findBranch finds a branch and turns "no such" into words with what is there.
func findBranch(r story.Reader, ref string) (story.Branch, error) {
	b, err := r.Branch(ref)
	if err == nil {
		return b, nil
	}
	all, lerr := r.Branches()
	if lerr != nil || !errors.Is(err, story.ErrNotFound) {
		return b, coded{exitUsage, err}
	}
	var names []string
	for i, x := range all {
		if i == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, printable(x.Name))
	}
	if len(names) == 0 {
		return b, usage("branch %q: not found; there are no branches yet", ref)
	}
	return b, usage("branch %q: not found; there are: %s", ref, strings.Join(names, ", "))
}

// printStep prints one turn for a person.
func printStep(w io.Writer, script *plot.Script, s story.Step, speak, language string) {
	t, a := s.Turn, s.Alternative
	tell := newTeller(w, w, script, language, false)
	tell.speak = speak
	others := ""
	if len(t.Children) > 1 {
		others = said(language, "  (1 of %d alternatives)", len(t.Children))
	}
	printSaid(w, language, "@%d  at %s%s", t.Depth, a.State.Node, others)
	if t.Input.Text != "" {
		fmt.Fprintf(w, "> %s\n", printable(t.Input.Text))
	}
	for _, taken := range []*plot.Taken{t.Taken, a.Taken} {
		if taken != nil {
			printSaid(w, language, "[exit %s, %s]", taken.Exit, said(language, string(taken.By)))
		}
	}
	for _, f := range append(append([]plot.Fired{}, t.Fired...), a.Fired...) {
		printSaid(w, language, "[beat %s by %s: %q%s]", f.Beat, said(language, string(f.By)), printable(f.Evidence.Quote), changesOf(f.Changes))
	}
	tell.lines(a.Lines)
	if a.Speaker != "" && a.Text != "" {
		fmt.Fprintf(w, "%s: %s\n", printable(tell.name(a.Speaker)), printable(a.Text))
	}
	for _, d := range a.Delivered {
		fmt.Fprintf(w, "[%s]\n", delivered(d, language))
	}
	tell.lines(a.After)
	for _, f := range a.Findings {
		tell.finding(f)
	}
	switch {
	case t.Status == story.Failed && a.Reply != nil && a.Reply.Reason == engine.Cancelled:
		printSaid(w, language, "[stopped before a word came]") // by the person: nothing failed
	case t.Status != story.Finished:
		fmt.Fprintf(w, "[%s]\n", said(language, string(t.Status)))
	}
}

// delivered says of an anchor on which words it was delivered, and whether the
// player had spoken of it.
func delivered(d plot.Delivered, language string) string {
	how := fmt.Sprintf("%q", printable(d.Evidence.Quote))
	if d.Authored {
		how = said(language, "its authored line")
	}
	if d.Prompted {
		how += said(language, ", asked for")
	}
	return said(language, "anchor %s by %s: %s", d.Anchor, d.By, how)
}
