package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/cues"
	"fabula/story/voice"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// ruleLine is one object of `lint --rules --json`.
type ruleLine struct {
	Event    string     `json:"event"`
	Code     string     `json:"code"`
	Level    lint.Level `json:"level"`
	MayBlock bool       `json:"may_block"`
	lint.Measured
}

func newLint(sh *shell) *cobra.Command {
	var asJSON, rules bool
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint [WORLD]",
		Short: "Judge everything that NPCs said by the rules about voice, with rates",
		Long: "Judge every stored reply by the rules about voice, as the world now is: taboo words, slang, talk about the\n" +
			"machine, anachronisms, leaks, repetition and more. Prints findings, then how often each rule hits for each\n" +
			"persona, engine and version of the persona, with a 95 % Wilson interval. --rules lists the rules with their\n" +
			"precision and recall on labelled cases, those of the rule's author and second ones by another hand; `lint` in world.yaml says what is made of each.\n" +
			"--write-baseline keeps what is found, --baseline tells what is worse since; then only that counts.",
		Example: "  fabula lint fox_lantern\n  fabula lint fox_lantern --branch hall-1 --json\n  fabula lint --rules",
		Args: func(c *cobra.Command, args []string) error {
			if rules {
				return exactly()(c, args)
			}
			return exactly("WORLD")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			words := lang.For(sh.lang)
			if rules {
				return printRules(c.OutOrStdout(), words, asJSON)
			}
			return judgeWorld(c, sh, args[0], f, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.Flags().BoolVar(&rules, "rules", false, "list the rules instead")
	c.Flags().StringVar(&f.baseline, "baseline", "", "compare with this baseline: exit code 3 if a rule is gone, finds less in the same replies, or hits more often")
	c.Flags().StringVar(&f.write, "write-baseline", "", "keep what the rules find now in this file")
	c.Flags().StringVar(&f.branch, "branch", "", "only the replies on the path of this branch")
	return c
}

// lintFlags are those of the replies that are judged.
type lintFlags struct{ branch, baseline, write string }

func judgeWorld(c *cobra.Command, sh *shell, ref string, f lintFlags, asJSON bool) error {
	words := lang.For(sh.lang)
	if f.baseline != "" && f.write != "" {
		return usage("--baseline and --write-baseline: compare first, then keep")
	}
	w, err := worlds.Open(ref)
	if err != nil {
		return err
	}
	r, closer, err := openTree(ref)
	if err != nil {
		return err
	}
	defer closer.Close()
	var leaf story.ID
	if f.branch != "" {
		b, err := findBranch(r, f.branch)
		if err != nil {
			return err
		}
		leaf = b.Leaf
	}
	report, err := voice.Judge(r, w.Script, leaf)
	if err != nil {
		return err
	}
	now := voice.NewBaseline(report, w.Script.Lint.Off())
	switch {
	case f.write != "":
		return writeBaseline(c.ErrOrStderr(), f.write, report, now, words)
	case f.baseline != "":
		return trend(c.OutOrStdout(), f.baseline, r, now, words, asJSON)
	}
	if err := printReport(c.OutOrStdout(), report, words, asJSON); err != nil {
		return err
	}
	failed := 0
	for _, f := range report.Findings {
		if f.Level == lint.Error {
			failed++
		}
	}
	printSaid(c.ErrOrStderr(), sh.lang, "%s judged, %s, %s at error level", amount{report.Replies, "reply"}, amount{len(report.Findings), "finding"}, amount{failed, "finding"})
	if failed > 0 {
		return errReported
	}
	return nil
}

func printReport(out io.Writer, report voice.Report, words *lang.Strings, asJSON bool) error {
	for _, f := range report.Findings {
		what := words.Finding(f.Code, f.Args)
		var err error
		if asJSON {
			err = writeJSON(out, struct {
				Event string `json:"event"`
				voice.Found
				What string `json:"what"`
			}{"finding", f, what})
		} else if f.Level != lint.Info {
			_, err = fmt.Fprintf(out, "%-14s %s  %s: %s\n", printable(turnOf(f)), f.Persona, f.Level, printable(what))
		}
		if err != nil {
			return err
		}
	}
	for _, row := range report.Rows {
		if asJSON {
			if err := writeJSON(out, struct {
				Event string `json:"event"`
				voice.Row
			}{"rate", row}); err != nil {
				return err
			}
		} else if row.Hits > 0 {
			fmt.Fprintf(out, "%-12s %-24s v%d  %-18s %4d/%-4d %5.1f %%  (%.1f–%.1f %%)\n", row.Persona, printable(row.Engine), row.Version,
				row.Rule, row.Hits, row.N, 100*row.Rate.Rate, 100*row.Low, 100*row.High)
		}
	}
	return nil
}

// turnOf names the turn of a finding as other commands take it, with ~ for a reply
// beside the one that the branch goes on with; one that no branch comes by has
// only its id.
func turnOf(f voice.Found) string {
	if f.Branch == "" {
		return string(f.Alternative)
	}
	ref := f.Branch + "@" + strconv.Itoa(f.N)
	if f.Beside {
		ref += "~"
	}
	return ref
}

func printRules(out io.Writer, words *lang.Strings, asJSON bool) error {
	for _, r := range lint.Rules() {
		m, ok := lint.MeasuredBy(r.Code)
		if !ok {
			m, _ = cues.MeasuredBy(r.Code)
		}
		m = unlisted(m)
		line := ruleLine{"rule", r.Code, r.Level, lint.MayBlock(r.Code), m}
		if asJSON {
			if err := writeJSON(out, line); err != nil {
				return err
			}
			continue
		}
		figures := figuresOf(m)
		if m.Second != nil {
			figures += ", second " + figuresOf(*m.Second)
		}
		may := ""
		if line.MayBlock {
			may = "stop, regenerate"
		}
		fmt.Fprintf(out, "%-18s %-8s %s  %s  %s\n", r.Code, r.Level, figures, printable(words.Rule(r.Code)), may)
	}
	return nil
}

// unlisted leaves the wrong cases themselves out.
func unlisted(m lint.Measured) lint.Measured {
	m.Wrong = nil
	if m.Second != nil {
		second := unlisted(*m.Second)
		m.Second = &second
	}
	return m
}

func figuresOf(m lint.Measured) string {
	return fmt.Sprintf("precision %.3f recall %.3f of %3d", m.Precision, m.Recall, m.Hits+m.Misses)
}
