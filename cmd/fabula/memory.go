package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/lab/facts"
	"fabula/tui/text/lang"
)

// factLine and the others are the objects of `memory --json`.
type factLine struct {
	Event string `json:"event"` // fact
	story.Fact
}

type recalledLine struct {
	Event   string   `json:"event"` // recalled
	ID      string   `json:"id"`
	N       int      `json:"n"`
	Text    string   `json:"text"`
	Score   float64  `json:"score"`
	Because []string `json:"because"`
}

type summaryLine struct {
	Event string `json:"event"` // summary
	story.Digest
}

type horizonLine struct {
	Event string   `json:"event"` // horizon
	Turn  story.ID `json:"turn"`
	N     int      `json:"n"`
}

type memoryFlags struct {
	npc, text, pin, unpin string
	json                  bool

	test          bool
	turns         []int
	window        int
	engine, speak string
}

func newMemory(sh *shell) *cobra.Command {
	var f memoryFlags
	c := &cobra.Command{
		Use:   "memory WORLD [BRANCH[@N]]",
		Short: "List what NPCs can remember of a branch, why, and what was summed up",
		Long: "List the facts of a branch: what happened, who did it, in which turn, who was there, who was told. With --npc\n" +
			"those that one NPC knows of, the summaries that stand for what no longer fits into its prompt and what they\n" +
			"leave out, and the line before which it knows only what it recalls. --text shows what a line calls to its mind,\n" +
			"and because of which words. --pin has a fact remembered whatever is spoken of, --unpin takes that back.\n\n" +
			"With --test facts are planted in a playthrough that is thrown away, and asked for after 10, 50 and 200 turns: told\n" +
			"to the NPC, told again otherwise, told to somebody else, told on another branch, told to nobody. What is in the prompt\n" +
			"is tested exactly; with --engine the replies are too. Exit code 3 if anything from elsewhere is in a prompt.",
		Example: "  fabula memory fox_lantern hall-1\n  fabula memory fox_lantern hall-1 --npc laozhou --text \"Do you remember the herbs?\"\n" +
			"  fabula memory fox_lantern hall-1 --pin 01J….said\n  fabula memory fox_lantern --test --npc laozhou",
		Args: func(c *cobra.Command, args []string) error {
			if f.test {
				return exactly("WORLD")(c, args)
			}
			return exactly("WORLD", "BRANCH[@N]")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.test {
				return testMemory(c, sh, args[0], f)
			}
			if f.pin != "" || f.unpin != "" {
				return pinFact(c, sh, args, f)
			}
			return showMemory(c, sh, args, f)
		},
	}
	c.Flags().StringVar(&f.npc, "npc", "", "what this NPC knows of")
	c.Flags().StringVar(&f.text, "text", "", "what this line calls to the NPC's mind")
	c.Flags().StringVar(&f.pin, "pin", "", "have this fact remembered whatever is spoken of")
	c.Flags().StringVar(&f.unpin, "unpin", "", "take a pin back")
	c.Flags().BoolVar(&f.test, "test", false, "test what NPCs remember, all or the one of --npc")
	c.Flags().IntSliceVar(&f.turns, "turns", facts.Distances(), "with --test: after how many turns facts are asked for")
	c.Flags().IntVar(&f.window, "window", 4096, "with --test: tokens that a prompt may have")
	c.Flags().StringVar(&f.engine, "engine", "", "with --test: have this engine answer too")
	c.Flags().StringVar(&f.speak, "speak", "", "with --test: language of the test (default: the world's first; in a demo world --lang)")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

func showMemory(c *cobra.Command, sh *shell, args []string, f memoryFlags) (err error) {
	if f.text != "" && f.npc == "" {
		return usage("--text needs --npc: what a line calls to mind differs from one to the other")
	}
	o, err := openForReading(args[0], sh, playFlags{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	steps, err := stepsOf(o.session.Reader(), args[1])
	if err != nil {
		return err
	}
	m, err := o.session.Memories(steps[len(steps)-1].Alternative.ID, f.npc, f.text)
	if err != nil {
		return err
	}
	p := memoryPrinter{c.OutOrStdout(), lang.For(sh.lang), f.json}
	return p.print(m, o.session.Reader())
}

// memoryPrinter prints what there is to remember.
type memoryPrinter struct {
	out   io.Writer
	words *lang.Strings
	json  bool
}

func (p memoryPrinter) print(m story.Memories, r story.Reader) error {
	var all []error
	for _, f := range m.Facts {
		all = append(all, p.one(factLine{"fact", f}, p.fact(f)))
	}
	for _, d := range m.Past {
		all = append(all, p.one(summaryLine{"summary", d}, p.summary(d)))
	}
	if m.Horizon != "" {
		t, err := r.Turn(m.Horizon)
		all = append(all, err, p.one(horizonLine{"horizon", t.ID, t.Depth}, fmt.Sprintf(p.words.Memory.Horizon, t.Depth)))
	}
	for _, x := range m.Recalled {
		all = append(all, p.one(recalledLine{"recalled", x.ID, x.Depth, x.Text, x.Score, x.Because},
			fmt.Sprintf("@%-4d %s  (%s)", x.Depth, x.Text, fmt.Sprintf(p.words.Memory.Because, strings.Join(x.Because, p.words.Way.List)))))
	}
	return errors.Join(all...)
}

func (p memoryPrinter) one(object any, words string) error {
	if p.json {
		return writeJSON(p.out, object)
	}
	_, err := fmt.Fprintln(p.out, printable(words))
	return err
}

// fact words a fact: where, what, who knows of it, and its id.
func (p memoryPrinter) fact(f story.Fact) string {
	about := []string{fmt.Sprintf(p.words.Memory.Saw, p.list(f.Witnesses))}
	if len(f.Told) > 0 {
		about = append(about, fmt.Sprintf(p.words.Memory.Told, p.list(f.Told)))
	}
	if f.Confidence < 1 {
		about = append(about, fmt.Sprintf("%.0f %%", 100*f.Confidence))
	}
	if f.Pinned {
		about = append(about, p.words.Memory.Pinned)
	}
	return fmt.Sprintf("@%-4d %-6s %s  [%s]  %s", f.Depth, p.words.Memory.Kinds[string(f.Kind)], oneLine(f.Text), strings.Join(about, "; "), f.ID)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (p memoryPrinter) list(npcs []string) string {
	if len(npcs) == 0 {
		return p.words.Memory.Nobody
	}
	return strings.Join(npcs, p.words.Way.List)
}

// summary words a segment, then what it leaves out.
func (p memoryPrinter) summary(d story.Digest) string {
	by := d.By
	if by == "" {
		by = p.words.Memory.OwnWords
	}
	lines := []string{fmt.Sprintf(p.words.Memory.Summary, d.First, d.Last, by)}
	for _, point := range d.Points {
		lines = append(lines, "      "+oneLine(point.Text))
	}
	for _, x := range d.Lost {
		lines = append(lines, fmt.Sprintf("    - @%d %s: %s", x.Depth, p.words.Memory.Lost[x.Kind], oneLine(x.What)))
	}
	return strings.Join(lines, "\n")
}

// pinLine is what --pin and --unpin print with --json.
type pinLine struct {
	Event  string `json:"event"` // pin
	ID     string `json:"id"`
	Pinned bool   `json:"pinned"`
}

func pinFact(c *cobra.Command, sh *shell, args []string, f memoryFlags) (err error) {
	if f.pin != "" && f.unpin != "" {
		return usage("--pin and --unpin: one at a time")
	}
	o, err := openWorld(args[0], sh, playFlags{})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	b, err := findBranch(o.session.Reader(), args[1])
	if err != nil {
		return err
	}
	line := pinLine{"pin", f.pin + f.unpin, f.pin != ""}
	if err := o.session.Pin(b.ID, line.ID, line.Pinned); err != nil {
		return err
	}
	if f.json {
		return writeJSON(c.OutOrStdout(), line)
	}
	words := lang.For(sh.lang).Memory
	said := words.IsPinned
	if !line.Pinned {
		said = words.IsFree
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), said+"\n", line.ID)
	return err
}
