//go:build llama

package interp_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/oracle"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/interp"
)

// TestRealModelAgreesWithLlama takes SmolLM2-135M as `make model` fetches it,
// and both ways to look at its weights. llama.cpp multiplies the quantised file
// by activations that it quantises to eight bits, which the graph does not; so
// logits differ by some tenths and the best token is compared. A copy of the file
// with all weights expanded by package weights shows that nothing else differs.
func TestRealModelAgreesWithLlama(t *testing.T) {
	path := os.Getenv("FABULA_MODEL")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("FABULA_MODEL: %v: run make model, then make test-llama", err)
	}
	ids, quantised := answers(t, path, nil)
	_, expanded := answers(t, expandedCopy(t, path), ids)
	c := open(t, path, graph.F32).NewCache(1, cells)
	d := &difference{t: t, tolerance: 2e-3}
	apart, at := 0.0, 0
	for _, n := range []int{6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1} {
		got := d.step(c, ids[at:at+n])[0]
		at += n
		d.same("expanded", at-1, got, expanded[at-1])
		if top(got) != top(quantised[at-1]) {
			t.Errorf("quantised, position %d: top-1 is %d, llama.cpp's %d, which leads by %.2f", at-1, top(got), top(quantised[at-1]), lead(quantised[at-1]))
		}
		apart = max(apart, mean(got, quantised[at-1]))
	}
	t.Logf("%d positions, all top-1 equal; max abs logit error %.1e with expanded weights; mean abs error up to %.2f with quantised ones",
		d.count, d.most, apart)
}

// answers gives llama.cpp's logits after each token; the tokens are those of a
// sentence unless they are given.
func answers(t *testing.T, path string, ids []int32) ([]int32, [][]float32) {
	t.Helper()
	m, err := oracle.Open(path, cells, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if ids == nil {
		ids = m.Tokens("Once upon a time, in a small village by the sea, there lived an old keeper")[:16]
	}
	logits, err := m.Decode(0, 0, ids)
	if err != nil {
		t.Fatal(err)
	}
	return ids, logits
}

// expandedCopy writes the model with all its weights in FP32.
func expandedCopy(t *testing.T, path string) string {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	h, err := header.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "expanded.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(weights.Copy(out, h, in, weights.F32), out.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Name()
}

func mean(got, want []float32) float64 {
	sum := 0.0
	for i := range got {
		sum += math.Abs(float64(got[i] - want[i]))
	}
	return sum / float64(len(got))
}

// open reads a model from a file as a build does.
func open(t *testing.T, path string, compute graph.Type) *interp.Machine {
	t.Helper()
	return openAs(t, path, compute, func(g *graph.Graph, _ *weights.Plan) (*graph.Graph, error) { return g, nil })
}

// openAs is open of a graph that is changed first.
func openAs(t *testing.T, path string, compute graph.Type, change func(*graph.Graph, *weights.Plan) (*graph.Graph, error)) *interp.Machine {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	h, err := header.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := graph.ReadConfig(h, file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(c, graph.Options{Compute: compute, Context: cells})
	if err != nil {
		t.Fatal(err)
	}
	planned := func() *weights.Plan {
		plan, err := weights.NewPlan(h, file, g.Items())
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	if g, err = change(g, planned()); err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, planned().Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
