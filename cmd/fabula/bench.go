package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine"
	"fabula/engine/bench"
	"fabula/engine/bench/picture"
	"fabula/engine/catalog"
	"fabula/engine/machine"
	"fabula/engine/remote"
	"fabula/engine/tensorrt"
	"fabula/engine/worker"
	"fabula/tui/text/lang"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	engine, compare, model, png string
	asJSON                      bool
	work                        bench.Options
}

func newBench(sh *shell) *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure engines: load, first token, gaps, rates, memory",
		Long: `Measure what an engine does at several sizes of a prompt: load, warm-up, prefill
and decode rates, the time to the first token cold and cached, the gaps between
tokens, the memory of its process, and the bandwidth it reaches. Without --engine
every engine that is installed here is measured, one after the other.

Nothing else should run meanwhile. Percentiles are left out where too few times
were taken; more --replies give them. --compare asks a server that speaks the
OpenAI protocol the same, in turns. --json has every single time.`,
		Example: `  fabula bench --engine gguf --png figures.png
  fabula bench --engine tensorrt --json > bench.json
  fabula bench --engine gguf --compare http://127.0.0.1:8000/v1 --replies 30`,
		Args: atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error { return runBench(c, sh, f) },
	}
	c.Flags().StringVar(&f.engine, "engine", "", "which engine, or several with commas between, as 'engines list' names them (default: all that are installed)")
	c.Flags().StringVar(&f.compare, "compare", "", "a server to ask the same: an address up to /v1, or a name from remotes.yaml; the key is in FABULA_REMOTE_KEY")
	c.Flags().StringVar(&f.model, "model", "", "model of the server (default: the first that it lists)")
	c.Flags().StringVar(&f.png, "png", "", "draw the figures into this file")
	c.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object with every time that was taken")
	c.Flags().IntSliceVar(&f.work.Sizes, "sizes", nil, "prompt sizes in tokens, of recall in lines (default: 64, 256, 1024 … and the window)")
	c.Flags().IntVar(&f.work.Replies, "replies", 5, "cold replies of each size, and as many cached")
	c.Flags().IntVar(&f.work.Tokens, "tokens", 64, "tokens of a reply, at most")
	c.Flags().DurationVar(&f.work.Budget, "budget", 30*time.Second, "time for one size of one engine; no further reply begins after it")
	return c
}

func (f benchFlags) check() error {
	for _, n := range f.work.Sizes {
		if n < 1 || n > 1<<24 {
			return usage("--sizes %d: a size is a number of tokens from 1", n)
		}
	}
	switch {
	case f.work.Replies < 1, f.work.Tokens < 1, f.work.Budget <= 0:
		return usage("--replies, --tokens and --budget take numbers above 0")
	case f.model != "" && f.compare == "":
		return usage("--model names the model of --compare, which is missing")
	}
	return nil
}

func runBench(c *cobra.Command, sh *shell, f benchFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	names, err := f.names()
	if err != nil {
		return err
	}
	words := lang.For(sh.lang)
	f.work.Step = measuring(c.ErrOrStderr(), words, f.work.Replies)
	report, err := f.measure(c.Context(), names)
	if report == nil {
		return err
	}
	if f.asJSON {
		err = firstError(err, writeJSON(c.OutOrStdout(), report))
	} else {
		err = firstError(err, printBench(c.OutOrStdout(), &words.Bench, report))
	}
	if f.png != "" {
		err = firstError(err, writePicture(f.png, report))
	}
	return firstError(err, benchFault(report))
}

// names lists what is measured: what was asked for, else what is installed. A
// server is asked only by name.
func (f benchFlags) names() ([]string, error) {
	if f.engine != "" {
		return strings.Split(f.engine, ","), nil
	}
	lines, err := engineLines()
	var names []string
	for _, l := range lines {
		if l.Why == "" && l.Kind != engine.Remote {
			names = append(names, l.Name)
		}
	}
	if f.compare != "" && len(names) > 0 {
		names = names[:1]
	}
	return names, err
}

// measure takes one engine after the other, so that none holds memory that
// another is measured in; with a server to compare with, each beside it.
func (f benchFlags) measure(ctx context.Context, names []string) (*bench.Report, error) {
	var all *bench.Report
	host := machine.Read(ctx)
	for _, name := range names {
		r, err := f.one(ctx, name, &host)
		if r != nil && all == nil {
			all = r
		} else if r != nil {
			all.Engines = append(all.Engines, r.Engines...)
		}
		if err != nil {
			return finished(all, host), err
		}
	}
	return finished(all, host), nil
}

func finished(r *bench.Report, host machine.Machine) *bench.Report {
	if r == nil {
		return nil
	}
	r.Machine, r.Version = host, version
	for i := range r.Engines {
		r.Engines[i].Against(host.Bandwidth)
	}
	return r
}

// one measures one engine.
func (f benchFlags) one(ctx context.Context, name string, host *machine.Machine) (*bench.Report, error) {
	cat, err := openCatalog(name, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer cat.Close()
	start := time.Now()
	var first engine.Engine
	for r := range cat.Rungs(engine.Ask{Only: name}) {
		first = r.Engine
		break
	}
	if first == nil {
		return nil, fmt.Errorf("engine %s: %w: %s", name, engine.ErrUnavailable, whyNot(cat))
	}
	if err := cat.Ready(ctx, engine.Ask{Only: name}); err != nil {
		return nil, err
	}
	s := subject(cat, first)
	if s.Memory != nil {
		s.Load = time.Since(start)
	}
	if s.OnCPU && host.Bandwidth == 0 {
		host.Bandwidth = machine.Bandwidth()
	}
	subjects := []bench.Subject{s}
	if f.compare != "" {
		server, err := f.server(ctx)
		if err != nil {
			return nil, err
		}
		defer server.Close()
		subjects = append(subjects, bench.Subject{Engine: server})
	}
	return bench.Run(ctx, subjects, f.work)
}

func whyNot(cat *catalog.Catalog) string {
	var all []string
	for _, r := range cat.Reasons() {
		all = append(all, cmp.Or(r.Detail, string(r.Why)))
	}
	return strings.Join(all, "; ")
}

// subject tells what is known of an engine beside itself.
func subject(cat *catalog.Catalog, e engine.Engine) bench.Subject {
	s := bench.Subject{Engine: e}
	client, ok := e.(*worker.Client)
	if !ok {
		return s
	}
	s.Memory = func() (int64, bool) { return machine.Peak(client.Status().PID) }
	info := e.Info()
	if info.Kind == engine.TensorRT {
		s.Weights = planBytes(info.Build.BaseHash)
		return s
	}
	models, _ := cat.List() // without it the size is not known
	for _, m := range models {
		if m.Name == info.Name {
			s.Weights, s.OnCPU = m.Size, !strings.Contains(info.Build.Runtime, " layers on ") // of a card
		}
	}
	return s
}

// planBytes is the size of the engine that was built of a model: about that of
// its weights.
func planBytes(hash string) int64 {
	for _, plan := range tensorrt.Plans(enginesDir()) {
		if m, err := tensorrt.ReadManifest(plan); err == nil && m.BaseHash == hash {
			if m.Few != nil {
				return m.Few.Bytes
			}
			return m.Plan.Bytes
		}
	}
	return 0
}

// server opens what is compared with.
func (f benchFlags) server(ctx context.Context) (*remote.Engine, error) {
	all, err := remotes(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	o := remote.Options{Name: where(f.compare), URL: f.compare}
	if os.Getenv("FABULA_REMOTE_KEY") != "" {
		o.Key = remote.Environment("FABULA_REMOTE_KEY")
	}
	for _, known := range all {
		if strings.EqualFold(known.Name, f.compare) {
			o = known
		}
	}
	if o.Model = cmp.Or(f.model, o.Model); o.Model == "" {
		models, err := remote.Models(ctx, o)
		if err != nil {
			return nil, err
		}
		o.Model = models[0]
	}
	return remote.New(o)
}

// measuring shows one line on a terminal, and nothing elsewhere.
func measuring(w io.Writer, words *lang.Strings, replies int) func(string, int, int) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(name string, size, i int) {
		fmt.Fprintf(w, "\r\x1b[K"+words.Bench.Measuring, printable(name), size, i+1, replies)
	}
}

func writePicture(file string, r *bench.Report) error {
	raw, err := picture.PNG(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}

// benchFault is the failure of an engine that was left out.
func benchFault(r *bench.Report) error {
	for _, e := range r.Engines {
		if e.Fault != "" {
			return errors.New("engine " + e.Engine.Name + ": " + e.Fault)
		}
	}
	return nil
}
