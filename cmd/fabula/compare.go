package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/compare"
	"fabula/tui/text/lang"
)

// comparedLine is the first object of `compare --json`.
type comparedLine struct {
	Event  string `json:"event"`
	A      string `json:"a"`
	B      string `json:"b"`
	Shared int    `json:"shared"` // turns at the beginning that are the same
	Turns  int    `json:"turns"`  // rows that follow
	Differ int    `json:"differ"` // of them
}

// rowLine is one row of `compare --json`. A side without a turn has null.
type rowLine struct {
	Event string       `json:"event"`
	Kind  compare.Kind `json:"kind"`
	A     *int         `json:"a"`
	B     *int         `json:"b"`
	compare.Detail
	MadeA *madeLine `json:"made_a,omitempty"`
	MadeB *madeLine `json:"made_b,omitempty"`
}

// madeLine says how a reply came about.
type madeLine struct {
	Alternative story.ID `json:"alternative"`
	Engine      string   `json:"engine"`
	Seed        uint64   `json:"seed"`
	TTFT        float64  `json:"ttft_ms,omitempty"`
	Rate        float64  `json:"tokens_per_s,omitempty"`
}

func newCompare(sh *shell) *cobra.Command {
	var asJSON, whole bool
	c := &cobra.Command{
		Use:   "compare WORLD A[@N] B[@N]",
		Short: "Compare two branches turn by turn, word by word",
		Long: "Compare two branches, each whole or up to turn N. Turns that both share are counted; those that follow are\n" +
			"aligned by what was said, and what stands on one side only is put in brackets. Chinese is compared\n" +
			"character by character, other writing by words and then by letters.",
		Example: "  fabula compare fox_lantern hall-1 hall-2\n  fabula compare fox_lantern hall-1@4 hall-1-1 --json",
		Args:    exactly("WORLD", "A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			r, closer, err := openTree(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			var paths [2][]story.Step
			for i, ref := range args[1:] {
				if paths[i], _, err = stepsTo(r, ref); err != nil {
					return err
				}
			}
			p := comparison{c: compare.Paths(paths[0], paths[1]), t: lang.For(sh.lang), whole: whole}
			if asJSON {
				return p.writeJSON(c.OutOrStdout(), args[1], args[2])
			}
			p.print(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.Flags().BoolVar(&whole, "whole", false, "print turns with the same words too")
	return c
}

// comparison is a comparison on its way out.
type comparison struct {
	c     *compare.Comparison
	t     *lang.Strings
	whole bool
}

func (p *comparison) writeJSON(w io.Writer, a, b string) error {
	if err := writeJSON(w, comparedLine{"compare", a, b, p.c.Shared, len(p.c.Rows), p.c.Differences()}); err != nil {
		return err
	}
	for _, row := range p.c.Rows {
		line := rowLine{Event: "turn", Kind: row.Kind, Detail: p.c.Detail(row)}
		line.A, line.MadeA = depthOf(p.c.A, row.A)
		line.B, line.MadeB = depthOf(p.c.B, row.B)
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

func depthOf(steps []story.Step, i int) (*int, *madeLine) {
	if i < 0 {
		return nil, nil
	}
	a := steps[i].Alternative
	made := &madeLine{Alternative: a.ID}
	if a.Reply != nil {
		t := a.Reply.Timing()
		made.Engine, made.Seed, made.Rate = a.Reply.Engine.Name, a.Reply.Seed, t.Rate
		made.TTFT = float64(t.TTFT.Microseconds()) / 1000
	}
	return &steps[i].Turn.Depth, made
}

func (p *comparison) print(w io.Writer) {
	t := p.t.Compare
	if n := p.c.Shared; n > 0 {
		fmt.Fprintln(w, "= "+t.SharedTurns(p.c.A[n-1].Turn.Depth))
	}
	for _, row := range p.c.Rows {
		if row.Kind == compare.Equal && !p.whole {
			continue
		}
		fmt.Fprintf(w, "\n%s  %s\n", fmt.Sprintf(t.Turn, turnNumber(p.c.A, row.A), turnNumber(p.c.B, row.B)), t.Kinds[string(row.Kind)])
		p.printRow(w, row)
	}
	if p.c.Differences() == 0 {
		fmt.Fprintln(w, t.Same)
	}
}

func turnNumber(steps []story.Step, i int) string {
	if i < 0 {
		return "-"
	}
	return fmt.Sprint(steps[i].Turn.Depth)
}

func (p *comparison) printRow(w io.Writer, row compare.Row) {
	t, d := p.t.Compare, p.c.Detail(row)
	for _, l := range d.Lines {
		by := printable(l.By)
		switch l.By {
		case compare.Player:
			by = p.t.Chat.You
		case "":
			by = p.t.Chat.Narration
		}
		if a, b := bracketed(l.A), bracketed(l.B); a == b {
			fmt.Fprintf(w, "  = %s: %s\n", by, a)
		} else {
			printSide(w, t.A, by, a)
			printSide(w, t.B, by, b)
		}
	}
	var state []string
	for _, v := range d.State {
		state = append(state, fmt.Sprintf("%s %s | %s", v.Name, v.A, v.B))
	}
	printList(w, t.State, state)
	for _, x := range []struct {
		side, what string
		list       []string
	}{
		{t.A, t.Beats, d.BeatsA}, {t.B, t.Beats, d.BeatsB}, {t.A, t.Exits, d.ExitsA}, {t.B, t.Exits, d.ExitsB},
		{t.A, t.Lore, d.LoreA}, {t.B, t.Lore, d.LoreB},
	} {
		printList(w, x.side+" "+x.what, x.list)
	}
	for _, f := range d.FindingsA {
		printList(w, t.A+" "+t.Findings, []string{p.t.Finding(f.Code, f.Args)})
	}
	for _, f := range d.FindingsB {
		printList(w, t.B+" "+t.Findings, []string{p.t.Finding(f.Code, f.Args)})
	}
}

func printSide(w io.Writer, side, by, said string) {
	if said != "" {
		fmt.Fprintf(w, "  %s %s: %s\n", side, by, said)
	}
}

func printList(w io.Writer, what string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(w, "  %s: %s\n", what, printable(strings.Join(list, ", ")))
	}
}

// bracketed puts brackets around what stands on one side only.
func bracketed(spans []compare.Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Op == compare.Only {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return printable(b.String())
}
