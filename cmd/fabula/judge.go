package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/story"
	"fabula/story/golden"
	"fabula/story/lab/judge"
	"fabula/tui/text/lang"
)

type judgeFlags struct {
	by    string
	limit int
	seed  uint64
	flaws []string
	json  bool
}

func newJudge(sh *shell) *cobra.Command {
	var f judgeFlags
	c := &cobra.Command{
		Use:   "judge WORLD [BRANCH…]",
		Short: "Ask a model for its opinion of what NPCs said",
		Long: `Ask a model about stored replies: which flaws of a closed list each has, and who
of the world's NPCs says it, the names taken out. Authors' own lines and planted
violations are mixed in; a judge that gets one of them wrong voids the batch, and
no score is shown. The judge may not be the engine that made a reply, whatever
it is called. Every opinion is kept in the world's state folder.

Opinions are no findings: 'fabula lint' has those. The exit code is 3 when the
batch is void.`,
		Example: "  fabula judge fox_lantern hall-1 --by qwen2.5-3b\n  fabula judge fox_lantern --by qwen2.5-3b --limit 20 --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("fabula judge needs WORLD")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runJudge(c, sh, args[0], args[1:], f) },
	}
	c.Flags().StringVar(&f.by, "by", "", "the engine that judges: a model that made none of the replies")
	c.Flags().IntVar(&f.limit, "limit", 40, "judge at most this many replies, drawn by --seed")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "draws and mixes what is judged")
	c.Flags().StringSliceVar(&f.flaws, "flaws", nil, "ask about these flaws only")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

// asked gives the flaws that are asked about.
func (f judgeFlags) asked() ([]golden.Flaw, error) {
	if len(f.flaws) == 0 {
		return golden.Flaws(), nil
	}
	var out []golden.Flaw
	for _, code := range f.flaws {
		found := false
		for _, one := range golden.Flaws() {
			if one.Code == code {
				out, found = append(out, one), true
			}
		}
		if !found {
			return nil, usage("--flaws %s: there are %s", code, strings.Join(golden.FlawCodes(), ", "))
		}
	}
	return out, nil
}

func runJudge(c *cobra.Command, sh *shell, world string, branches []string, f judgeFlags) (err error) {
	flaws, err := f.asked()
	switch {
	case err != nil:
		return err
	case f.by == "":
		return usage("--by is missing: name the model that judges; see 'fabula engines list'")
	case f.limit < 1:
		return usage("--limit %d: from 1", f.limit)
	}
	o, err := openForReading(world, sh, playFlags{engine: f.by})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	items, err := judgedItems(o, branches)
	if err != nil {
		return err
	}
	model, err := scorerOf(c.Context(), o, f.by)
	if err != nil {
		return err
	}
	info := model.(engine.Engine).Info()
	if own := judge.Own(items, info); len(own) > 0 {
		return usage("--by %s made %d of these replies itself (%s@%d is one); name another judge, or branches that it did not make", f.by, len(own), own[0].Branch, own[0].N)
	}
	b := judge.Batch{Items: judge.Draw(items, f.limit, f.seed), Flaws: flaws, Labelled: judge.Labelled(o.world.Script, o.world.Golden), Speakers: true, Seed: f.seed}
	p := &judgePrinter{out: c.OutOrStdout(), notes: c.ErrOrStderr(), words: lang.For(sh.lang), json: f.json}
	p.head = judgeLine{Event: "judge", Judge: info, Provenance: judge.Provenance(info), Wording: judge.Wording, Seed: f.seed, At: time.Now().UTC()}
	p.kin = judge.Kin(items, info)
	return p.run(c.Context(), o, b, judge.New(o.world.Script, model))
}

// judgedItems gives the replies on the branches that are named, else on all.
func judgedItems(o *opened, names []string) ([]judge.Item, error) {
	r := o.session.Reader()
	var all []story.Branch
	for _, name := range names {
		b, err := findBranch(r, name)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	if len(names) == 0 {
		var err error
		if all, err = r.Branches(); err != nil {
			return nil, err
		}
	}
	var read []judge.Branch
	for _, b := range all {
		path, err := r.Path(b.Leaf)
		if err != nil {
			return nil, err
		}
		read = append(read, judge.Branch{Name: b.Name, Language: o.language(b), Path: path})
	}
	items := judge.Collect(o.world.Script, read)
	if len(items) == 0 {
		return nil, usage("nothing to judge: no engine made a reply on these branches")
	}
	return items, nil
}

// scorerOf waits for the engine that judges.
func scorerOf(ctx context.Context, o *opened, by string) (engine.Scorer, error) {
	if err := o.catalog.Ready(ctx, engine.Ask{Language: o.speak}); err != nil {
		return nil, err
	}
	for rung := range o.catalog.Rungs(engine.Ask{Language: o.speak}) {
		if s, ok := rung.Engine.(engine.Scorer); ok {
			return s, nil
		}
	}
	return nil, usage("--by %s: it cannot tell how likely a text is, so it cannot judge; name a model of 'fabula engines list'", by)
}

// judgeLine and the others are the objects of `judge --json`.
type judgeLine struct {
	Event      string      `json:"event"` // judge
	Judge      engine.Info `json:"judge"`
	Provenance string      `json:"provenance"`
	Wording    int         `json:"wording"`
	Seed       uint64      `json:"seed"`
	At         time.Time   `json:"at"`
}

type judgementLine struct {
	Event string `json:"event"` // opinion, control
	judge.Judgement
}

type batchLine struct {
	Event    string `json:"event"` // batch
	Void     bool   `json:"void"`
	Items    int    `json:"items"`
	Controls int    `json:"controls"`
	Missed   int    `json:"missed"`
	Asked    int    `json:"asked"`    // questions
	Computed int    `json:"computed"` // tokens
	// Kappa is the agreement with people on Labels lines; null: not known.
	Kappa   *float64 `json:"kappa"`
	Labels  int      `json:"labels"`
	Trusted bool     `json:"trusted"`
}

func newBatchLine(sum judge.Sum, j *judge.Judge) batchLine {
	line := batchLine{Event: "batch", Void: sum.Void(), Items: sum.Items, Controls: sum.Controls, Missed: len(sum.Missed), Asked: j.Asked,
		Computed: j.Computed, Labels: sum.Labels, Trusted: sum.Trusted()}
	if k := sum.Kappa().Value; !math.IsNaN(k) {
		line.Kappa = &k
	}
	return line
}

// judgePrinter prints a batch and keeps it.
type judgePrinter struct {
	out, notes io.Writer
	words      *lang.Strings
	json       bool
	head       judgeLine
	kin        string
	kappa      *float64
	trusted    bool
	file       *os.File
}

func (p *judgePrinter) run(ctx context.Context, o *opened, b judge.Batch, j *judge.Judge) (err error) {
	if err := p.begin(o.world.StateDir()); err != nil {
		return err
	}
	defer func() { err = firstError(err, p.file.Close()) }()
	if err := p.keep(p.head); err != nil {
		return err
	}
	progress := &barOf{out: p.notes}
	sum, err := b.Run(ctx, j, func(one judge.Judgement) error {
		progress.step()
		line := judgementLine{"opinion", one}
		if one.Control != "" {
			line.Event = "control"
		}
		return p.keep(line)
	})
	progress.end()
	if err != nil {
		return err
	}
	if err := p.keep(newBatchLine(sum, j)); err != nil {
		return err
	}
	p.kappa, p.trusted = newBatchLine(sum, j).Kappa, sum.Trusted()
	if !sum.Void() {
		if err := p.scores(sum); err != nil {
			return err
		}
	}
	if !p.json {
		p.tell(sum)
	}
	fmt.Fprintf(p.notes, p.words.Judge.Stored+"\n", p.file.Name())
	if sum.Void() {
		return errReported
	}
	return nil
}

// keep prints an object where JSON is wanted, and stores it at once: what was
// judged before a run is stopped is not lost.
func (p *judgePrinter) keep(object any) error {
	enc := json.NewEncoder(p.file)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return fmt.Errorf("keep judgements: %w", err)
	}
	if p.json {
		return writeJSON(p.out, object)
	}
	return nil
}

// begin opens the file that keeps a batch, one object a line.
func (p *judgePrinter) begin(state string) (err error) {
	dir := filepath.Join(state, "judgements")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep judgements: %w", err)
	}
	name := filepath.Join(dir, p.head.At.Format("20060102T150405.000")+".jsonl")
	p.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return err
}
