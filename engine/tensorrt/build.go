//go:build tensorrt

package tensorrt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/memory"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// Available says whether this build can make and run plans, without opening
// anything. nil if it can.
func Available() error { return nil }

// Build makes the plan of a model and gives its path and manifest. progress, if not
// nil, is called on the caller's goroutine. Nothing is left behind when it fails or
// ctx ends. The self-test is not run: whoever has a CPU engine does that.
func Build(ctx context.Context, o BuildOptions, progress func(Progress)) (string, *Manifest, error) {
	b := &build{o: o, start: time.Now(), progress: progress}
	plan, err := b.run(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("build engine of %s: %w", filepath.Base(o.Model), err)
	}
	return plan, &b.m, nil
}

type build struct {
	o        BuildOptions
	start    time.Time
	progress func(Progress)
	estimate time.Duration
	m        Manifest

	library *bridge.Library
	free    int64 // on the card
}

func (b *build) run(ctx context.Context) (string, error) {
	var err error
	if b.library, err = bridge.OpenLibrary(b.o.Root); err != nil {
		return "", err
	}
	if err := b.card(); err != nil {
		return "", err
	}
	file, err := os.Open(b.o.Model)
	if err != nil {
		return "", fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	defer file.Close()
	b.tell("read the model", 0)
	h, err := header.Open(b.o.Model)
	if err != nil {
		return "", err
	}
	g, err := b.graph(h, file)
	if err != nil {
		return "", err
	}
	main, steps, err := b.quantised(ctx, g, h, file)
	if err != nil {
		return "", err
	}
	for _, s := range []*source{main, steps} {
		if err := s.plan(h, file); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(b.o.Dir, 0o700); err != nil {
		return "", fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	path := filepath.Join(b.o.Dir, b.m.Name())
	if old, err := ReadManifest(path); err == nil {
		b.estimate = time.Duration(old.Seconds * float64(time.Second))
	}
	few := b.m.Attention == Own && !b.o.NoFew
	if b.m.Plan, err = b.plan(ctx, main.g, b.m.Attention, mainProfiles(b.m.Profiles, few), main.weights.Fill, path); err != nil {
		return "", err
	}
	if few {
		file, err := b.plan(ctx, steps.g, Few, graph.FewProfiles(bridge.MostFew), steps.weights.Fill, fewOf(path))
		if err != nil {
			return "", fmt.Errorf("plan of a few tokens: %w", err)
		}
		b.m.Few = &file
	}
	b.m.Built, b.m.Seconds = b.start.UTC().Truncate(time.Second), time.Since(b.start).Seconds()
	return path, b.m.write(path)
}

// mainProfiles leaves out the profile of steps where another plan takes these.
func mainProfiles(profiles []graph.Profile, few bool) []graph.Profile {
	if few {
		return profiles[:1]
	}
	return profiles
}

// card notes what the plan is for.
func (b *build) card() error {
	b.m.Library = b.library.Version()
	if b.o.Card < 0 {
		return nil
	}
	if _, err := bridge.Driver(); err != nil {
		return err
	}
	d, err := bridge.OpenDevice(b.o.Card)
	if err != nil {
		return err
	}
	defer d.Close()
	b.m.Card, err = d.Card()
	b.free, b.m.Card.Free = b.m.Card.Free, 0
	return err
}

func (b *build) graph(h *header.Header, file *os.File) (*graph.Graph, error) {
	c, err := graph.ReadConfig(h, file)
	if err != nil {
		return nil, err
	}
	o, compute, err := b.o.filled(c)
	if err != nil {
		return nil, err
	}
	b.o = o
	if b.o.Attention == "" {
		b.o.Attention = Span
		if bridge.Plugins() && bridge.HasKernels(c.HeadDim) {
			b.o.Attention = Own
		}
	}
	profiles, err := graph.Profiles(graph.Limits{Context: o.Context, Chunk: o.Chunk, Batch: o.Batch})
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(c, graph.Options{Context: o.Context, Compute: compute})
	if err != nil {
		return nil, err
	}
	b.m.Layout, b.m.Model, b.m.Family, b.m.Precision = layout, c.Name, c.Family, precisionOf(compute)
	if b.m.Model == "" {
		b.m.Model = c.Family
	}
	b.m.Attention, b.m.Context, b.m.Chunk, b.m.Batch, b.m.Level = b.o.Attention, o.Context, o.Chunk, o.Batch, o.Level
	b.m.Profiles = profiles
	b.m.Sizes = Sizes{c.Layers, c.KVHeads, c.HeadDim, c.Vocab}
	if err := b.m.Runs(); err != nil && !b.o.Unrun { // said now, not after minutes
		return nil, err
	}
	if b.m.GraphHash, err = hashOf(g); err != nil {
		return nil, err
	}
	b.m.BaseHash, err = hashFile(b.o.Model)
	return g, err
}

// source is a graph and where its constants come from.
type source struct {
	g       *graph.Graph
	weights *weights.Plan
}

// plan looks the constants up, and whether memory suffices for them.
func (s *source) plan(h *header.Header, file *os.File) error {
	var err error
	if s.weights, err = weights.NewPlan(h, file, s.g.Items()); err != nil {
		return err
	}
	if free := memory.Free(); free > 0 {
		if err := s.weights.Fits(free); err != nil {
			return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
		}
	}
	return nil
}

// quantised gives the graphs of the plan and of the one for steps of a few tokens, whose
// products are as Int8 asks.
func (b *build) quantised(ctx context.Context, g *graph.Graph, h *header.Header, file *os.File) (main, steps *source, err error) {
	if b.o.Int8.Scheme == "" {
		return &source{g: g}, &source{g: g}, nil
	}
	whole := &source{g: g}
	if whole.weights, err = weights.NewPlan(h, file, g.Items()); err != nil {
		return nil, nil, err
	}
	how := b.o.Int8
	r := how.recipe(whole.weights.Columns)
	if how.calibrated() {
		set, err := ReadCalibration(b.o.Calibration)
		if err != nil {
			return nil, nil, err
		}
		b.tell("measure activations over "+set.ID, 0)
		if r.Ranges, how.Calibration, err = set.Ranges(ctx, b.o.Model); err != nil {
			return nil, nil, err
		}
	}
	b.m.Int8, b.m.Compute, b.m.Precision = &how, b.m.Precision, "INT8 "+string(how.Scheme)
	main, steps = &source{}, &source{}
	if main.g, err = g.Quantize(r); err != nil {
		return nil, nil, err
	}
	r.Steps, r.Ranges = true, nil
	if steps.g, err = g.Quantize(r); err != nil {
		return nil, nil, err
	}
	b.m.GraphHash, err = hashOf(main.g)
	return main, steps, err
}

func hashOf(g *graph.Graph) (string, error) {
	sum := sha256.New()
	if err := g.Dump(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// plan builds into a temporary file, which gets its name when it is whole.
func (b *build) plan(ctx context.Context, g *graph.Graph, kind Attention, profiles []graph.Profile, fill Fill, path string) (File, error) {
	n, err := Emit(b.library, g, kind, profiles, fill)
	if err != nil {
		return File{}, err
	}
	defer n.Close()
	timing := filepath.Join(b.o.Dir, fmt.Sprintf("%s-%d%d.timing", b.m.Library.Short(), b.m.Card.Major, b.m.Card.Minor))
	cache, err := os.ReadFile(timing)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return File{}, fmt.Errorf("timing cache: %w", err)
	}
	options := bridge.BuildOptions{Workspace: b.o.Workspace, Level: b.o.Level, Timing: cache, Plan: path + ".new", TimingTo: timing}
	if options.Workspace == 0 {
		options.Workspace = b.free / 2
	}
	defer os.Remove(options.Plan) // gone already when it was renamed
	if err := n.Build(ctx, options, b.follow()); err != nil {
		return File{}, err
	}
	b.tell("check the plan", 1)
	file, err := identify(options.Plan)
	if err != nil {
		return File{}, err
	}
	return file, os.Rename(options.Plan, path)
}

// follow turns the builder's events into progress.
func (b *build) follow() func(bridge.Event) {
	p := newPhases()
	return func(e bridge.Event) {
		switch e.Kind {
		case bridge.Began:
			p.began(e.Phase, e.Parent, e.Steps)
		case bridge.Stepped:
			p.stepped(e.Phase, e.Steps)
		case bridge.Ended:
			p.ended(e.Phase)
		}
		b.tell(e.Phase, p.done())
	}
}

func (b *build) tell(phase string, done float64) {
	b.m.Peak = max(b.m.Peak, anonymousMemory())
	if b.progress != nil {
		b.progress(Progress{phase, done, time.Since(b.start), b.estimate})
	}
}
