package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/prompt"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// entryLine is one object of `lore --json`: an entry and what called it.
type entryLine struct {
	Event string `json:"event"` // entry
	prompt.Traced
}

// withoutLine is a part of the prompt that is only with an entry (gone without
// it), or only without it.
type withoutLine struct {
	Event  string      `json:"event"` // without
	Entry  string      `json:"entry"`
	Gone   bool        `json:"gone"`
	Kind   prompt.Kind `json:"kind"`
	Source string      `json:"source"`
	Text   string      `json:"text"`
	Tokens int         `json:"tokens"`
}

func newLore(sh *shell) *cobra.Command {
	var f sayFlags
	var npc, without string
	c := &cobra.Command{
		Use:   "lore WORLD TEXT",
		Short: "Show which lore a line calls, by which key, and what was cut",
		Long: "Say TEXT without saying it, and show what becomes of every entry of lore: called by which key, at which byte and\n" +
			"character of which text (the line, an earlier turn, another entry), or why not: no key, its condition, not known to\n" +
			"the NPC, a locked secret, or no room. --without shows what else the prompt would be if an entry were not there.\n" +
			"Nothing is generated and nothing is stored.",
		Example: "  fabula lore fox_lantern \"Is there a fox on the mountain?\" --npc laozhou\n  fabula lore fox_lantern \"The fox?\" --without foxes --json",
		Args:    exactly("WORLD", "TEXT"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			o, err := openForReading(args[0], sh, f.playFlags)
			if err != nil {
				return err
			}
			defer func() { err = firstError(err, o.Close()) }()
			if without != "" {
				if err := hasLore(o, without); err != nil {
					return err
				}
			}
			if len(o.session.Script().Lore) == 0 { // then there is nothing to count the tokens of
				printSaid(c.ErrOrStderr(), sh.lang, "no lore is called: the world has none")
				return nil
			}
			in := story.Input{To: npc, Text: args[1], Sandbox: f.sandbox}
			p, err := f.look(c.Context(), o, in, story.Look{Trace: true})
			if err != nil {
				return err
			}
			show := lorePrinter{c.OutOrStdout(), lang.For(sh.lang), f.json}
			if without == "" {
				if len(p.Lore) == 0 {
					printSaid(c.ErrOrStderr(), sh.lang, "no lore is called")
				}
				return show.entries(p.Lore)
			}
			q, err := f.look(c.Context(), o, in, story.Look{Trace: true, Without: []prompt.Part{{Kind: prompt.Lore, Source: "lore." + without}}})
			if err != nil {
				return err
			}
			return show.without(without, p, q)
		},
	}
	f.register(c)
	f.registerStart(c)
	c.Flags().StringVar(&f.branch, "branch", "", "as the next turn below this branch's leaf")
	c.Flags().StringVar(&npc, "npc", "", "who would answer (default: who would by itself)")
	c.Flags().StringVar(&without, "without", "", "show what changes in the prompt without this entry")
	c.Flags().BoolVar(&f.sandbox, "sandbox", false, "outside the plot")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

// hasLore refuses an entry that the world does not have, and names those it has.
func hasLore(o *opened, id string) error {
	var all []string
	for _, l := range o.session.Script().Lore {
		if l.ID == id {
			return nil
		}
		all = append(all, l.ID)
	}
	if len(all) == 0 {
		return usage("--without %s: this world has no lore", id)
	}
	return usage("--without %s: no such entry; there are: %s", id, strings.Join(all, ", "))
}

type lorePrinter struct {
	out   io.Writer
	words *lang.Strings
	json  bool
}

func (p lorePrinter) entries(all []prompt.Traced) error {
	for _, t := range all {
		if p.json {
			if err := writeJSON(p.out, entryLine{"entry", t}); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintln(p.out, printable(p.entry(t))); err != nil {
			return err
		}
	}
	return nil
}

// entry words what became of an entry, and under it each key that was found.
func (p lorePrinter) entry(t prompt.Traced) string {
	w := p.words.Lore
	mark, verdict := "-", w.Why[t.Why]
	switch {
	case t.In && t.Constant:
		mark, verdict = "+", w.Constant
	case t.In:
		mark, verdict = "+", w.Called
	case t.Fired:
		verdict = fmt.Sprintf(w.Cut, verdict)
	}
	if t.Why == prompt.WhyCondition {
		verdict += " (" + t.When + ")"
	}
	if t.By != "" {
		verdict += ", " + fmt.Sprintf(w.By, t.By)
	}
	if t.Tokens > 0 {
		verdict += ", " + fmt.Sprintf(w.Tokens, t.Tokens)
	}
	lines := []string{fmt.Sprintf("%s %-20s %s", mark, t.Entry, verdict)}
	for _, h := range t.Hits {
		key := w.Key
		if h.Secondary {
			key = w.Secondary
		}
		where := h.Where
		if name, ok := w.Where[where]; ok {
			where = name
		}
		lines = append(lines, "    "+fmt.Sprintf(key, h.Key, h.Quote, where, h.Start, h.Rune))
	}
	return strings.Join(lines, "\n")
}

// without shows in what two prompts differ.
func (p lorePrinter) without(id string, with, without prompt.Prompt) error {
	lines := differences(id, with, without)
	for _, l := range lines {
		if p.json {
			if err := writeJSON(p.out, l); err != nil {
				return err
			}
			continue
		}
		sign := "+"
		if l.Gone {
			sign = "-"
		}
		if _, err := fmt.Fprintf(p.out, "%s %s %s, %s: %s\n", sign, l.Kind, printable(l.Source), fmt.Sprintf(p.words.Lore.Tokens, l.Tokens), text.Line(l.Text)); err != nil {
			return err
		}
	}
	if len(lines) == 0 && !p.json {
		fmt.Fprintln(p.out, p.words.Lore.Same)
	}
	return nil
}

func differences(id string, with, without prompt.Prompt) []withoutLine {
	only := func(a, b prompt.Prompt, gone bool) []withoutLine {
		var out []withoutLine
		for _, s := range a.Segments {
			if !slices.ContainsFunc(b.Segments, func(o prompt.Segment) bool { return o.Kind == s.Kind && o.Text == s.Text }) {
				out = append(out, withoutLine{"without", id, gone, s.Kind, s.Source, s.Text, s.Tokens})
			}
		}
		return out
	}
	return append(only(with, without, true), only(without, with, false)...)
}
