//go:build tensorrt

package tensorrt

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fabula/engine"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// shapes are models whose speed is measured without their weights.
var shapes = map[string]graph.Config{
	"phi3-mini": {
		Family: "phi3", Name: "Phi-3-mini shape", Layers: 32, Hidden: 3072, FFN: 8192, Heads: 32, KVHeads: 8, HeadDim: 96, Vocab: 32064, Context: 4096, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 96, Base: 10000, Scaling: "linear", Factor: 1, Original: 4096, Magnitude: 1},
		Source: graph.F16, FusedQKV: true, FusedGateUp: true,
	},
	"tiny": { // for what is done very often, such as loading
		Family: "llama", Name: "Tiny shape", Layers: 2, Hidden: 256, FFN: 512, Heads: 4, KVHeads: 2, HeadDim: 64, Vocab: 4096, Context: 4096, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 64, Base: 10000, Scaling: "linear", Factor: 1, Original: 4096, Magnitude: 1},
		Source: graph.F16, Tied: true,
	},
}

// MeasureShape builds a plan of a model's shape with seeded numbers for weights
// and measures it. What it writes means nothing; how long that takes does.
func MeasureShape(ctx context.Context, o MeasureOptions, shape string, b BuildOptions) (*Report, error) {
	c, known := shapes[shape]
	if !known {
		return nil, fmt.Errorf("measure: %w: no shape %q", engine.ErrIncompatible, shape)
	}
	s, err := newShaped(ctx, o.Open, c, b, seeded)
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", shape, err)
	}
	defer s.remove()
	start := time.Now()
	m, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", shape, err)
	}
	defer func() { _ = m.Close() }()
	t := taker{m: m, o: o, loaded: time.Since(start), open: s.open}
	for i := range 2048 {
		t.ids = append(t.ids, int32(i*7%c.Vocab))
	}
	return t.all(ctx)
}

// shaped is a plan that was built of a config without a file of weights.
type shaped struct {
	o        OpenOptions
	library  *bridge.Library
	manifest Manifest
	plan     string
}

// newShaped builds the plan into the folder of b. fill gives what its constants are.
func newShaped(ctx context.Context, o OpenOptions, c graph.Config, b BuildOptions, fill func(*graph.Graph) Fill) (*shaped, error) {
	library, err := bridge.OpenLibrary(o.Root)
	if err != nil {
		return nil, err
	}
	if b.Int8.Scheme != "" {
		b.Calibration = "seeded" // ranges are made up, like the weights
	}
	b, compute, err := b.filled(c)
	if err != nil {
		return nil, err
	}
	profiles, err := graph.Profiles(graph.Limits{Context: b.Context, Chunk: b.Chunk, Batch: b.Batch})
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(c, graph.Options{Context: b.Context, Compute: compute})
	if err != nil {
		return nil, err
	}
	main, steps, err := shapedGraphs(g, b.Int8)
	if err != nil {
		return nil, err
	}
	s := &shaped{o, library, Manifest{
		Layout: layout, Model: c.Name, Family: c.Family, Precision: precisionOf(compute), Attention: Own, Context: b.Context, Chunk: b.Chunk, Batch: b.Batch,
		Sizes: Sizes{c.Layers, c.KVHeads, c.HeadDim, c.Vocab}, Library: library.Version(), Profiles: profiles, Level: b.Level,
	}, filepath.Join(b.Dir, slug(c.Name)+".engine")}
	if b.Int8.Scheme != "" {
		s.manifest.Int8, s.manifest.Compute, s.manifest.Precision = &b.Int8, s.manifest.Precision, "INT8 "+string(b.Int8.Scheme)
		s.plan = filepath.Join(b.Dir, slug(c.Name)+"-"+b.Int8.name()+".engine")
	}
	start := time.Now()
	err = buildShape(ctx, library, main, Own, mainProfiles(profiles, !b.NoFew), b.Level, s.plan, fill(main))
	if err == nil && !b.NoFew {
		err = buildShape(ctx, library, steps, Few, graph.FewProfiles(bridge.MostFew), b.Level, fewOf(s.plan), fill(steps))
		s.manifest.Few = &File{}
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	s.manifest.Seconds = time.Since(start).Seconds()
	return s, nil
}

// shapedGraphs quantises as Int8 asks, with ranges that no text gave: time does not
// depend on them.
func shapedGraphs(g *graph.Graph, how Int8) (main, steps *graph.Graph, err error) {
	if how.Scheme == "" {
		return g, g, nil
	}
	r := how.recipe(func(constant string) ([]float32, error) {
		id, _ := g.Lookup(constant)
		return slices.Repeat([]float32{0.03}, int(g.Tensor(id).Dims[1])), nil
	})
	r.Ranges = map[string][]float32{}
	for name, n := range g.Channels() {
		r.Ranges[name] = slices.Repeat([]float32{8}, n)
	}
	if main, err = g.Quantize(r); err != nil {
		return nil, nil, err
	}
	r.Steps = true
	steps, err = g.Quantize(r)
	return main, steps, err
}

func (s *shaped) remove() {
	for _, file := range []string{s.plan, fewOf(s.plan)} {
		_ = os.Remove(file) // which may never have been made
	}
}

// open loads the plan.
func (s *shaped) open() (*Model, error) {
	m := &Model{manifest: &s.manifest}
	var err error
	if m.device, err = bridge.OpenDevice(s.o.Card); err != nil {
		return nil, err
	}
	if err := m.load(s.o, s.plan, s.library); err != nil {
		m.release()
		return nil, err
	}
	m.facts.Context, m.facts.Chunk, m.facts.Vocab, m.facts.Sequences = s.manifest.Context, s.manifest.Chunk, s.manifest.Sizes.Vocab, m.session.Slots()
	m.facts.Batch = m.batch()
	return m, m.warm()
}

func buildShape(ctx context.Context, l *bridge.Library, g *graph.Graph, kind Attention, profiles []graph.Profile, level int, plan string, fill Fill) error {
	n, err := Emit(l, g, kind, profiles, fill)
	if err != nil {
		return err
	}
	defer n.Close()
	return n.Build(ctx, bridge.BuildOptions{Plan: plan, Level: level}, nil)
}

// seeded fills constants with small numbers that depend on their names.
func seeded(g *graph.Graph) Fill {
	return func(name string, dst []byte) error {
		id, _ := g.Lookup(name)
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // cannot fail
		x := h.Sum64() | 1
		size := g.Tensor(id).Type.Size()
		for at := 0; at < len(dst); at += 4 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			v := uint32(x)&0x83ff83ff | 0x24002400 // FP16 of 0.016 to 0.031, both signs
			if size == 4 {
				v = uint32(x)&0x807fffff | 0x3c800000 // FP32 of 0.016 to 0.031
			}
			dst[at], dst[at+1], dst[at+2], dst[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		}
		return nil
	}
}
