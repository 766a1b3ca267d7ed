package interp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
	"fabula/engine/tensorrt/interp"
)

// codedGraph is x → codes → y = codes·scale, and z = y times a weight of given codes.
func codedGraph(t *testing.T, x, scale interp.Array, weight []int8, scales []float32) map[string]interp.Array {
	t.Helper()
	g := &graph.Graph{}
	add := func(op graph.Op, name string, kind graph.Type, dims []int, in ...graph.ID) graph.ID {
		tensor := graph.Tensor{Name: name, Type: kind}
		for _, n := range dims {
			tensor.Dims = append(tensor.Dims, graph.Dim(n))
		}
		id := graph.ID(len(g.Tensors))
		g.Tensors = append(g.Tensors, tensor)
		g.Nodes = append(g.Nodes, graph.Node{Op: op, In: in, Out: []graph.ID{id}})
		return id
	}
	cols := x.Dims[len(x.Dims)-1]
	rows := len(scales)
	in, by := add(graph.Input{}, "x", graph.F32, x.Dims), add(graph.Input{}, "scale", graph.F32, scale.Dims)
	w := add(graph.Const{Values: make([]float32, rows*cols)}, "w", graph.I8, []int{rows, cols})
	s := add(graph.Const{Values: scales}, "s", graph.F32, []int{rows, 1})
	codes := add(graph.Quantize{}, "codes", graph.I8, x.Dims, in, by)
	y := add(graph.Dequantize{}, "y", graph.F32, x.Dims, codes, by)
	v := add(graph.Dequantize{}, "v", graph.F32, []int{rows, cols}, w, s)
	z := add(graph.MatMul{}, "z", graph.F32, append(slices.Clone(x.Dims[:len(x.Dims)-1]), rows), y, v)
	g.Outputs = []graph.ID{codes, y, z}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, func(name string) ([]byte, error) {
		var raw []byte
		for _, v := range map[string][]float32{"s": scales}[name] {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
		if name == "w" {
			for _, code := range weight {
				raw = append(raw, byte(code))
			}
		}
		return raw, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Run(graph.Sizes{}, map[string]interp.Array{"x": x, "scale": scale})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Halves go to the even code, and nothing leaves -128 to 127.
func TestCodes(t *testing.T) {
	x := floats([]int{2, 6}, 0.25, 0.75, -0.75, 1.25, 63.5, 64, -64, -64.25, -500, 0.2, -0.3, 0)
	out := codedGraph(t, x, floats([]int{1}, 0.5), []int8{1, 1, 1, 1, 1, 1, 127, -127, 127, -127, 127, -127}, []float32{2, 0.25})
	if want := []int8{0, 2, -2, 2, 127, 127, -128, -128, -128, 0, -1, 0}; !slices.Equal(out["codes"].Q, want) {
		t.Errorf("codes %v, want %v", out["codes"].Q, want)
	}
	if want := []float32{0, 1, -1, 1, 63.5, 63.5, -64, -64, -64, 0, -0.5, 0}; !slices.Equal(out["y"].F, want) {
		t.Errorf("decoded %v, want %v", out["y"].F, want)
	}
	// Sums of codes: 256 and -385; alternating: 127·(0-2-2-2+127-127), 127·(-128+128-128-0-1-0).
	if want := []float32{256, -127 * 6 * 0.125, -385, -127 * 129 * 0.125}; !slices.Equal(out["z"].F, want) {
		t.Errorf("product %v, want %v", out["z"].F, want)
	}
}

// A scale for each token is as good at any size of a token.
func TestCodesOfTokens(t *testing.T) {
	x := floats([]int{1, 2, 2}, 1270, -10, 0.00127, 0.00001)
	out := codedGraph(t, x, floats([]int{1, 2, 1}, 10, 0.00001), []int8{100, 1}, []float32{1})
	if want := []int8{127, -1, 127, 1}; !slices.Equal(out["codes"].Q, want) {
		t.Errorf("codes %v, want %v", out["codes"].Q, want)
	}
	for i, want := range []float32{126990, 0.12701} {
		if got := out["z"].F[i]; math.Abs(float64(got/want-1)) > 1e-6 {
			t.Errorf("product %g, want %g", got, want)
		}
	}
	got := one(t, graph.TokenScale{}, graph.Sizes{}, []interp.Array{floats([]int{3, 2}, -254, 3, 0, 0, 1.27, 1)}, 3, 1)
	if want := []float32{2, 1, 0.01}; apart(got.F, want) > 1e-8 {
		t.Errorf("scales %v, want %v", got.F, want)
	}
}

// quantised makes machines of one tiny file: as it is, and by recipes.
type quantised struct {
	t     *testing.T
	plain *graph.Graph
	h     *header.Header
	file  *bytes.Reader
	plan  *weights.Plan
	m     *interp.Machine
	r     graph.Recipe // ranges and columns
}

func newQuantised(t *testing.T, f sample.File, c graph.Config, compute graph.Type, tokens []int32) *quantised {
	t.Helper()
	data := f.Bytes()
	q := &quantised{t: t, file: bytes.NewReader(data)}
	var err error
	if q.h, err = header.Read(q.file, int64(len(data))); err != nil {
		t.Fatal(err)
	}
	if q.plain, err = graph.Build(c, graph.Options{Compute: compute, Context: 256}); err != nil {
		t.Fatal(err)
	}
	q.m, q.plan = q.machine(q.plain)
	q.r = graph.Recipe{Alpha: 0.5, Ranges: map[string][]float32{}, Columns: q.plan.Columns}
	q.m.Note(q.r.Ranges)
	step(t, q.m.NewCache(1, len(tokens)), tokens)
	q.m.Note(nil)
	return q
}

func (q *quantised) machine(g *graph.Graph) (*interp.Machine, *weights.Plan) {
	q.t.Helper()
	plan, err := weights.NewPlan(q.h, q.file, g.Items())
	if err != nil {
		q.t.Fatal(err)
	}
	m, err := interp.New(g, plan.Read)
	if err != nil {
		q.t.Fatal(err)
	}
	return m, plan
}

// against gives the mean KL in nats and the share of equal best tokens of a recipe,
// teacher-forced.
func (q *quantised) against(r graph.Recipe, tokens []int32) (kl, same float64) {
	q.t.Helper()
	r.Ranges, r.Columns = q.r.Ranges, q.r.Columns
	g, err := q.plain.Quantize(r)
	if err != nil {
		q.t.Fatal(err)
	}
	m, _ := q.machine(g)
	want, got := q.m.NewCache(1, len(tokens)), m.NewCache(1, len(tokens))
	for _, id := range tokens {
		p, q := step(q.t, want, []int32{id})["logits"].F, step(q.t, got, []int32{id})["logits"].F
		kl += divergence(p, q) / float64(len(tokens))
		if slices.Index(p, slices.Max(p)) == slices.Index(q, slices.Max(q)) {
			same += 1 / float64(len(tokens))
		}
	}
	return kl, same
}

func divergence(p, q []float32) float64 {
	sum := func(x []float32) float64 {
		s := 0.0
		for _, v := range x {
			s += math.Exp(float64(v))
		}
		return math.Log(s)
	}
	a, b, kl := sum(p), sum(q), 0.0
	for i := range p {
		l := float64(p[i]) - a
		kl += math.Exp(l) * (l - float64(q[i]) + b)
	}
	return kl
}

func tokens(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32((i*i*7 + 13*i + 3) % 320)
	}
	return list
}

// Weights of eight bits cost next to nothing; activations as well cost more, and a scale
// for each token no more than one for all.
func TestSchemesAgainstFP16(t *testing.T) {
	for _, shape := range tiny.Shapes() {
		if shape.Name != "llama tied" && shape.Name != "qwen3" && shape.Name != "phi" {
			continue
		}
		f, err := tiny.File(shape, 7, weights.F32)
		if err != nil {
			t.Fatal(err)
		}
		q := newQuantised(t, f, shape, graph.F16, tokens(40))
		figures := map[string]float64{}
		for name, r := range map[string]graph.Recipe{
			"weights": {Scheme: graph.OfWeights}, "attention": {Scheme: graph.OfHeads, Alpha: 0.5}, "mlp": {Scheme: graph.OfMLP, Alpha: 0.5},
			"all": {Scheme: graph.All, Alpha: 0.5}, "all by token": {Scheme: graph.All, Tokens: true}, "all skipped": {Scheme: graph.All, Skip: []int{0, 1}, Head: true},
		} {
			kl, same := q.against(r, tokens(40))
			figures[name] = kl
			t.Logf("%s, %s: mean KL %.5f, same best %.3f", shape.Name, name, kl, same)
			if kl > 0.05 || same < 0.85 {
				t.Errorf("%s, %s: mean KL %.5f, same best %.3f", shape.Name, name, kl, same)
			}
		}
		if math.Abs(figures["all skipped"]) > 1e-12 || figures["weights"] > 0.005 || figures["weights"] > figures["all"] {
			t.Errorf("%s: %v", shape.Name, figures)
		}
	}
}

// A channel far greater than the others takes all codes of a tensor; smoothing gives
// them back.
func TestSmoothingServesAnOutlier(t *testing.T) {
	shape := tiny.Shapes()[0]
	f, err := tiny.File(shape, 7, weights.F32)
	if err != nil {
		t.Fatal(err)
	}
	const channel, by = 5, 100
	for i, tensor := range f.Tensors {
		switch name := strings.TrimSuffix(tensor.Name[strings.LastIndex(tensor.Name[:len(tensor.Name)-7], ".")+1:], ".weight"); name {
		case "attn_norm", "ffn_norm":
			scale(f.Tensors[i].Data, channel, shape.Hidden, by)
		case "attn_q", "attn_k", "attn_v", "ffn_gate", "ffn_up":
			scale(f.Tensors[i].Data, channel, shape.Hidden, 1.0/by)
		}
	}
	q := newQuantised(t, f, shape, graph.F32, tokens(40))
	figures := map[string]float64{}
	for name, alpha := range map[string]float64{"none": 0, "half": 0.5} {
		figures[name], _ = q.against(graph.Recipe{Scheme: graph.All, Alpha: alpha}, tokens(40))
	}
	t.Logf("mean KL without smoothing %.4f, with it %.4f", figures["none"], figures["half"])
	if !(figures["half"] < figures["none"]/4) {
		t.Errorf("smoothing does not help: %v", figures)
	}
}

// scale multiplies one column of rows of FP32.
func scale(raw []byte, column, cols int, by float32) {
	for at := 4 * column; at < len(raw); at += 4 * cols {
		v := math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))
		binary.LittleEndian.PutUint32(raw[at:], math.Float32bits(v*by))
	}
}

func ExampleMachine_Note() {
	shape := tiny.Shapes()[0]
	g, _ := graph.Build(shape, graph.Options{Compute: graph.F32, Context: 8})
	m, _ := interp.New(g, func(name string) ([]byte, error) {
		id, _ := g.Lookup(name)
		return make([]byte, 4*size(g.Tensor(id).Dims)), nil
	})
	ranges := map[string][]float32{}
	m.Note(ranges)
	_, _ = m.NewCache(1, 4).Step([][]int32{{1}})
	fmt.Println(len(ranges), len(ranges["blk.1.ffn_down"]), len(ranges["head"]))
	// Output: 9 96 64
}

func size(dims []graph.Dim) int {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	return n
}
