package graph_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"fabula/engine/tensorrt/graph"
)

// small is a config of two layers.
func small(family string) graph.Config {
	return graph.Config{
		Family: family, Layers: 2, Hidden: 32, FFN: 48, Heads: 4, KVHeads: 2, HeadDim: 8, Vocab: 40, Context: 64, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 8, Base: 10000, Scaling: "linear", Factor: 1, Original: 64, Magnitude: 1},
		Source: graph.F16,
	}
}

func TestBuildChecksAndDumps(t *testing.T) {
	c := small("llama")
	c.Paired, c.Tied = true, true
	g, err := graph.Build(c, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := g.Dump(&out); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Error("the dump is no JSON")
	}
	for _, id := range g.Inputs {
		t.Log(g.Tensor(id))
	}
	for _, id := range g.Outputs {
		t.Log(g.Tensor(id))
	}
	t.Logf("%s", out.String()[:1500])
}
