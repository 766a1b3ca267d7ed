package weights_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
)

func tensor(name string, dims []uint64, values ...float32) sample.Tensor {
	raw := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(v))
	}
	return sample.Tensor{Name: name, Dims: dims, Bytes: len(raw), Data: raw}
}

func file(tensors ...sample.Tensor) sample.File {
	return sample.File{Pairs: []sample.Pair{{Key: "general.architecture", Value: "llama"}}, Tensors: tensors}
}

func newPlan(t *testing.T, f sample.File, items ...weights.Item) (*weights.Plan, error) {
	t.Helper()
	data := f.Bytes()
	h, err := header.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return weights.NewPlan(h, bytes.NewReader(data), items)
}

func plan(t *testing.T, f sample.File, items ...weights.Item) *weights.Plan {
	t.Helper()
	p, err := newPlan(t, f, items...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPartsAreJoinedAndPairsPutApart(t *testing.T) {
	f := file(
		tensor("q", []uint64{2, 8}, 0, .5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5),
		tensor("v", []uint64{2, 1}, 8, 8.5),
		tensor("b", []uint64{4}, 0, 1, 2, 3),
	)
	p := plan(t, f,
		weights.Item{Name: "qv", Parts: []weights.Part{{Tensor: "q", Rows: 8, Cols: 2, Heads: 2}, {Tensor: "v", Rows: 1, Cols: 2}}},
		weights.Item{Name: "bias", Type: weights.F16, Parts: []weights.Part{{Tensor: "b", Rows: 4, Cols: 1, Heads: 1}}},
		weights.Item{Name: "table", Type: weights.BF16, Values: []float32{1, -2}},
	)
	want := map[string][]float32{
		"qv":    {0, .5, 2, 2.5, 1, 1.5, 3, 3.5, 4, 4.5, 6, 6.5, 5, 5.5, 7, 7.5, 8, 8.5},
		"bias":  {0, 2, 1, 3},
		"table": {1, -2},
	}
	for _, name := range p.Names() {
		raw, err := p.Read(name)
		item, _ := p.Item(name)
		if got := item.Type.Floats(raw); err != nil || !slices.Equal(got, want[name]) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want[name])
		}
	}
	if p.Bytes() != 18*4+4*2+2*2 {
		t.Errorf("%d bytes", p.Bytes())
	}
}

// Many rows are read in several runs, by several goroutines.
func TestLongTensors(t *testing.T) {
	const rows, cols = 3000, 64
	values := make([]float32, rows*cols)
	for i := range values {
		values[i] = float32(i)
	}
	p := plan(t, file(tensor("w", []uint64{cols, rows}, values...)),
		weights.Item{Name: "w", Parts: []weights.Part{{Tensor: "w", Rows: rows, Cols: cols}}})
	raw, err := p.Read("w")
	if got := weights.F32.Floats(raw); err != nil || !slices.Equal(got, values) {
		t.Errorf("differs, %v", err)
	}
}

func TestRefusedWithNames(t *testing.T) {
	w := tensor("w", []uint64{2, 2}, 1, 2, 3, 4)
	item := func(p weights.Part) []weights.Item { return []weights.Item{{Name: "w", Parts: []weights.Part{p}}} }
	strange := sample.Tensor{Name: "w", Type: 16, Dims: []uint64{256, 1}, Bytes: 66}
	tests := map[string]struct {
		file  sample.File
		items []weights.Item
		says  string
	}{
		"missing":      {file(w), item(weights.Part{Tensor: "v", Rows: 2, Cols: 2}), "tensor v is missing"},
		"another form": {file(w), item(weights.Part{Tensor: "w", Rows: 4, Cols: 1}), "tensor w is [2 2], not [4]"},
		"odd heads":    {file(w), item(weights.Part{Tensor: "w", Rows: 2, Cols: 2, Heads: 2}), "no pairs in 2 heads"},
		"format":       {file(strange), item(weights.Part{Tensor: "w", Rows: 1, Cols: 256}), "format IQ2_XXS"},
		"not used":     {file(w, tensor("extra", []uint64{1}, 1)), item(weights.Part{Tensor: "w", Rows: 2, Cols: 2}), "tensor extra is not used"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := newPlan(t, test.file, test.items...)
			if !errors.Is(err, engine.ErrIncompatible) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
		})
	}
}

func TestWeightsBeyondHalves(t *testing.T) {
	f := file(tensor("w", []uint64{2, 1}, 1, 70000))
	part := []weights.Part{{Tensor: "w", Rows: 1, Cols: 2}}
	if _, err := plan(t, f, weights.Item{Name: "w", Type: weights.F16, Parts: part}).Read("w"); !errors.Is(err, weights.ErrRange) {
		t.Errorf("FP16: %v", err)
	}
	if _, err := plan(t, f, weights.Item{Name: "w", Type: weights.BF16, Parts: part}).Read("w"); err != nil {
		t.Errorf("BF16: %v", err)
	}
}

func TestMemoryIsRefusedWithFigures(t *testing.T) {
	p := plan(t, file(tensor("w", []uint64{2, 1}, 1, 2)), weights.Item{Name: "w", Values: make([]float32, 1<<20),
		Type: weights.F16}, weights.Item{Name: "v", Parts: []weights.Part{{Tensor: "w", Rows: 1, Cols: 2}}})
	if err := p.Fits(p.Peak()); err != nil {
		t.Error(err)
	}
	err := p.Fits(3 << 20)
	if !errors.Is(err, weights.ErrMemory) || !strings.Contains(err.Error(), "2 MiB of weights") || !strings.Contains(err.Error(), "3 MiB are free") {
		t.Errorf("error %v", err)
	}
}

// A copy says what the original says, in another type.
func TestCopy(t *testing.T) {
	f := file(tensor("w", []uint64{2, 3}, 1, 2, 3, 4, 5, 6), tensor("b", []uint64{3}, 7, 8, 9), tensor("v", []uint64{2, 1}, 10, 11))
	data := f.Bytes()
	h, err := header.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := weights.Copy(&out, h, bytes.NewReader(data), weights.F16); err != nil {
		t.Fatal(err)
	}
	again, err := header.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || again.Architecture() != "llama" || len(again.Tensors) != 3 {
		t.Fatalf("%+v, %v", again, err)
	}
	if a := again.Tensors; a[0].Type.String() != "F16" || a[1].Type.String() != "F32" || a[2].Type.String() != "F16" {
		t.Errorf("types of %+v", a)
	}
	p, err := weights.NewPlan(again, bytes.NewReader(out.Bytes()), []weights.Item{{Name: "all", Parts: []weights.Part{
		{Tensor: "w", Rows: 3, Cols: 2}, {Tensor: "b", Rows: 3, Cols: 1}, {Tensor: "v", Rows: 1, Cols: 2},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := p.Read("all")
	if got := weights.F32.Floats(raw); err != nil || !slices.Equal(got, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
		t.Errorf("%v, %v", got, err)
	}
}

// Halves of every bit pattern come back; what lies between goes to the nearest,
// of two as near to the even one.
func TestRounding(t *testing.T) {
	for bits := range 1 << 16 {
		raw := []byte{byte(bits), byte(bits >> 8)}
		for _, to := range []weights.Type{weights.F16, weights.BF16} {
			v := to.Floats(raw)[0]
			if v == v && to.Bits(v) != uint16(bits) {
				t.Fatalf("%s %#x is %g and becomes %#x", to, bits, v, to.Bits(v))
			}
		}
	}
	tests := []struct {
		to       weights.Type
		in, want float32
	}{
		{weights.F16, 2049, 2048}, {weights.F16, 2051, 2052}, {weights.F16, 65519, 65504}, {weights.F16, 1e-8, 0},
		{weights.F16, 6.2e-8, 5.9604645e-8}, {weights.BF16, 257, 256}, {weights.BF16, 259, 260}, {weights.F32, 0.1, 0.1},
	}
	for _, test := range tests {
		if got := test.to.Round(test.in); got != test.want {
			t.Errorf("%g in %s is %g, want %g", test.in, test.to, got, test.want)
		}
	}
	if v := weights.F16.Round(65520); !math.IsInf(float64(v), 1) {
		t.Errorf("65520 in F16 is %g", v)
	}
}
