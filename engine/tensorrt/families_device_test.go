//go:build tensorrt && device

package tensorrt

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
	"fabula/engine/tensorrt/interp"
	"fabula/engine/worker"
)

// onePlan is a model without a second plan for steps of a few tokens.
const onePlan = "llama, one plan"

// carded are small models with heads that there are kernels for, and every trait that
// changes what our kernels do.
func carded() []graph.Config {
	base := graph.Config{
		Family: "llama", Layers: 2, Hidden: 128, FFN: 256, Heads: 6, KVHeads: 2, HeadDim: 64, Vocab: 320, Context: 512, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 64, Base: 10000, Scaling: "linear", Factor: 1, Original: 512, Magnitude: 1},
		Source: graph.F16, Paired: true, Tied: true,
	}
	biased := base
	biased.Name, biased.OutBias, biased.FFNBias, biased.QKVBias, biased.Tied = "biased", true, true, true, false
	base.Name = "llama"
	qwen2 := base
	qwen2.Family, qwen2.Name, qwen2.Paired, qwen2.QKVBias, qwen2.Source, qwen2.HeadDim, qwen2.Rope.Dims = "qwen2", "qwen2 BF16", false, true, graph.BF16, 128, 128
	qwen3 := base
	qwen3.Family, qwen3.Name, qwen3.Paired, qwen3.QKNorm = "qwen3", "qwen3", false, true
	phi := base
	phi.Family, phi.Name, phi.Paired, phi.FusedQKV, phi.FusedGateUp, phi.Source = "phi3", "phi3 BF16", false, true, true, graph.BF16
	phi.HeadDim, phi.Rope.Dims, phi.Tied = 96, 72, false
	small := base
	small.Name = onePlan
	return []graph.Config{base, biased, qwen2, qwen3, phi, small}
}

// TestFamiliesOnACard builds plans with TensorRT (TENSORRT_ROOT), runs them in every
// way and holds the logits against the interpreter of the same graph. All models stay
// loaded beside each other.
func TestFamiliesOnACard(t *testing.T) {
	for _, c := range carded() {
		g, fill, oracle := oracleOf(t, c)
		s, err := newShaped(t.Context(), OpenOptions{Root: os.Getenv("TENSORRT_ROOT"), Slots: 8}, c, BuildOptions{Dir: t.TempDir(), Level: 1, Chunk: 256, NoFew: c.Name == onePlan}, fill)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = m.Close() })
		r := &run{t: t, m: m, cache: oracle.NewCache(1, 256), vocab: g.Config.Vocab}
		for i := range 150 {
			r.ids = append(r.ids, int32(i*37%c.Vocab))
		}
		r.all()
		fmt.Printf("card: %s, %s: logits within %.4f of up to %.1f, %d best agree of %d\n", c.Name, c.Source, r.far, r.high, r.same, r.count)
		if limit := map[graph.Type]float64{graph.F16: 0.05, graph.BF16: 0.25}[c.Source]; r.far > limit || r.same*100 < r.count*90 {
			t.Errorf("%s differs from the interpreter", c.Name)
		}
	}
}

func oracleOf(t *testing.T, c graph.Config) (*graph.Graph, func(*graph.Graph) Fill, *interp.Machine) {
	t.Helper()
	f, err := tiny.File(c, 7, weights.F32)
	if err != nil {
		t.Fatal(err)
	}
	data := f.Bytes()
	h, err := header.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(c, graph.Options{Context: c.Context})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := weights.NewPlan(h, bytes.NewReader(data), g.Items())
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := interp.New(g, plan.Read)
	if err != nil {
		t.Fatal(err)
	}
	return g, func(*graph.Graph) Fill { return plan.Fill }, oracle
}

// run feeds a model and the interpreter the same tokens.
type run struct {
	t           *testing.T
	m           *Model
	cache       *interp.Cache
	ids         []int32
	vocab       int
	far, high   float64
	same, count int
}

// all takes a prompt at once, tokens alone, runs of several sizes and a batch of
// copies, each way from what the one before left.
func (r *run) all() {
	r.append(70) // more than a step takes
	for range 5 {
		r.append(1)
	}
	for _, n := range []int{2, 9, 17, 32} {
		r.append(n)
	}
	at := r.held()
	var runs []worker.Run
	for seq := 1; seq < 8; seq++ {
		r.m.Copy(0, seq, at)
		runs = append(runs, worker.Run{Seq: seq, At: at, IDs: r.ids[at : at+1], Want: 1})
	}
	want := r.step(r.ids[at : at+1])
	r.hold(want, r.decode(runs)...)
	r.cache.Truncate(0, at)
	runs = []worker.Run{{Seq: 0, At: at, IDs: r.ids[at : at+3], Want: 1}, {Seq: 5, At: at, IDs: r.ids[at : at+3], Want: 1}}
	r.hold(r.step(r.ids[at:at+3]), r.decode(runs)...)
}

func (r *run) held() int { return 70 + 5 + 2 + 9 + 17 + 32 }

func (r *run) append(n int) {
	at := r.count
	ids := r.ids[at : at+n]
	want := make([][]float32, n)
	for i := range ids {
		want[i] = r.step(ids[i : i+1])
	}
	got := r.decode([]worker.Run{{At: at, IDs: ids, Want: min(n, 40)}})
	for i, s := range got {
		r.hold(want[n-len(got)+i], s)
	}
	r.count = at + n
	r.same += n - len(got) // not asked for
	best := r.decode([]worker.Run{{At: at + n - 1, IDs: ids[n-1:], Want: 1, Best: 5}})
	if len(best[0].IDs) != 5 {
		r.t.Errorf("%d best", len(best[0].IDs))
	}
}

func (r *run) step(ids []int32) []float32 {
	r.t.Helper()
	out, err := r.cache.Step([][]int32{ids})
	if err != nil {
		r.t.Fatal(err)
	}
	return out["logits"].F
}

func (r *run) decode(runs []worker.Run) []worker.Scores {
	r.t.Helper()
	scores, err := r.m.Decode(runs)
	if err != nil {
		r.t.Fatal(err)
	}
	return scores
}

func (r *run) hold(want []float32, got ...worker.Scores) {
	for _, s := range got {
		for i, v := range s.Logits {
			if far := math.Abs(float64(v - want[i])); !(far <= r.far) {
				r.far = far
			}
			r.high = max(r.high, math.Abs(float64(want[i])))
		}
		if best(want) == best(s.Logits) {
			r.same++
		}
	}
}
