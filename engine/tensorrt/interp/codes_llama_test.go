//go:build llama

package interp_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"fabula/engine/gguf/ranges"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
	"fabula/engine/tensorrt/interp"
)

// llama.cpp and the interpreter see the same inputs of products, in families that join
// weights in the file and in those that do not.
func TestRangesAreThoseOfTheInterpreter(t *testing.T) {
	for _, name := range []string{"llama tied", "qwen3", "phi"} {
		shape := tiny.Shape(name)
		f, err := tiny.File(shape, 7, weights.F32)
		if err != nil {
			t.Fatal(err)
		}
		q := newQuantised(t, f, shape, graph.F32, tokens(40))
		path := filepath.Join(t.TempDir(), "tiny.gguf")
		if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		got, n, err := ranges.Observe(t.Context(), path, [][]int32{tokens(40), tokens(7)})
		if err != nil || n.Texts != 2 || n.Tokens != 47 {
			t.Fatalf("%+v, %v", n, err)
		}
		delete(q.r.Ranges, "head")
		if len(got) != len(q.r.Ranges) {
			t.Errorf("%s: %d products, not %d", name, len(got), len(q.r.Ranges))
		}
		for product, want := range q.r.Ranges {
			if len(got[product]) != len(want) {
				t.Errorf("%s, %s: %d channels, not %d", name, product, len(got[product]), len(want))
				continue
			}
			for i, v := range want {
				if d := math.Abs(float64(got[product][i] - v)); d > 0.02*max(1, float64(v)) { // the cache there has 16 bits
					t.Errorf("%s, %s, channel %d: %g, not %g", name, product, i, got[product][i], v)
					break
				}
			}
		}
	}
}

// TestRealModelInEightBits takes minutes, so it is for those who ask for it:
// FABULA_INT8=1 make test-llama. Without, it looks at one scheme over a few tokens.
func TestRealModelInEightBits(t *testing.T) {
	path := os.Getenv("FABULA_MODEL")
	ids, _ := answers(t, path, nil)
	found, _, err := ranges.Observe(t.Context(), path, [][]int32{ids})
	if err != nil {
		t.Fatal(err)
	}
	recipes := map[string]graph.Recipe{"weights": {Scheme: graph.OfWeights}}
	if os.Getenv("FABULA_INT8") != "" {
		for _, s := range graph.Schemes[:3] {
			recipes[string(s)] = graph.Recipe{Scheme: s, Alpha: 0.5}
			recipes[string(s)+" without smoothing"] = graph.Recipe{Scheme: s}
		}
		recipes["all by token"] = graph.Recipe{Scheme: graph.All, Tokens: true}
		recipes["all but the first and last layer"] = graph.Recipe{Scheme: graph.All, Alpha: 0.5, Skip: []int{0, 29}}
	}
	plain := open(t, path, graph.F16)
	want := each(t, plain, ids)
	for name, r := range recipes {
		r.Ranges = found
		got := each(t, openQuantised(t, path, r), ids)
		kl, same := 0.0, 0
		for i := range want {
			kl += divergence(want[i], got[i]) / float64(len(want))
			if top(want[i]) == top(got[i]) {
				same++
			}
		}
		t.Logf("SmolLM2-135M, INT8 %s: mean KL %.5f, %d of %d best tokens the same", name, kl, same, len(want))
		if name == "weights" && (kl > 0.01 || same < len(want)-1) {
			t.Errorf("weights alone cost a mean KL of %.5f, %d of %d best tokens the same", kl, same, len(want))
		}
	}
}

// each gives the logits after every token.
func each(t *testing.T, m *interp.Machine, ids []int32) [][]float32 {
	c := m.NewCache(1, cells)
	var list [][]float32
	for _, id := range ids {
		list = append(list, step(t, c, []int32{id})["logits"].F)
	}
	return list
}

func openQuantised(t *testing.T, path string, r graph.Recipe) *interp.Machine {
	t.Helper()
	return openAs(t, path, graph.F16, func(g *graph.Graph, plan *weights.Plan) (*graph.Graph, error) {
		r.Columns = plan.Columns
		return g.Quantize(r)
	})
}
