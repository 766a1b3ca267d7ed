//go:build tensorrt

package tensorrt_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
)

// quantised gives the network of a quantised shape.
func quantised(t *testing.T, c graph.Config, l graph.Limits, r func(*graph.Graph) graph.Recipe) (*graph.Graph, *bridge.Network) {
	t.Helper()
	plain, err := graph.Build(c, graph.Options{Context: l.Context})
	if err != nil {
		t.Fatal(err)
	}
	g, err := plain.Quantize(r(plain))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := network(t, g, l)
	return g, n
}

// built builds a network and gives the bytes of its plan.
func built(t *testing.T, n *bridge.Network, level int) int64 {
	t.Helper()
	plan := filepath.Join(t.TempDir(), "plan")
	if err := n.Build(t.Context(), bridge.BuildOptions{Plan: plan, Level: level}, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(plan)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// codesIn counts what the network must have: a layer that decodes for every weight and
// every input of codes, one that makes codes for every input.
func codesIn(t *testing.T, g *graph.Graph, n *bridge.Network) {
	t.Helper()
	weights, inputs := g.Quantized()
	if c := n.Count(); c.Quantize != inputs || c.Dequantize != weights+inputs || weights == 0 {
		t.Errorf("%+v, the graph has %d weights and %d inputs of codes", c, weights, inputs)
	}
}

func TestEverySchemeOfEveryFamily(t *testing.T) {
	for _, family := range families {
		for name, change := range map[string]func(*graph.Recipe){
			"all": func(r *graph.Recipe) { r.Scheme = graph.All }, "attention": func(r *graph.Recipe) { r.Scheme = graph.OfHeads },
			"mlp": func(r *graph.Recipe) { r.Scheme, r.Skip = graph.OfMLP, []int{0} }, "weights": func(r *graph.Recipe) { r.Scheme = graph.OfWeights },
			"by token": func(r *graph.Recipe) { r.Scheme, r.Tokens = graph.All, true },
		} {
			t.Run(family+" "+name, func(t *testing.T) {
				g, n := quantised(t, small(family), limits, func(g *graph.Graph) graph.Recipe {
					r := tiny.Recipe(g, graph.All, 4, 0.05)
					change(&r)
					return r
				})
				codesIn(t, g, n)
				holds(t, g, g.Inputs, n.Inputs())
				if family == "qwen2" && name == "all" || family == "llama" && name == "by token" { // the builder takes seconds for each
					built(t, n, 0)
				}
			})
		}
	}
	rung(t, "INT8 networks of every scheme and family, engines of two")
}

// TestTheShapeOfSmolLMBuildsInEightBits builds a layer at its size by every scheme. One of
// the 30 tells what the library takes; all of them, with FABULA_INT8_LAYERS=all, take it
// minutes on two processors.
func TestTheShapeOfSmolLMBuildsInEightBits(t *testing.T) {
	c := smol()
	if os.Getenv("FABULA_INT8_LAYERS") == "" {
		c.Layers = 1
	}
	for _, scheme := range graph.Schemes {
		t.Run(string(scheme), func(t *testing.T) {
			start := time.Now()
			g, n := quantised(t, c, graph.Limits{Context: 1024, Chunk: 256, Batch: 1}, func(g *graph.Graph) graph.Recipe { return tiny.Recipe(g, scheme, 4, 0.05) })
			codesIn(t, g, n)
			bytes := built(t, n, 0)
			rung(t, fmt.Sprintf("%d layers of SmolLM2-135M's shape, INT8 %s: plan of %d MB of %d MB of constants in %.0f s", c.Layers, scheme, bytes/1e6, g.Weighs()/1e6, time.Since(start).Seconds()))
		})
	}
}
