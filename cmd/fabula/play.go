package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/story"
	"fabula/story/playtest"
	playing "fabula/story/playtest/play"
	"fabula/story/playtest/players"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// playtestFlags are those of `play`.
type playtestFlags struct {
	playFlags
	players    []string
	turns      int
	seeds      int
	seed       uint64
	jobs       int
	junit, csv string
	json       bool

	playerEngine string // who speaks for the players; empty = their banks
	until        string
	onError      bool
}

func newPlay(sh *shell) *cobra.Command {
	var f playtestFlags
	c := &cobra.Command{
		Use:   "play WORLD [PLAYTEST…]",
		Short: "Run playtests and simulated players",
		Long: `Run the world's playtests, all or those named, and simulated players from the
world's start. Each run is a playthrough on a branch of its own, tagged
"simulated", which the workbench shows like any other. Without --engine the
ladder answers; --engine recall needs no model. Exit status 3 if anything
expected did not come true.

Players: ` + strings.Join(players.Kinds(), ", ") + ` (or all).
They are more willing than people: what they reach is an upper bound.
--player-engine lets a model say their lines, best another one than the NPCs';
the player llm is spoken by a model only.`,
		Example: `  fabula play fox_lantern
  fabula play fox_lantern a_selfish_night --engine recall --junit out.xml
  fabula play fox_lantern --players all --turns 12 --seeds 3 --csv runs.csv
  fabula play fox_lantern --players llm,liar --player-engine qwen2.5-1.5b --until hall`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("fabula play needs WORLD")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return play(c, sh, args[0], args[1:], f) },
	}
	f.alike = true // a test has one outcome, whoever runs it
	f.register(c)
	c.Flag("speak").Usage = "language the NPCs speak (default: the world's first, whatever --lang is)"
	f.registerMetrics(c)
	c.Flags().StringSliceVar(&f.players, "players", nil, "let these kinds of players play from the start; with it no playtest runs unless named")
	c.Flags().StringVar(&f.playerEngine, "player-engine", "", "let this engine say the lines of simulated players")
	c.Flags().StringVar(&f.until, "until", "", "end a simulated player's run at this beat (node.beat) or node")
	c.Flags().BoolVar(&f.onError, "stop-on-error", false, "end a simulated player's run at the first error in a reply")
	c.Flags().IntVar(&f.turns, "turns", 12, "turns of each simulated player")
	c.Flags().IntVar(&f.seeds, "seeds", 1, "runs of everything, each with the next seed")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "first seed where the playtest names none")
	c.Flags().IntVar(&f.jobs, "jobs", 2, "runs beside each other")
	c.Flags().StringVar(&f.junit, "junit", "", "write the results as JUnit XML")
	c.Flags().StringVar(&f.csv, "csv", "", "write one row a run")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

func (f playtestFlags) check() error {
	for name, n := range map[string]int{"turns": f.turns, "seeds": f.seeds, "jobs": f.jobs} {
		if n < 1 || n > 1000 {
			return usage("--%s %d: 1 to 1000", name, n)
		}
	}
	return nil
}

func play(c *cobra.Command, sh *shell, world string, names []string, f playtestFlags) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	figures, err := f.serveMetrics()
	if err != nil {
		return err
	}
	defer figures.Close()
	o, err := openWorld(world, sh, f.playFlags)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	voice, err := f.voice(o)
	if err != nil {
		return err
	}
	defer voice.Close()
	tasks, err := f.tasks(o.world, names, voice.say())
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return usage("%s has no playtests; write playtests/*.yaml, or use --players all", o.world.Name)
	}
	if err := o.catalog.Ready(c.Context(), engine.Ask{Language: o.speak}); err != nil {
		return err
	}
	broken := &checking{words: lang.For(sh.lang), json: f.json}
	if len(names)+len(f.players) == 0 { // all playtests were asked for
		broken.faults(o.world.Faults)
	}
	report := playReport{broken: broken, out: c.OutOrStdout(), notes: c.ErrOrStderr(), words: lang.For(sh.lang), json: f.json, tally: playing.NewTally()}
	if err := runAll(c.Context(), o.session, tasks, f.jobs, report.add); err != nil {
		return err
	}
	return firstError(report.end(o, f, world), c.Context().Err())
}

// tasks lists what is run: playtests, then players, each with every seed.
func (f playtestFlags) tasks(w *worlds.World, names []string, say players.Voice) ([]playing.Task, error) {
	for _, name := range names {
		if !slices.ContainsFunc(w.Playtests, func(p *playtest.Playtest) bool { return p.ID == name }) {
			var there []string
			for _, p := range w.Playtests {
				there = append(there, p.ID)
			}
			if len(w.Faults) > 0 { // it may be in a file that cannot be read
				return nil, &worlds.LoadError{World: w.Name, Faults: w.Faults}
			}
			return nil, usage("no playtest %q in this world; there are: %s", name, strings.Join(there, ", "))
		}
	}
	var kinds []string
	for _, k := range f.players {
		if k == "all" {
			kinds = append(kinds, players.Kinds()...)
			continue
		}
		if k == players.ModelKind && say == nil {
			return nil, usage("--players %s: name the model that speaks by --player-engine", k)
		}
		if k != players.ModelKind && !slices.Contains(players.Kinds(), k) {
			return nil, usage("--players %s: there are %s, %s, all", k, strings.Join(players.Kinds(), ", "), players.ModelKind)
		}
		kinds = append(kinds, k)
	}
	var tasks []playing.Task
	for i := range f.seeds {
		for _, p := range w.Playtests {
			if len(names) == 0 && len(kinds) > 0 || len(names) > 0 && !slices.Contains(names, p.ID) {
				continue
			}
			seed := f.seed
			if p.Seed != nil {
				seed = *p.Seed
			}
			tasks = append(tasks, playing.Task{Playtest: p, Seed: seed + uint64(i), Language: f.speak, Voice: say})
		}
		for _, k := range kinds {
			tasks = append(tasks, playing.Task{Kind: k, Turns: f.turns, Seed: f.seed + uint64(i), Language: f.speak, Voice: say, Until: f.until, OnError: f.onError})
		}
	}
	return tasks, nil
}

// runAll runs the tasks, jobs of them beside each other, and tells of each in
// the order of the tasks.
func runAll(ctx context.Context, s *story.Session, tasks []playing.Task, jobs int, tell func(playing.Result) error) error {
	type ended struct {
		playing.Result
		err error
	}
	results := make([]chan ended, len(tasks))
	for i := range results {
		results[i] = make(chan ended, 1)
	}
	ctx, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	slots := make(chan struct{}, jobs)
	group.Go(func() {
		for i, t := range tasks {
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				if ctx.Err() != nil {
					results[i] <- ended{err: ctx.Err()}
					return
				}
				r, err := playing.Play(ctx, s, t)
				results[i] <- ended{r, err}
			})
		}
	})
	for i := range tasks {
		r := <-results[i]
		if r.err == nil {
			r.err = tell(r.Result)
		}
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// playReport prints runs as they end and sums them up.
type playReport struct {
	out, notes io.Writer
	words      *lang.Strings
	json       bool
	results    []playing.Result
	tally      playing.Tally
	broken     *checking // playtests whose files cannot be read
}

// playLine is one object of `play --json`.
type playLine struct {
	Event    string         `json:"event"`
	Name     string         `json:"name"`
	Seed     uint64         `json:"seed"`
	Branch   story.ID       `json:"branch"`
	Passed   bool           `json:"passed"`
	Why      string         `json:"why"` // done, ended, stuck, loop, engine, refused, stopped
	Node     string         `json:"node"`
	Turns    int            `json:"turns"`
	Failures []playFailure  `json:"failures,omitempty"`
	Findings map[string]int `json:"findings,omitempty"`
	TTFT     []float64      `json:"ttft_ms,omitempty"` // of each reply that an engine made
}

type playFailure struct {
	Code string `json:"code"`
	At   string `json:"at,omitempty"`
	Turn int    `json:"turn"`
	What string `json:"what"`
}

func (p *playReport) add(r playing.Result) error {
	p.results = append(p.results, r)
	p.tally.Add(r.Tally)
	if p.json {
		return writeJSON(p.out, p.line(r))
	}
	verdict := "ok    "
	if r.Failed() {
		verdict = "FAILED"
	}
	printSaid(p.out, p.words.Code, "%s %s, seed %d: %s at %s, branch %s (%s)", said(p.words.Code, verdict), r.Task.Name(), r.Task.Seed, p.words.Play.Whys[r.Why], r.Node, printable(r.Branch.Name), amount{r.Turns, "turn"})
	for _, f := range r.Failures {
		fmt.Fprintf(p.out, "  %s\n", printable(p.failure(f)))
	}
	return nil
}

func (p *playReport) failure(f playing.Failure) string {
	what := p.words.Finding(f.Code, f.Args)
	if f.Pos.File == "" {
		return what
	}
	return f.Pos.String() + ": " + what
}

func (p *playReport) line(r playing.Result) playLine {
	line := playLine{Event: "run", Name: r.Task.Name(), Seed: r.Task.Seed, Branch: r.Branch.ID, Passed: !r.Failed(), Why: r.Why,
		Node: r.Node, Turns: r.Turns, Findings: r.Findings}
	for _, d := range r.TTFT {
		line.TTFT = append(line.TTFT, story.Millis(d))
	}
	for _, f := range r.Failures {
		at := ""
		if f.Pos.File != "" {
			at = f.Pos.String()
		}
		line.Failures = append(line.Failures, playFailure{f.Code, at, f.Turn, p.words.Finding(f.Code, f.Args)})
	}
	return line
}

// end prints coverage and writes the files.
func (p *playReport) end(o *opened, f playtestFlags, world string) error {
	failed := 0
	for _, r := range p.results {
		if r.Failed() {
			failed++
		}
	}
	cover := p.tally.Coverage(o.session.Script())
	if p.json {
		if err := writeJSON(p.out, map[string]any{"event": "coverage", "runs": len(p.results), "failed": failed, "coverage": cover}); err != nil {
			return err
		}
	} else {
		p.coverage(cover, failed)
	}
	if f.junit != "" {
		if err := writeSuite(f.junit, p.suite(world)); err != nil {
			return err
		}
	}
	if f.csv != "" {
		if err := writeTo(f.csv, p.writeCSV); err != nil {
			return err
		}
	}
	if len(p.broken.list) > 0 { // a playtest that cannot be read did not pass
		out := p.notes
		if p.json {
			out = p.out
		}
		if err := p.broken.print(out); err != nil {
			return err
		}
	}
	if failed > 0 || len(p.broken.list) > 0 {
		return errReported
	}
	return nil
}

func (p *playReport) coverage(cover []playing.Share, failed int) {
	for _, s := range cover {
		if s.Of == 0 {
			continue
		}
		missed := ""
		if len(s.Missed) > 0 {
			missed = "; " + p.words.Play.Missed + ": " + strings.Join(s.Missed, ", ")
		}
		fmt.Fprintf(p.notes, "%s %d/%d%s\n", p.words.Play.Covered[s.What], s.Covered, s.Of, missed)
	}
	fmt.Fprintf(p.notes, p.words.Play.Sum+"\n", len(p.results), failed)
}
