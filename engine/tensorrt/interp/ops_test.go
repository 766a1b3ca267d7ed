package interp_test

import (
	"slices"
	"testing"

	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/interp"
)

// one computes a graph of a single node; its operands are inputs.
func one(t *testing.T, op graph.Op, sizes graph.Sizes, in []interp.Array, dims ...graph.Dim) interp.Array {
	t.Helper()
	g := &graph.Graph{}
	node := graph.Node{Op: op}
	inputs := map[string]interp.Array{}
	for i, a := range in {
		t := graph.Tensor{Name: string(rune('a' + i)), Type: graph.F32}
		for _, n := range a.Dims {
			t.Dims = append(t.Dims, graph.Dim(n))
		}
		inputs[t.Name] = a
		g.Tensors = append(g.Tensors, t)
		g.Nodes = append(g.Nodes, graph.Node{Op: graph.Input{}, Out: []graph.ID{graph.ID(i)}})
		node.In = append(node.In, graph.ID(i))
	}
	id := graph.ID(len(in))
	node.Out = []graph.ID{id}
	g.Tensors = append(g.Tensors, graph.Tensor{Name: "y", Type: graph.F32, Dims: dims})
	g.Nodes = append(g.Nodes, node)
	g.Outputs = node.Out
	m, err := interp.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Run(sizes, inputs)
	if err != nil {
		t.Fatal(err)
	}
	return out["y"]
}

func floats(dims []int, values ...float32) interp.Array { return interp.Array{Dims: dims, F: values} }

func ints(dims []int, values ...int32) interp.Array { return interp.Array{Dims: dims, I: values} }

func TestOperations(t *testing.T) {
	tests := map[string]struct {
		op   graph.Op
		in   []interp.Array
		dims []graph.Dim
		want []float32
	}{
		"gather":    {graph.Gather{}, []interp.Array{floats([]int{3, 2}, 1, 2, 3, 4, 5, 6), ints([]int{1, 2}, 2, 0)}, []graph.Dim{1, 2, 2}, []float32{5, 6, 1, 2}},
		"matmul":    {graph.MatMul{}, []interp.Array{floats([]int{2, 2}, 1, 2, 3, 4), floats([]int{1, 2}, 10, 1)}, []graph.Dim{2, 1}, []float32{12, 34}},
		"add":       {graph.Add{}, []interp.Array{floats([]int{2, 2}, 1, 2, 3, 4), floats([]int{2}, 10, 20)}, []graph.Dim{2, 2}, []float32{11, 22, 13, 24}},
		"mul":       {graph.Mul{}, []interp.Array{floats([]int{2, 2}, 1, 2, 3, 4), floats([]int{2, 1}, 10, 20)}, []graph.Dim{2, 2}, []float32{10, 20, 60, 80}},
		"norm":      {graph.RMSNorm{}, []interp.Array{floats([]int{1, 2}, 3, 3), floats([]int{2}, 1, 2)}, []graph.Dim{1, 2}, []float32{1, 2}},
		"slice":     {graph.Slice{Start: 1, Size: 1}, []interp.Array{floats([]int{2, 3}, 1, 2, 3, 4, 5, 6)}, []graph.Dim{2, 1}, []float32{2, 5}},
		"last":      {graph.LastPosition{}, []interp.Array{floats([]int{2, 2, 1}, 1, 2, 3, 4), ints([]int{2}, 0, 1)}, []graph.Dim{2, 1, 1}, []float32{1, 4}},
		"silu":      {graph.SiLUMul{}, []interp.Array{floats([]int{2}, 0, 100), floats([]int{2}, 5, 2)}, []graph.Dim{2}, []float32{0, 200}},
		"rope":      {graph.Rope{Rotary: 2}, []interp.Array{floats([]int{1, 1, 1, 3}, 1, 2, 3), floats([]int{1, 1, 1}, 0), floats([]int{1, 1, 1}, 1)}, []graph.Dim{1, 1, 1, 3}, []float32{-2, 1, 3}},
		"same rows": {graph.Reshape{}, []interp.Array{floats([]int{2, 2}, 1, 2, 3, 4)}, []graph.Dim{4}, []float32{1, 2, 3, 4}},
	}
	for name, test := range tests {
		if got := one(t, test.op, graph.Sizes{B: 1, S: 1, C: 1}, test.in, test.dims...); !slices.Equal(got.F, test.want) {
			t.Errorf("%s: %v, want %v", name, got.F, test.want)
		}
	}
}

// With keys of zero every visible value has the same weight: the mean of the
// values tells which positions a query sees.
func TestAttentionSees(t *testing.T) {
	tests := map[string]struct {
		past, window int
		want         []float32 // of two new tokens
	}{
		"all":              {3, 0, []float32{(1 + 2 + 4 + 8) / 4.0, (1 + 2 + 4 + 8 + 16) / 5.0}},
		"nothing cached":   {0, 0, []float32{8, 12}},
		"part of the span": {1, 0, []float32{4.5, 25.0 / 3}},
		"a window of two":  {3, 2, []float32{6, 12}},
		"a window of one":  {3, 1, []float32{8, 16}},
	}
	for name, test := range tests {
		in := []interp.Array{
			floats([]int{1, 2, 1, 1}, 1, 1), floats([]int{1, 2, 1, 1}, 0, 0), floats([]int{1, 2, 1, 1}, 8, 16),
			floats([]int{1, 1, 1, 4}, 0, 0, 0, 9e9), floats([]int{1, 1, 4, 1}, 1, 2, 4, 9e9), ints([]int{1}, int32(test.past)),
		}
		got := one(t, graph.Attention{Scale: 1, Window: test.window}, graph.Sizes{B: 1, S: 2, C: 4}, in, 1, 2, 1, 1)
		for i, want := range test.want {
			if d := got.F[i] - want; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: %v, want %v", name, got.F, test.want)
			}
		}
	}
}

// Two query heads share a key head, and keys are laid out [H, D, C].
func TestAttentionHeadsAndLayout(t *testing.T) {
	in := []interp.Array{
		floats([]int{1, 1, 4, 2}, 1, 0, 0, 1, 1, 0, 0, 1),
		floats([]int{1, 1, 2, 2}, -50, -50, -50, -50), floats([]int{1, 1, 2, 2}, 0, 0, 0, 0),
		floats([]int{1, 2, 2, 2}, 50, 0, 0, 50 /* head 0: d0 at both positions, d1 */, 0, 50, 50, 0),
		floats([]int{1, 2, 2, 2}, 1, 10, 2, 20 /* head 0: two positions */, 3, 30, 4, 40), ints([]int{1}, 2),
	}
	got := one(t, graph.Attention{Scale: 1}, graph.Sizes{B: 1, S: 1, C: 2}, in, 1, 1, 4, 2)
	if want := []float32{1, 10, 2, 20, 4, 40, 3, 30}; apart(got.F, want) > 1e-5 {
		t.Errorf("%v, want %v", got.F, want)
	}
}
