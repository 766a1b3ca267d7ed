package graph_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
)

// Every scheme of every family quantises the products it names, and leaves the graph
// that it was made from as it was.
func TestSchemesQuantiseWhatTheyName(t *testing.T) {
	for _, c := range tiny.Shapes() {
		g := build(t, c, graph.Options{Context: 16})
		hash := g.Hash()
		for scheme, want := range map[graph.Scheme][2]int{
			graph.All: {9, 8}, graph.OfHeads: {4, 4}, graph.OfMLP: {4, 4}, graph.OfWeights: {9, 0},
		} {
			r := tiny.Recipe(g, scheme, 2, 0.5)
			for what, change := range map[string]struct {
				do      func(*graph.Recipe)
				weights int
				inputs  int
			}{
				"as it is":   {func(*graph.Recipe) {}, want[0], want[1]},
				"head apart": {func(r *graph.Recipe) { r.Head = true }, want[0] - want[0]%4, want[1]},
				"by token":   {func(r *graph.Recipe) { r.Tokens, r.Ranges, r.Alpha = true, nil, 0 }, want[0], want[1]},
				"skip":       {func(r *graph.Recipe) { r.Skip = []int{1} }, want[0]/2 + want[0]%4, want[1] / 2},
				"of steps":   {func(r *graph.Recipe) { r.Steps, r.Ranges = true, nil }, want[0], 0},
			} {
				one := r
				change.do(&one)
				q, err := g.Quantize(one)
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", c.Name, scheme, what, err)
				}
				if weights, inputs := q.Quantized(); weights != change.weights || inputs != change.inputs {
					t.Errorf("%s, %s, %s: %d weights and %d inputs, not %d and %d", c.Name, scheme, what, weights, inputs, change.weights, change.inputs)
				}
				if q.Hash() == hash || g.Hash() != hash || scheme == graph.OfWeights && q.Weighs() >= g.Weighs() {
					t.Errorf("%s, %s, %s: the graphs are not apart, or no smaller", c.Name, scheme, what)
				}
			}
		}
	}
}

// The measured engines were built of these graphs: whoever changes one of them
// disturbs engines that people have.
func TestGraphsOfMeasuredEnginesStay(t *testing.T) {
	smol := graph.Config{
		Family: "llama", Layers: 30, Hidden: 576, FFN: 1536, Heads: 9, KVHeads: 3, HeadDim: 64, Vocab: 49152, Context: 8192, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 64, Base: 100000, Scaling: "linear", Factor: 1, Original: 8192, Magnitude: 1},
		Paired: true, Source: graph.F16, Tied: true,
	}
	phi := graph.Config{
		Family: "phi3", Layers: 32, Hidden: 3072, FFN: 8192, Heads: 32, KVHeads: 8, HeadDim: 96, Vocab: 32064, Context: 4096, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 96, Base: 10000, Scaling: "linear", Factor: 1, Original: 4096, Magnitude: 1},
		Source: graph.F16, FusedQKV: true, FusedGateUp: true,
	}
	for want, c := range map[string]graph.Config{
		"0069e2e40dbcc0ed81ae5014b8ed6c586add5a888d0d89481b3afce506a12e3c": smol, // as in MEASURED.json
		"314cb3ff2e38ee62294d998aa54f8d8a8b43a64d1f9939f495665e9d518eea96": phi,
	} {
		if got := build(t, c, graph.Options{Context: 4096, Compute: graph.F16}).Hash(); got != want {
			t.Errorf("the graph of %d layers has the hash %s", c.Layers, got)
		}
	}
}

func TestRecipesAreRefused(t *testing.T) {
	g := build(t, tiny.Shape("qwen3"), graph.Options{})
	for says, change := range map[string]func(*graph.Recipe){
		"scheme \"some\"":           func(r *graph.Recipe) { r.Scheme = "some" },
		"layer 2: there are 0 to 1": func(r *graph.Recipe) { r.Skip = []int{2} },
		"layer -1":                  func(r *graph.Recipe) { r.Skip = []int{-1} },
		"alpha 1.5":                 func(r *graph.Recipe) { r.Alpha = 1.5 },
		"blk.0.qkv: no ranges":      func(r *graph.Recipe) { r.Ranges = nil },
		"blk.1.ffn_down: no ranges": func(r *graph.Recipe) { r.Ranges["blk.1.ffn_down"] = []float32{1} },
		"blk.0.qkv: the file cannot be": func(r *graph.Recipe) {
			r.Columns = func(string) ([]float32, error) { return nil, errors.New("the file cannot be read") }
		},
		"blk.0.qkv: no ranges of activati": func(r *graph.Recipe) { r.Columns = func(string) ([]float32, error) { return nil, nil } },
	} {
		r := tiny.Recipe(g, graph.All, 2, 0.5)
		change(&r)
		if _, err := g.Quantize(r); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// A product is quantised whose weight does not fit its codes is found by Check.
func TestCheckFindsWrongCodes(t *testing.T) {
	for name, spoil := range map[string]func(g *graph.Graph){
		"scale":   func(g *graph.Graph) { n := last[graph.Quantize](g); n.In[1] = n.In[0] },
		"codes":   func(g *graph.Graph) { g.Tensors[last[graph.Quantize](g).Out[0]].Type = graph.F16 },
		"decoded": func(g *graph.Graph) { g.Tensors[last[graph.Dequantize](g).Out[0]].Type = graph.F32 },
		"columns": func(g *graph.Graph) {
			c := last[graph.Const](g).Op.(graph.Const)
			c.Columns = []float32{1}
			last[graph.Const](g).Op = c
		},
	} {
		g := build(t, tiny.Shape("qwen3"), graph.Options{})
		q, err := g.Quantize(tiny.Recipe(g, graph.All, 2, 0.5))
		if err != nil {
			t.Fatal(err)
		}
		spoil(q)
		if q.Check() == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
