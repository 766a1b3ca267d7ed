package graph_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
)

var update = flag.Bool("update", false, "write the goldens")

func build(t *testing.T, c graph.Config, o graph.Options) *graph.Graph {
	t.Helper()
	g, err := graph.Build(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFilesOfEveryFamilyAreRead(t *testing.T) {
	for _, want := range tiny.Shapes() {
		t.Run(want.Name, func(t *testing.T) {
			f, err := tiny.File(want, 1, weights.F32)
			if err != nil {
				t.Fatal(err)
			}
			data := f.Bytes()
			in := bytes.NewReader(data)
			h, err := header.Read(in, int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := graph.ReadConfig(h, in)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%v, config\n%+v, want\n%+v", err, got, want)
			}
			if _, err := weights.NewPlan(h, in, build(t, got, graph.Options{}).Items()); err != nil {
				t.Error(err)
			}
		})
	}
}

// The dump is what the hash of an engine is taken of: if this golden changes,
// engines that were built before are rebuilt.
func TestDump(t *testing.T) {
	g := build(t, tiny.Shape("llama tied"), graph.Options{Context: 512})
	var out bytes.Buffer
	if err := g.Dump(&out); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Error("the dump is no JSON")
	}
	golden := filepath.Join("testdata", "llama.json")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("the dump is not that of %s; run with -update if it should change", golden)
	}
}

func TestHashTellsGraphsApart(t *testing.T) {
	seen := map[string]string{}
	note := func(name string, g *graph.Graph) {
		hash := g.Hash()
		if other, twice := seen[hash]; twice || len(hash) != 64 {
			t.Errorf("%s has the hash %q, as %s", name, hash, other)
		}
		seen[hash] = name
	}
	for _, c := range tiny.Shapes() {
		g := build(t, c, graph.Options{})
		note(c.Name, g)
		if again := build(t, c, graph.Options{}); again.Hash() != g.Hash() {
			t.Errorf("%s: two hashes", c.Name)
		}
	}
	for name, o := range map[string]graph.Options{
		"context": {Context: 256}, "compute": {Compute: graph.BF16}, "residual": {Residual: graph.F16}, "top": {TopK: 8},
	} {
		note(name, build(t, tiny.Shape("qwen3"), o))
	}
}

func TestInputsAndOutputs(t *testing.T) {
	g := build(t, tiny.Shape("qwen3"), graph.Options{TopK: 5})
	var got []string
	for _, id := range slices.Concat(g.Inputs, g.Outputs) {
		got = append(got, g.Tensor(id).String())
	}
	want := []string{
		"ids I32[B S]", "pos I32[B S]", "past I32[B]", "last I32[B]", "bias F32[B 320]",
		"k.0 F16[B 2 32 C]", "v.0 F16[B 2 C 32]", "k.1 F16[B 2 32 C]", "v.1 F16[B 2 C 32]",
		"k.new.0 F16[B S 2 32]", "v.new.0 F16[B S 2 32]", "k.new.1 F16[B S 2 32]", "v.new.1 F16[B S 2 32]",
		"top.values F32[B 5]", "top.ids I32[B 5]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if id, ok := g.Lookup("v.1"); !ok || g.Tensor(id).Name != graph.Value(1) {
		t.Error("v.1 is not found")
	}
	if _, ok := g.Lookup("v.2"); ok {
		t.Error("v.2 is found")
	}
}

// A tied head is one constant with two users, and every name stands once.
func TestConstants(t *testing.T) {
	for _, c := range tiny.Shapes() {
		g := build(t, c, graph.Options{})
		names := map[string]bool{}
		for _, item := range g.Items() {
			if names[item.Name] {
				t.Errorf("%s: %s stands twice", c.Name, item.Name)
			}
			names[item.Name] = true
		}
		if names["output.weight"] == c.Tied {
			t.Errorf("%s: output.weight is %v", c.Name, names["output.weight"])
		}
	}
}

func TestCheckFindsWrongNodes(t *testing.T) {
	tests := map[string]func(g *graph.Graph){
		"dimensions": func(g *graph.Graph) { g.Tensors[last[graph.MatMul](g).Out[0]].Dims = []graph.Dim{graph.B, 1, 7} },
		"type":       func(g *graph.Graph) { g.Tensors[last[graph.MatMul](g).Out[0]].Type = graph.F32 },
		"operands":   func(g *graph.Graph) { n := last[graph.Rope](g); n.In = n.In[:2] },
		"order":      func(g *graph.Graph) { n := last[graph.Add](g); n.In[0] = n.Out[0] },
		"no tensor":  func(g *graph.Graph) { last[graph.Add](g).In[0] = 1 << 20 },
		"weight":     func(g *graph.Graph) { n := last[graph.MatMul](g); n.In[1] = n.In[0] },
		"attention":  func(g *graph.Graph) { n := last[graph.Attention](g); n.In[3], n.In[4] = n.In[4], n.In[3] },
		"slice":      func(g *graph.Graph) { last[graph.Slice](g).Op = graph.Slice{Start: 1 << 20, Size: 96} },
		"constant":   func(g *graph.Graph) { last[graph.Const](g).Op = graph.Const{Values: []float32{1}} },
		"angles":     func(g *graph.Graph) { last[graph.Rope](g).Op = graph.Rope{Rotary: 64} },
		"output": func(g *graph.Graph) {
			g.Tensors = append(g.Tensors, graph.Tensor{})
			g.Outputs[0] = graph.ID(len(g.Tensors) - 1)
		},
		"activations": func(g *graph.Graph) { n := last[graph.SiLUMul](g); n.In[1] = g.Inputs[0] },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			g := build(t, tiny.Shape("qwen3"), graph.Options{})
			spoil(g)
			if g.Check() == nil {
				t.Error("not found")
			}
		})
	}
}

// last gives the last node of a kind.
func last[T graph.Op](g *graph.Graph) *graph.Node {
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		if _, ok := g.Nodes[i].Op.(T); ok {
			return &g.Nodes[i]
		}
	}
	return nil
}

func TestOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]graph.Options{
		"context": {Context: -1}, "compute": {Compute: graph.I32}, "residual": {Residual: graph.I32 + 1}, "top": {TopK: 1 << 20},
	} {
		if _, err := graph.Build(tiny.Shape("phi"), o); err == nil {
			t.Errorf("%s: built", name)
		}
	}
}

func TestProfiles(t *testing.T) {
	got, err := graph.Profiles(graph.Limits{Context: 4096, Chunk: 512, Batch: 8})
	if err != nil {
		t.Fatal(err)
	}
	span := graph.Range{Min: 256, Opt: 1024, Max: 4096}
	one := graph.Range{Min: 1, Opt: 1, Max: 1}
	want := []graph.Profile{
		{Name: "prefill", B: one, S: graph.Range{Min: 1, Opt: 512, Max: 512}, C: span},
		{Name: "decode", B: graph.Range{Min: 1, Opt: 1, Max: 8}, S: one, C: span},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if _, _, most := got[1].Sizes(); !slices.Equal(most.Shape([]graph.Dim{graph.B, graph.S, graph.C, 7}), []int{8, 1, 4096, 7}) {
		t.Errorf("largest sizes %+v", most)
	}
	for _, l := range []graph.Limits{{Context: 100, Chunk: 1, Batch: 1}, {Context: 512, Chunk: 513, Batch: 1}, {Context: 512, Chunk: 1}} {
		if _, err := graph.Profiles(l); err == nil {
			t.Errorf("%+v: accepted", l)
		}
	}
}

func TestFewProfilesCountTokens(t *testing.T) {
	list := graph.FewProfiles(64)
	least, _, most := list[1].Sizes()
	if one, _, alone := list[0].Sizes(); one.B != 1 || alone.B != 1 || least.B != 2 || most.B != 64 || most.S != 1 {
		t.Errorf("%+v", list)
	}
}
