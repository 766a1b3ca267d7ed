package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine"
	"fabula/story/lab/calibrate"
	"fabula/story/lab/drift"
	"fabula/story/lab/drift/picture"
	"fabula/story/lab/sets"
	"fabula/story/prompt"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// driftFlags are the flags of drift.
type driftFlags struct {
	set, speak, npc    string
	png, report, junit string
	asJSON             bool
	work               drift.Options
}

func newDrift(sh *shell) *cobra.Command {
	var f driftFlags
	c := &cobra.Command{
		Use:   "drift WORLD A B",
		Short: "Measure how far engine B is from engine A, NPC by NPC, and whether it may stand in for it",
		Long: `Have two engines read the same authored replies after the same full prompts of a
world, and compare what each expects at every token: for every NPC the share of
places where both like the same token best, the KL divergence, the ratio of their
perplexities, how near words come that the NPC never says, and where a turn ends.
Nothing is sampled. A and B are names from 'engines list', or GGUF files.

First A is held against itself: a build cannot be judged finer than that noise.
The worst NPC decides. Exit status 3 if a limit is missed, or if of some NPC fewer
places than --least-places were compared: that is not enough to say.`,
		Example: `  fabula drift fox_lantern smollm2-135m-instruct.Q4_1 int8.gguf
  fabula drift my_world FP16.gguf INT8.gguf --limit 50000 --png drift.png
  fabula drift my_world a b --set calibration --json`,
		Args: exactly("WORLD", "A", "B"),
		RunE: func(c *cobra.Command, args []string) error { return runDrift(c, sh, args, f) },
	}
	l := &f.work.Limits
	c.Flags().StringVar(&f.set, "set", "", "read the hold-out of this folder of 'calibrate', or a file of samples (default: the world's style samples and lines)")
	c.Flags().IntVar(&f.work.Limit, "limit", 12000, "tokens that an engine computes in one pass, prompts included; shared by the NPCs; 0 = all samples")
	c.Flags().StringVar(&f.speak, "speak", "", "languages, with commas between (default: those of the world that both engines speak)")
	c.Flags().StringVar(&f.npc, "npc", "", "only these NPCs, with commas between")
	c.Flags().IntVar(&f.work.Top, "top", 0, "compare so many of the likeliest tokens and the rest as one, up to 1024 (default: the whole distribution)")
	c.Flags().Float64Var(&l.SameTop, "same-top", 0, "limit: share of places with the same best token, at least (default 0.95)")
	c.Flags().Float64Var(&l.Mean, "mean-kl", 0, "limit: mean KL, at most (default 0.01)")
	c.Flags().Float64Var(&l.P99, "p99-kl", 0, "limit: 99 % KL, at most (default 0.1)")
	c.Flags().Float64Var(&l.Mass, "mass", 0, "limit: taboo and slang, B over A, at most (default 1.5)")
	c.Flags().IntVar(&f.work.Least, "least-places", drift.DefaultLeast, "places of each NPC to be compared before B passes, at least; 0 = any")
	c.Flags().StringVar(&f.png, "png", "", "draw KL by place in the reply into this file")
	c.Flags().StringVar(&f.report, "report", "", "write the report into this file as one HTML page")
	c.Flags().StringVar(&f.junit, "junit", "", "write the gates into this file as JUnit")
	c.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object a line")
	return c
}

func (f driftFlags) check() error {
	l := f.work.Limits
	switch {
	case f.work.Limit < 0:
		return usage("--limit %d: a number of tokens, 0 = all", f.work.Limit)
	case f.work.Least < 0:
		return usage("--least-places %d: a number of places, 0 = any", f.work.Least)
	case f.work.Top < 0 || f.work.Top > engine.MostScored:
		return usage("--top %d: 0 to %d can be kept", f.work.Top, engine.MostScored)
	case l.SameTop < 0 || l.SameTop > 1 || l.Mean < 0 || l.P99 < 0 || l.Mass < 0:
		return usage("--same-top takes a share from 0 to 1, --mean-kl, --p99-kl and --mass a number from 0")
	}
	return nil
}

func runDrift(c *cobra.Command, sh *shell, args []string, f driftFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	w, err := worlds.Open(args[0])
	if err != nil {
		return err
	}
	pair, err := openPair(c.Context(), args[1], args[2])
	if err != nil {
		return err
	}
	defer pair.Close()
	words := lang.For(sh.lang)
	step, done := reading(c.ErrOrStderr(), &words.Drift)
	report, err := f.measure(c.Context(), w, pair, step)
	done()
	if err != nil {
		return err
	}
	p := driftPrinter{c.OutOrStdout(), &words.Drift, report}
	if f.asJSON {
		err = p.json()
	} else {
		err = p.print()
	}
	err = firstError(err, f.files(p, sh.lang))
	if err == nil && !report.Passed {
		err = errReported
	}
	return err
}

// files writes what was asked for, and keeps the report for 'engines use --gate'
// where it speaks for all NPCs.
func (f driftFlags) files(p driftPrinter, language string) error {
	var err error
	if f.npc == "" {
		err = keepReport(p.r)
	}
	if f.png != "" {
		err = firstError(err, writeTo(f.png, func(w io.Writer) error {
			raw, err := picture.PNG(p.r)
			if err != nil {
				return err
			}
			_, err = w.Write(raw)
			return err
		}))
	}
	if f.report != "" {
		err = firstError(err, writeTo(f.report, func(w io.Writer) error { return p.page(w, language) }))
	}
	if f.junit != "" {
		err = firstError(err, writeSuite(f.junit, driftSuite(p.r)))
	}
	return err
}

// measure reads the samples with both engines.
func (f driftFlags) measure(ctx context.Context, w *worlds.World, p *enginePair, step func(drift.Step)) (*drift.Report, error) {
	o := sets.Options{Languages: f.languages(w, p), Budget: p.budget()}
	if f.npc != "" {
		o.Personas = strings.Split(f.npc, ",")
	}
	for _, id := range o.Personas {
		if w.Script.Persona(id) == nil {
			return nil, usage("--npc %s: %s has no such character", id, w.Name)
		}
	}
	samples, from, err := f.samples(w, o)
	if err != nil {
		return nil, err
	}
	f.work.Words, f.work.Step = drift.WordsOf(w.Script, o.Languages), step
	report, err := drift.Run(ctx, p.a, p.b, samples, f.work)
	if report != nil {
		report.World, report.Hash, report.Set = w.Script.ID, w.Hash, from
		for _, p := range w.Script.Personas {
			report.Versions = append(report.Versions, drift.Version{Persona: p.ID, Hash: p.Hash})
		}
	}
	return report, err
}

// samples gives what is read, and what it is called.
func (f driftFlags) samples(w *worlds.World, o sets.Options) (samples []sets.Sample, from string, err error) {
	if f.set == "" {
		samples, err = sets.Authored(w.Script, o)
		return samples, "authored", err
	}
	all, err := sets.Holdout(f.set)
	for _, s := range all {
		if (f.npc == "" || slices.Contains(o.Personas, s.Persona)) && (f.speak == "" || slices.Contains(o.Languages, s.Language)) {
			samples = append(samples, s)
		}
	}
	if m, err := calibrate.Read(f.set); err == nil {
		return samples, m.Holdout.ID, nil
	}
	return samples, f.set, err
}

// languages are those asked for, else those of the world that both engines
// speak, else all.
func (f driftFlags) languages(w *worlds.World, p *enginePair) []string {
	if f.speak != "" {
		return strings.Split(f.speak, ",")
	}
	var out []string
	for _, l := range w.Script.Languages {
		if p.speak(l) {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return w.Script.Languages
	}
	return out
}

// replyRoom is kept free in the window for an authored reply, in tokens.
const replyRoom = 256

// budget is what prompts may take of the smaller window.
func (p *enginePair) budget() prompt.Budget {
	window := p.a.Context
	if p.b.Context > 0 && (window == 0 || p.b.Context < window) {
		window = p.b.Context
	}
	return prompt.Budget{Window: window, Reply: min(replyRoom, window/4)}
}

// reading shows on one line of a terminal how far a measurement has come, and
// nothing elsewhere; done clears it.
func reading(w io.Writer, t *lang.Drift) (step func(drift.Step), done func()) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	step = func(s drift.Step) {
		line := fmt.Sprintf(t.Reading, printable(s.Persona), s.Language, s.NPC, s.NPCs, s.Reply, s.Replies, s.Places)
		if s.Limit > 0 {
			line += fmt.Sprintf(t.ReadingTokens, s.Computed, s.Limit)
		}
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 1 {
			line = text.Fit(line, width-1, "…")
		}
		fmt.Fprintf(w, "\r\x1b[K%s", line)
	}
	return step, func() { fmt.Fprint(w, "\r\x1b[K") }
}
