package interp_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
	"fabula/engine/tensorrt/interp"
)

// tinyMachine makes a machine of a tiny model.
func tinyMachine(t *testing.T, shape graph.Config, o graph.Options) *interp.Machine {
	t.Helper()
	f, err := tiny.File(shape, 7, weights.F32)
	if err != nil {
		t.Fatal(err)
	}
	data := f.Bytes()
	h, err := header.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(shape, o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := weights.NewPlan(h, bytes.NewReader(data), g.Items())
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, plan.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func step(t *testing.T, c *interp.Cache, rows ...[]int32) map[string]interp.Array {
	t.Helper()
	out, err := c.Step(rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Whatever the steps, the same tokens give the same logits; in 16 bits nearly so.
func TestStepsDoNotMatter(t *testing.T) {
	ids := []int32{5, 300, 17, 17, 250, 3, 99, 120, 44, 8}
	for _, shape := range tiny.Shapes() {
		t.Run(shape.Name, func(t *testing.T) {
			m := tinyMachine(t, shape, graph.Options{Compute: graph.F32, Context: 64})
			want := step(t, m.NewCache(1, 16), ids)["logits"].F
			c := m.NewCache(2, 16)
			step(t, c, ids[:4], ids[:1])
			step(t, c, ids[4:5], ids[1:7])
			both := step(t, c, ids[5:], ids[7:])["logits"].F
			n := len(want)
			if d := max(apart(both[:n], want), apart(both[n:], want)); d > 1e-5 {
				t.Errorf("in unequal steps logits are %g apart", d)
			}
			for compute, most := range map[graph.Type]float64{graph.F16: 0.05, graph.BF16: 0.5} {
				narrow := tinyMachine(t, shape, graph.Options{Compute: compute, Context: 64})
				if d := apart(step(t, narrow.NewCache(1, 16), ids)["logits"].F, want); d == 0 || d > most {
					t.Errorf("in %s logits are %g apart", compute, d)
				}
			}
		})
	}
}

func apart(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(float64(a[i]-b[i])))
	}
	return most
}

// The best candidates are the largest logits, after the bias.
func TestTopKAndBias(t *testing.T) {
	shape := tiny.Shapes()[0]
	ids := []int32{1, 2, 3}
	all := step(t, tinyMachine(t, shape, graph.Options{Context: 64}).NewCache(1, 8), ids)["logits"].F
	c := tinyMachine(t, shape, graph.Options{Context: 64, TopK: 3}).NewCache(1, 8)
	first := step(t, c, ids)
	banned := first["top.ids"].I[0]
	bias := make([]float32, shape.Vocab)
	bias[banned] = -1e4
	c.SetBias(0, bias)
	c.Truncate(0, 0)
	second := step(t, c, ids)
	if slices.Max(all) != first["top.values"].F[0] || all[banned] != slices.Max(all) {
		t.Errorf("best %v of %v", first["top.ids"].I, first["top.values"].F)
	}
	if got, want := second["top.ids"].I[:2], first["top.ids"].I[1:]; !slices.Equal(got, want) {
		t.Errorf("without the best: %v, want %v", got, want)
	}
}

func TestWrongStepsAreErrors(t *testing.T) {
	m := tinyMachine(t, tiny.Shapes()[0], graph.Options{Context: 64})
	tests := map[string]struct {
		rows [][]int32
		says string
	}{
		"too long":     {[][]int32{make([]int32, 9)}, "9 tokens after 0 in a span of 8"},
		"nothing":      {[][]int32{{}}, "0 tokens"},
		"sequences":    {[][]int32{{1}, {2}}, "2 sequences, not 1"},
		"no such id":   {[][]int32{{320}}, "row 320 of a table of 320"},
		"negative ids": {[][]int32{{-1}}, "row -1"},
	}
	for name, test := range tests {
		if _, err := m.NewCache(1, 8).Step(test.rows); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %q", name, err, test.says)
		}
	}
	if _, err := m.Run(graph.Sizes{B: 1, S: 1, C: 8}, nil); err == nil || !strings.Contains(err.Error(), "input ids") {
		t.Errorf("no inputs: %v", err)
	}
}

func TestWrongWeightsAreErrors(t *testing.T) {
	g, err := graph.Build(tiny.Shapes()[0], graph.Options{Context: 64})
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(string) ([]byte, error){
		"none":  func(string) ([]byte, error) { return nil, fmt.Errorf("no file") },
		"short": func(string) ([]byte, error) { return make([]byte, 2), nil },
	} {
		if _, err := interp.New(g, read); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
