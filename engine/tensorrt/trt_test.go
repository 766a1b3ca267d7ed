//go:build tensorrt

package tensorrt_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/tensorrt"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// The tests of this file build real engines with the library below TENSORRT_ROOT,
// which make test-tensorrt fetches: TensorRT for RTX builds without a card. What
// needs a card is measured by `fabula engines measure` (MEASURED.md).

func library(t *testing.T) *bridge.Library {
	t.Helper()
	root := os.Getenv("TENSORRT_ROOT")
	if root == "" {
		t.Fatal("TENSORRT_ROOT is not set: run make test-tensorrt")
	}
	l, err := bridge.OpenLibrary(root)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// small is a config of two layers, with what differs between families.
func small(family string) graph.Config {
	c := graph.Config{
		Family: family, Name: "small " + family, Layers: 2, Hidden: 64, FFN: 96, Heads: 4, KVHeads: 2, HeadDim: 16, Vocab: 96, Context: 512, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 16, Base: 10000, Scaling: "linear", Factor: 1, Original: 512, Magnitude: 1},
		Source: graph.F16,
	}
	switch family {
	case "llama":
		c.Tied = true
	case "mistral3":
		c.Temperature, c.Source = 0.1, graph.BF16
	case "qwen2":
		c.QKVBias = true
	case "qwen3":
		c.QKNorm, c.KVHeads = true, 1
	case "phi3":
		c.FusedQKV, c.FusedGateUp, c.KVHeads, c.Rope.Dims = true, true, 4, 12
	}
	return c
}

var families = []string{"llama", "mistral3", "qwen2", "qwen3", "phi3"}

// random fills constants with small numbers of their type.
func random(g *graph.Graph) tensorrt.Fill {
	r := rand.New(rand.NewPCG(1, 2))
	return func(name string, dst []byte) error {
		id, ok := g.Lookup(name)
		if !ok {
			return fmt.Errorf("no constant %s", name)
		}
		size := g.Tensor(id).Type.Size()
		for at := 0; at < len(dst); at += size {
			v := r.Float32()*0.1 - 0.05
			if size == 1 {
				dst[at] = byte(r.IntN(255) - 127)
			} else if size == 4 {
				binary.LittleEndian.PutUint32(dst[at:], math.Float32bits(v))
			} else if g.Tensor(id).Type == graph.BF16 {
				binary.LittleEndian.PutUint16(dst[at:], uint16(math.Float32bits(v)>>16))
			} else {
				binary.LittleEndian.PutUint16(dst[at:], 0x2000|uint16(r.IntN(0x400))|uint16(r.IntN(2))<<15)
			}
		}
		return nil
	}
}

func emit(t *testing.T, c graph.Config, limits graph.Limits, o graph.Options) (*bridge.Network, *graph.Graph, []graph.Profile) {
	t.Helper()
	o.Context = limits.Context
	g, err := graph.Build(c, o)
	if err != nil {
		t.Fatal(err)
	}
	n, profiles := network(t, g, limits)
	return n, g, profiles
}

// network describes a graph to the library.
func network(t *testing.T, g *graph.Graph, limits graph.Limits) (*bridge.Network, []graph.Profile) {
	t.Helper()
	profiles, err := graph.Profiles(limits)
	if err != nil {
		t.Fatal(err)
	}
	n, err := tensorrt.Emit(library(t), g, tensorrt.Span, profiles, random(g))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n, profiles
}

var limits = graph.Limits{Context: 512, Chunk: 32, Batch: 4}

// rung tells the person who runs make test-tensorrt what was really run.
func rung(t *testing.T, what string) {
	t.Helper()
	if t.Failed() {
		return
	}
	have, _ := bridge.Headers()
	fmt.Printf("rung %s: %s ok\n", have, what)
}

func TestNetworksAskForWhatTheirGraphsSay(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			n, g, _ := emit(t, small(family), limits, graph.Options{})
			holds(t, g, g.Inputs, n.Inputs())
			holds(t, g, g.Outputs, n.Outputs())
		})
	}
	rung(t, "inputs, outputs and profiles of "+strings.Join(families, ", "))
}

// holds compares what TensorRT says of a network with its graph.
func holds(t *testing.T, g *graph.Graph, ids []graph.ID, ports []bridge.Port) {
	t.Helper()
	if len(ids) != len(ports) {
		t.Fatalf("%d tensors, not %d", len(ports), len(ids))
	}
	for i, id := range ids {
		want, have := g.Tensor(id), ports[i]
		size := want.Type.Size()
		if want.Name != have.Name || size != have.Type.Size() || len(want.Dims) != len(have.Dims) {
			t.Errorf("%s became %s of %d bytes, %v", want, have.Name, have.Type.Size(), have.Dims)
			continue
		}
		for d, n := range want.Dims {
			if have.Dims[d] != max(int64(n), -1) {
				t.Errorf("%s became %v", want, have.Dims)
			}
		}
	}
}

func TestEveryFamilyBuilds(t *testing.T) {
	for _, family := range families {
		for _, top := range []int{0, 8} {
			t.Run(fmt.Sprint(family, top), func(t *testing.T) {
				n, _, _ := emit(t, small(family), limits, graph.Options{TopK: top})
				plan := filepath.Join(t.TempDir(), "plan")
				if err := n.Build(t.Context(), bridge.BuildOptions{Plan: plan, Level: 0}, nil); err != nil {
					t.Fatal(err)
				}
				if info, err := os.Stat(plan); err != nil || info.Size() < 10_000 {
					t.Fatalf("a plan of %v, %v", info, err)
				}
			})
		}
	}
	rung(t, "tiny engines of "+strings.Join(families, ", "))
}

// TestTheShapeOfSmolLMBuilds builds all 30 layers at their size, and watches.
func TestTheShapeOfSmolLMBuilds(t *testing.T) {
	c := smol()
	n, _, _ := emit(t, c, graph.Limits{Context: 2048, Chunk: 512, Batch: 8}, graph.Options{})
	plan := filepath.Join(t.TempDir(), "plan")
	events, roots := 0, 0
	start := time.Now()
	err := n.Build(t.Context(), bridge.BuildOptions{Plan: plan, Level: 2}, func(e bridge.Event) {
		events++
		if e.Kind == bridge.Began && e.Parent == "" {
			roots++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(plan)
	if err != nil {
		t.Fatal(err)
	}
	if events < 100 || roots == 0 {
		t.Errorf("%d events of %d roots", events, roots)
	}
	rung(t, fmt.Sprintf("shape of SmolLM2-135M: plan of %d MB in %.0f s, %d events", info.Size()/1e6, time.Since(start).Seconds(), events))
}

func smol() graph.Config {
	return graph.Config{
		Family: "llama", Name: "SmolLM2 135M shape", Layers: 30, Hidden: 576, FFN: 1536, Heads: 9, KVHeads: 3, HeadDim: 64, Vocab: 49152, Context: 8192, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 64, Base: 100000, Scaling: "linear", Factor: 1, Original: 8192, Magnitude: 1},
		Source: graph.F16, Tied: true,
	}
}

func TestABuildIsCancelled(t *testing.T) {
	c := smol()
	c.Layers = 6
	n, _, _ := emit(t, c, graph.Limits{Context: 2048, Chunk: 512, Batch: 8}, graph.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked time.Time
	err := n.Build(ctx, bridge.BuildOptions{Plan: filepath.Join(t.TempDir(), "plan"), Level: 3}, func(bridge.Event) {
		if asked.IsZero() {
			asked = time.Now()
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled build gives %v", err)
	}
	rung(t, fmt.Sprintf("cancel, %d ms after it was asked for", time.Since(asked).Milliseconds()))
}

func TestAMissingLibraryIsNamed(t *testing.T) {
	_, err := bridge.OpenLibrary(t.TempDir())
	need, _ := bridge.Headers()
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), need.String()) || !strings.Contains(err.Error(), "TENSORRT_ROOT") {
		t.Errorf("no library gives %v", err)
	}
	junk := filepath.Join(t.TempDir(), "libjunk.so")
	if err := os.WriteFile(junk, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bridge.OpenLibrary(junk); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "libjunk") {
		t.Errorf("a broken library gives %v", err)
	}
	rung(t, "missing and broken library")
}

func TestVersionsAreRefused(t *testing.T) {
	need, _ := bridge.Headers()
	older, major := need, need
	older.Minor--
	major.Major++
	other := need
	other.RTX = !other.RTX
	later := need
	later.Minor++
	for _, v := range []bridge.Version{older, major, other} {
		if err := v.Serves(need); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), v.String()) || !strings.Contains(err.Error(), need.String()) {
			t.Errorf("%s for %s gives %v", v, need, err)
		}
	}
	if err := errors.Join(need.Serves(need), later.Serves(need), library(t).Version().Serves(need)); err != nil {
		t.Error(err)
	}
	rung(t, "version rule, library "+library(t).Version().String())
}

// TestFaultsAreErrors feeds the C++ side what it must refuse.
func TestFaultsAreErrors(t *testing.T) {
	n, err := library(t).NewNetwork()
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	a := n.Input("a", bridge.F32, 2, 3)
	n.MatMul(a, bridge.Tensor(99), false)
	if err := n.Err(); err == nil || !strings.Contains(err.Error(), "matrix product") {
		t.Errorf("an unknown tensor gives %v", err)
	}
	if err := n.Build(t.Context(), bridge.BuildOptions{Plan: filepath.Join(t.TempDir(), "plan")}, nil); err == nil {
		t.Error("a faulty network was built")
	}
	g := small("llama")
	g.HeadDim = 64
	whole, err := graph.Build(g, graph.Options{Context: 512})
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := graph.Profiles(limits)
	if err != nil {
		t.Fatal(err)
	}
	own, err := tensorrt.Emit(library(t), whole, tensorrt.Own, profiles, random(whole))
	if bridge.Plugins() {
		if err != nil || slices.ContainsFunc(own.Inputs(), func(p bridge.Port) bool { return strings.HasPrefix(p.Name, "k.") }) {
			t.Errorf("own attention: %v", err)
		}
	} else if err == nil || !strings.Contains(err.Error(), "plugins") {
		t.Errorf("a flavour without plugins gives %v", err)
	}
	rung(t, "faults of C++ are errors")
}
