package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/story"
	"fabula/story/export/junit"
	"fabula/story/golden/rerun"
	"fabula/story/store"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

type goldenRunFlags struct {
	playFlags
	seed  uint64
	junit string
	json  bool
}

// ranLine is one object of `golden run --json`.
type ranLine struct {
	Event    string          `json:"event"` // golden
	ID       string          `json:"id"`
	NPC      string          `json:"npc"`
	Green    bool            `json:"green"`
	Engine   string          `json:"engine"`
	Was      string          `json:"was"`
	Is       string          `json:"is"`
	Distance float64         `json:"distance"`
	Failures []rerun.Failure `json:"failures,omitempty"`
	What     []string        `json:"what,omitempty"`
}

func newGoldenRun(sh *shell) *cobra.Command {
	var f goldenRunFlags
	c := &cobra.Command{
		Use:   "run WORLD [ID…]",
		Short: "Ask for golden replies again: green or red",
		Long: `Ask for golden replies again, all or those named, and say of each whether what is
asked of it still holds. Nothing is stored in the world. Exit status 3 if one is red.`,
		Example: "  fabula golden run my_world --engine qwen2.5-3b --junit golden.xml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("fabula golden run needs WORLD")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runGolden(c, sh, args[0], args[1:], f) },
	}
	f.alike = true
	c.Flags().StringVar(&f.engine, "engine", "", "who answers (default: the ladder)")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of every reply")
	c.Flags().StringVar(&f.junit, "junit", "", "write the results as JUnit XML")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

func runGolden(c *cobra.Command, sh *shell, ref string, ids []string, f goldenRunFlags) (err error) {
	o, err := openApart(ref, sh, f.playFlags, func(o *opened) story.Engines { return o.catalog })
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	slices.Sort(ids)
	ids = slices.Compact(ids)
	replies := goldenReplies(o.world, ids)
	if len(replies) < len(ids) || len(replies) == 0 {
		return goldenMissing(o.world, ids)
	}
	if err := o.catalog.Ready(c.Context(), engine.Ask{Language: o.speak}); err != nil {
		return err
	}
	report := goldenReport{out: c.OutOrStdout(), words: lang.For(sh.lang), json: f.json}
	for _, g := range replies {
		r, err := rerun.Run(c.Context(), o.session, g, story.Options{Seed: &f.seed})
		if err != nil {
			return err
		}
		if err := report.add(r); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.ErrOrStderr(), report.words.Golden.Sum+"\n", report.red, len(replies))
	if f.junit != "" {
		if err := writeSuite(f.junit, report.suite(ref)); err != nil {
			return err
		}
	}
	if report.red > 0 {
		return errReported
	}
	return nil
}

func goldenMissing(w *worlds.World, ids []string) error {
	var there []string
	for _, g := range goldenReplies(w, nil) {
		there = append(there, g.ID)
	}
	if len(there) == 0 {
		return usage("%s has no golden replies; make one with 'fabula golden add %[1]s BRANCH@N'", w.Name)
	}
	return usage("no golden reply %v in this world; there are: %v", ids, there)
}

// apartStore is a store in a folder that goes with it.
type apartStore struct{ dir string }

// Close takes the folder away.
func (a apartStore) Close() error { return os.RemoveAll(a.dir) }

// openApart is openWorld with a store of its own that nobody sees and that is gone
// in the end: the world can be open elsewhere, and nothing is added to it.
func openApart(ref string, sh *shell, f playFlags, answers func(*opened) story.Engines) (_ *opened, err error) {
	w, err := worlds.Open(ref)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "fabula-")
	if err != nil {
		return nil, err
	}
	logger, logs := openLog(os.Stderr)
	o := &opened{world: w, log: logger, logs: closers{logs, apartStore{dir}}}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Close())
		}
	}()
	if o.catalog, err = o.engines(f); err != nil {
		return nil, err
	}
	if o.speak, err = playLanguage(w, f.speak, f.language(sh)); err != nil {
		return nil, err
	}
	tree, err := store.Open(dir, store.WithLog(logger))
	if err != nil {
		return nil, err
	}
	o.session, err = story.New(story.Config{Script: w.Script, Store: tree, Engines: answers(o), Language: o.speak, Log: logger})
	if err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return o, nil
}

// closers are closed in order.
type closers []io.Closer

// Close closes all, whatever fails.
func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}

// goldenReport prints golden replies as they come and sums them up.
type goldenReport struct {
	out     io.Writer
	words   *lang.Strings
	json    bool
	red     int
	results []rerun.Result
}

func (p *goldenReport) add(r rerun.Result) error {
	p.results = append(p.results, r)
	if r.Red() {
		p.red++
	}
	what := p.what(r)
	if p.json {
		return writeJSON(p.out, ranLine{"golden", r.Golden.ID, r.Golden.NPC, !r.Red(), r.Engine.Name, r.Golden.Reply, r.Is, r.Distance, r.Failures, what})
	}
	w := p.words.Golden
	if !r.Red() {
		_, err := fmt.Fprintf(p.out, "%s %s\n", w.Green, r.Golden.ID)
		return err
	}
	fmt.Fprintf(p.out, "%s %s  %s\n", w.Red, r.Golden.ID, r.Golden.Pos)
	for _, s := range what {
		fmt.Fprintf(p.out, "    %s\n", printable(s))
	}
	_, err := fmt.Fprintf(p.out, "    %s: %s\n    %s: %s\n", w.Was, text.Line(r.Golden.Reply), w.Is, text.Line(r.Is))
	return err
}

// what words the failures of a reply.
func (p *goldenReport) what(r rerun.Result) []string {
	var out []string
	for _, f := range r.Failures {
		args := make([]any, len(f.Args))
		for i, a := range f.Args {
			args[i] = a
		}
		if f.Code == rerun.CodeRule {
			args[0] = p.words.Rule(f.Args[0])
		}
		out = append(out, fmt.Sprintf(p.words.Golden.What[f.Code], args...))
	}
	return out
}

// suite holds a case for each golden reply.
func (p *goldenReport) suite(world string) junit.Suite {
	suite := junit.Suite{Package: "fabula." + world, Name: "fabula golden run " + world}
	for _, r := range p.results {
		one := junit.Case{Class: r.Golden.Pos.File, Name: r.Golden.ID}
		if r.Red() {
			one.Failure = &junit.Failure{Type: r.Failures[0].Code, Message: p.what(r)[0], Text: goldenText(p, r)}
		}
		suite.Cases = append(suite.Cases, one)
	}
	return suite
}

func goldenText(p *goldenReport, r rerun.Result) string {
	out := ""
	for _, s := range p.what(r) {
		out += s + "\n"
	}
	return out + p.words.Golden.Was + ": " + r.Golden.Reply + "\n" + p.words.Golden.Is + ": " + r.Is
}
