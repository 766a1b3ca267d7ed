//go:build llama

package interp_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/oracle"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
	"fabula/engine/tensorrt/interp"
)

// The sizes of the comparison: tokens of a sequence, sequences, and the cells
// that llama.cpp is given for each, which choose the factors of longrope.
const (
	length    = 96
	sequences = 3
	cells     = 256
)

// tolerance of logits that are some units apart: both sides sum in FP32, in
// different orders.
const tolerance = 5e-5

// A model as both sides have it.
type pair struct {
	llama *oracle.Model
	ours  *interp.Machine
	ids   [sequences][]int32
	want  [sequences][][]float32 // llama.cpp's logits after every token
}

// The seeds are such that every best token leads by more than both sides can
// differ on any processor.
func TestFamiliesAgreeWithLlama(t *testing.T) {
	for seed, shape := range tiny.Shapes() {
		t.Run(shape.Name, func(t *testing.T) {
			p := load(t, shape, uint64(300+seed))
			d := &difference{t: t, tolerance: tolerance}
			p.prefills(d)
			p.decodes(d)
			p.chunks(d)
			p.batches(d)
			t.Logf("%s: %d positions, max abs logit error %.1e, all top-1 equal, least lead of a top-1 %.1e", shape.Name, d.count, d.most, d.lead)
			if d.count < 64 || d.lead < 10*tolerance {
				t.Errorf("%d positions, least lead %.1e: the comparison says little", d.count, d.lead)
			}
		})
	}
}

func load(t *testing.T, shape graph.Config, seed uint64) *pair {
	t.Helper()
	file, err := tiny.File(shape, seed, weights.F32)
	if err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &pair{ours: machine(t, shape, data)}
	if p.llama, err = oracle.Open(path, cells, sequences); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.llama.Close)
	random := rand.New(rand.NewPCG(seed, 2))
	for s := range sequences {
		for range length {
			p.ids[s] = append(p.ids[s], int32(random.IntN(shape.Vocab)))
		}
		if p.want[s], err = p.llama.Decode(s, 0, p.ids[s]); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// machine reads the file as a build would.
func machine(t *testing.T, shape graph.Config, data []byte) *interp.Machine {
	t.Helper()
	in := bytes.NewReader(data)
	h, err := header.Read(in, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := graph.ReadConfig(h, in)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, shape) {
		t.Errorf("config\n%+v, want\n%+v", c, shape)
	}
	g, err := graph.Build(c, graph.Options{Compute: graph.F32, Context: cells})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := weights.NewPlan(h, in, g.Items())
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, plan.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// prefills takes every beginning of a sequence in one step.
func (p *pair) prefills(d *difference) {
	for n := 1; n <= length; n++ {
		c := p.ours.NewCache(1, cells)
		d.same("prefill", n-1, d.step(c, p.ids[0][:n])[0], p.want[0][n-1])
	}
}

// decodes takes one token a step.
func (p *pair) decodes(d *difference) {
	c := p.ours.NewCache(1, cells)
	for i := range length {
		d.same("decode", i, d.step(c, p.ids[0][i:i+1])[0], p.want[0][i])
	}
}

// chunks takes a prompt in unequal chunks and goes on token by token; then it
// goes back, as a regenerated reply does.
func (p *pair) chunks(d *difference) {
	c := p.ours.NewCache(1, cells)
	at := 0
	for _, n := range []int{17, 1, 32, 13, 1, 1, 1} {
		d.same("chunk", at+n-1, d.step(c, p.ids[0][at:at+n])[0], p.want[0][at+n-1])
		at += n
	}
	c.Truncate(0, 20)
	d.same("after going back", 30, d.step(c, p.ids[0][20:31])[0], p.want[0][30])
}

// batches takes sequences of different lengths at once.
func (p *pair) batches(d *difference) {
	c := p.ours.NewCache(sequences, cells)
	at := [sequences]int{}
	for _, sizes := range [][sequences]int{{1, 9, 30}, {20, 1, 2}, {1, 1, 1}, {1, 1, 1}, {7, 7, 3}} {
		var rows [][]int32
		for s, n := range sizes {
			rows = append(rows, p.ids[s][at[s]:at[s]+n])
			at[s] += n
		}
		got := d.step(c, rows...)
		for s := range sequences {
			d.same("batch", at[s]-1, got[s], p.want[s][at[s]-1])
		}
	}
}

// difference collects how far logits are apart.
type difference struct {
	t         *testing.T
	tolerance float64
	count     int
	most      float64
	lead      float64 // least distance of a best token from the second
}

// step gives the logits of each sequence.
func (d *difference) step(c *interp.Cache, rows ...[]int32) [][]float32 {
	d.t.Helper()
	out, err := c.Step(rows)
	if err != nil {
		d.t.Fatal(err)
	}
	logits := out["logits"]
	var list [][]float32
	for b := range rows {
		n := logits.Dims[1]
		list = append(list, logits.F[b*n:(b+1)*n])
	}
	return list
}

func (d *difference) same(what string, pos int, got, want []float32) {
	d.t.Helper()
	apart := 0.0
	for i := range want {
		apart = max(apart, math.Abs(float64(got[i]-want[i])))
	}
	if !(apart <= d.tolerance) {
		d.t.Errorf("%s, position %d: logits are %.2e apart", what, pos, apart)
	}
	if g, w := top(got), top(want); g != w {
		d.t.Errorf("%s, position %d: top-1 is %d, llama.cpp's %d", what, pos, g, w)
	}
	if l := lead(want); d.count == 0 || l < d.lead {
		d.lead = l
	}
	d.count, d.most = d.count+1, max(d.most, apart)
}

func top(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

func lead(x []float32) float64 {
	best, second := top(x), math.Inf(-1)
	for i, v := range x {
		if i != best {
			second = max(second, float64(v))
		}
	}
	return float64(x[best]) - second
}
