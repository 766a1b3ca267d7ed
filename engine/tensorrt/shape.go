//go:build tensorrt

package tensorrt

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
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
}

// MeasureShape builds a plan of a model's shape with seeded numbers for weights
// and measures it. What it writes means nothing; how long that takes does.
func MeasureShape(ctx context.Context, o MeasureOptions, shape string, b BuildOptions) (*Report, error) {
	c, known := shapes[shape]
	if !known {
		return nil, fmt.Errorf("measure: %w: no shape %q", engine.ErrIncompatible, shape)
	}
	m, err := openShape(ctx, o.Open, c, b)
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", shape, err)
	}
	defer func() { _ = m.Close() }()
	o.Cycles = 0
	t := taker{m: m, o: o}
	for i := range 2048 {
		t.ids = append(t.ids, int32(i*7%c.Vocab))
	}
	return t.all(ctx)
}

func openShape(ctx context.Context, o OpenOptions, c graph.Config, b BuildOptions) (*Model, error) {
	library, err := bridge.OpenLibrary(o.Root)
	if err != nil {
		return nil, err
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
	m := &Model{manifest: &Manifest{
		Layout: layout, Model: c.Name, Family: c.Family, Precision: precisionOf(compute), Attention: Own, Context: b.Context, Chunk: b.Chunk, Batch: b.Batch,
		Sizes: Sizes{c.Layers, c.KVHeads, c.HeadDim, c.Vocab}, Library: library.Version(), Profiles: profiles, Level: b.Level,
	}}
	start := time.Now()
	plan := filepath.Join(b.Dir, "shape.engine")
	defer os.Remove(plan)
	if err := buildShape(ctx, library, g, Own, profiles, b.Level, plan); err != nil {
		return nil, err
	}
	if !b.NoSingle {
		defer os.Remove(singleOf(plan))
		if err := buildShape(ctx, library, g, Single, profiles[1:], b.Level, singleOf(plan)); err != nil {
			return nil, err
		}
		m.manifest.Single = &File{}
	}
	m.manifest.Seconds = time.Since(start).Seconds()
	if m.device, err = bridge.OpenDevice(o.Card); err != nil {
		return nil, err
	}
	if err := m.load(o, plan, library); err != nil {
		return nil, err
	}
	m.facts.Context, m.facts.Chunk, m.facts.Vocab, m.facts.Sequences = b.Context, b.Chunk, c.Vocab, max(o.Slots, 8)
	return m, nil
}

func buildShape(ctx context.Context, l *bridge.Library, g *graph.Graph, kind Attention, profiles []graph.Profile, level int, plan string) error {
	n, err := Emit(l, g, kind, profiles, seeded(g))
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
