package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

// found is one thing that `check` reports, worded: a load fault or a finding.
type found struct {
	pos        source.Pos
	level      lint.Level
	code       string
	args       []string
	what, todo string
	way        []space.Step
	forced     bool
	reason     string // of an allowed finding
}

// foundLine is one object of `check --json`. Event is finding, or allowed with
// a reason in place of a level.
type foundLine struct {
	Event  string       `json:"event"`
	Level  lint.Level   `json:"level,omitempty"`
	Code   string       `json:"code"`
	File   string       `json:"file"`
	Line   int          `json:"line"`
	Col    int          `json:"col"`
	Args   []string     `json:"args,omitempty"`
	What   string       `json:"what"`
	Do     string       `json:"do,omitempty"`
	Way    []space.Step `json:"way,omitempty"` // a shortest way to a state that shows it
	Forced bool         `json:"may_be_impossible,omitempty"`
	Reason string       `json:"reason,omitempty"`
}

// checking is what `check` was asked for, and what it found.
type checking struct {
	world    *worlds.World
	list     []found
	allowed  []found
	space    *space.Space // nil for a world that does not load
	limits   space.Limits
	walks    int
	seed     uint64
	json     bool
	language string
	words    *lang.Strings
}

func newCheck(sh *shell) *cobra.Command {
	var ck checking
	var junit, judged string
	var beats bool
	c := &cobra.Command{
		Use:   "check WORLD",
		Short: "Load everything and report every fault and finding with its line",
		Long: "Load everything and report every fault with its line; of a world that loads, what breaks the story:\n" +
			"every state that play can come to is searched, and what is found there comes with a shortest way to it.\n" +
			"What the search could not finish is said (not_proven). Warnings leave the exit code at 0.\n" +
			"`allow: [{finding: CODE, reason: …}]` on a world, variable, persona, node, beat or exit silences one;\n" +
			"the reason is shown. --json shows the codes, and the ways step by step.\n\n" +
			"--walks N also plays N walks, half by chance, half seeking what was done least, and lists what they\n" +
			"never came to although the search says that it can be reached.\n\n" +
			"--beats prints precision, recall, how often it is left to a person, and the time added to a turn.",
		Example: "  fabula check my_world\n  fabula check my_world --junit faults.xml\n  fabula check my_world --walks 500 --seed 7",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			if ck.limits.States < 1 || ck.walks < 0 {
				return usage("--states %d --walks %d: at least one state is searched, and no less than no walk is played", ck.limits.States, ck.walks)
			}
			w, err := worlds.Open(args[0])
			var load *worlds.LoadError
			if err != nil && !errors.As(err, &load) {
				return err
			}
			ck.words, ck.language = lang.For(sh.lang), sh.lang
			if beats && load == nil {
				return ck.beats(c, w, judged)
			}
			ck.find(w, load)
			if junit != "" {
				if err := writeJUnit(junit, args[0], ck.list, ck.allowed); err != nil {
					return err
				}
			}
			if err := ck.print(c.OutOrStdout()); err != nil {
				return err
			}
			return ck.sumUp(c.ErrOrStderr(), sh.lang)
		},
	}
	c.Flags().BoolVar(&ck.json, "json", false, "one JSON object a line")
	c.Flags().StringVar(&junit, "junit", "", "also write a JUnit report to this file")
	c.Flags().BoolVar(&beats, "beats", false, "instead measure how beats are noticed, on the sentences of labels/*.yaml")
	c.Flags().StringVar(&judged, "judge", "", "with --beats: also ask this engine about beats that have a judge")
	c.Flags().IntVar(&ck.limits.States, "states", space.DefaultStates, "most states to search")
	c.Flags().IntVar(&ck.walks, "walks", 0, "also play this many walks and show what they came by")
	c.Flags().Uint64Var(&ck.seed, "seed", 1, "of the walks")
	return c
}

// find words what is wrong with a world: its load faults, else its findings.
func (ck *checking) find(w *worlds.World, load *worlds.LoadError) {
	ck.world = w
	if load != nil {
		ck.faults(load.Faults)
		return
	}
	ck.faults(w.Faults)
	r := check.Examine(w.Script, ck.limits)
	ck.space = r.Space
	for _, f := range r.Findings {
		ck.list = append(ck.list, ck.worded(f))
	}
	for _, f := range r.Allowed {
		ck.allowed = append(ck.allowed, ck.worded(f))
	}
}

func (ck *checking) faults(all []source.Fault) {
	for _, f := range all {
		what, todo := lang.Fault(f.Code, f.Args, ck.words.Code)
		ck.list = append(ck.list, found{pos: f.Pos, level: lint.Error, code: f.Code, args: f.Args, what: what, todo: todo})
	}
}

func (ck *checking) worded(f check.Finding) found {
	what, todo := lang.Finding(f.Code, f.Args, ck.words.Code)
	return found{pos: f.Pos, level: f.Level, code: f.Code, args: f.Args, what: what, todo: todo, way: f.Way, forced: f.Forced, reason: f.Reason}
}

func (ck *checking) print(w io.Writer) error {
	if ck.json {
		return ck.printJSON(w)
	}
	for _, f := range ck.list {
		level := ""
		if f.level != lint.Error {
			level = lang.Warning(ck.words.Code) + ": "
		}
		printOne(w, f.pos, level+f.what, f.todo)
		if f.forced {
			fmt.Fprintf(w, "    %s\n", ck.words.Way.MayBe)
		}
		if wording.Telling(f.way) {
			fmt.Fprintf(w, "    %s\n", ck.words.Way.Heading)
			for _, step := range wording.Way(f.way, ck.words) {
				fmt.Fprintf(w, "      %s\n", printable(step))
			}
		}
	}
	for _, f := range ck.allowed {
		fmt.Fprintf(w, "%s: %s\n", f.pos, printable(fmt.Sprintf(ck.words.Way.Allowed, f.code, f.reason)))
	}
	if ck.walks > 0 && ck.space != nil {
		ck.printCoverage(w, ck.space.Walk(ck.walks, ck.seed))
	}
	return nil
}

func (ck *checking) printJSON(w io.Writer) error {
	for _, f := range ck.list {
		if err := writeJSON(w, f.line("finding", f.level)); err != nil {
			return err
		}
	}
	for _, f := range ck.allowed {
		if err := writeJSON(w, f.line("allowed", "")); err != nil {
			return err
		}
	}
	if ck.space == nil {
		return nil
	}
	if err := writeJSON(w, spaceLine{"space", ck.space.States, ck.space.Turns, ck.space.Complete()}); err != nil {
		return err
	}
	if ck.walks > 0 {
		return jsonCoverage(w, ck.space.Walk(ck.walks, ck.seed))
	}
	return nil
}

func (f found) line(event string, level lint.Level) foundLine {
	return foundLine{event, level, f.code, f.pos.File, f.pos.Line, f.pos.Col, f.args, f.what, f.todo, f.way, f.forced, f.reason}
}

// sumUp says in one line how the world stands; an error where it may not pass.
func (ck *checking) sumUp(out io.Writer, language string) error {
	w, failed := ck.world, errorsIn(ck.list)
	warnings := len(ck.list) - failed
	if w == nil {
		fmt.Fprintln(out, amount{failed, "fault"}.in(language))
		return errReported
	}
	proof := said(language, "%d states searched, not all", ck.space.States)
	if ck.space.Complete() {
		proof = said(language, "all %s searched", amount{ck.space.States, "state"})
	}
	switch {
	case failed > 0:
		printSaid(out, language, "%s loads, but has %s, %s", w.Name, amount{failed, "error"}, amount{warnings, "warning"})
		return errReported
	case warnings > 0:
		printSaid(out, language, "%s loads: %s; %s; %s", w.Name, counts(w.Script, language), proof, amount{warnings, "warning"})
	default:
		printSaid(out, language, "%s loads: %s; %s", w.Name, counts(w.Script, language), proof)
	}
	return nil
}

func errorsIn(list []found) int {
	n := 0
	for _, f := range list {
		if f.level == lint.Error {
			n++
		}
	}
	return n
}
