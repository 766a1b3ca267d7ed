//go:build llama

package weights_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/oracle"
	"fabula/engine/gguf/weights"
)

// formats are all that can be read, by their numbers.
var formats = []header.Type{0, 1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 20, 23, 30}

// TestExpandsAsGgmlDoes holds every format against ggml on blocks that ggml
// quantised and on blocks of random bits, which have all codes.
func TestExpandsAsGgmlDoes(t *testing.T) {
	const rows, cols = 24, 512
	for _, format := range formats {
		t.Run(format.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(format), 1))
			values := make([]float32, rows*cols)
			for i := range values {
				values[i] = float32(random.NormFloat64())
			}
			quantised, err := oracle.Quantise(format, values, cols)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, format, quantised, rows, cols)
			if block, _ := format.Block(); block > 1 {
				compare(t, format, noise(format, quantised, random), rows, cols)
			}
		})
	}
}

// noise replaces the codes of blocks by random bits, not their halves, which
// must be finite.
func noise(format header.Type, raw []byte, random *rand.Rand) []byte {
	raw = bytes.Clone(raw)
	_, size := format.Block()
	for i := range raw {
		if !halves(format, i%size, size) {
			raw[i] = byte(random.Uint32())
		}
	}
	return raw
}

// halves says whether byte i of a block belongs to a half.
func halves(format header.Type, i, size int) bool {
	switch format.String() {
	case "Q4_1", "Q5_1", "Q4_K", "Q5_K":
		return i < 4
	case "Q2_K":
		return i >= size-4
	case "Q3_K", "Q6_K":
		return i >= size-2
	}
	return i < 2
}

func compare(t *testing.T, format header.Type, raw []byte, rows, cols int) {
	t.Helper()
	want := weights.F32.Floats(raw)
	if format != 0 {
		var err error
		if want, err = oracle.Expand(format, raw, rows*cols); err != nil {
			t.Fatal(err)
		}
	}
	for _, to := range []weights.Type{weights.F32, weights.F16, weights.BF16} {
		got := to.Floats(read(t, format, raw, rows, cols, to))
		for i := range want {
			// ggml's compiler may fuse a product with a sum: the last bit of FP32
			// can differ, and then, seldom, the last bit of a half.
			near := math.Abs(float64(want[i])) * map[weights.Type]float64{weights.F32: 3e-7, weights.F16: 1e-3, weights.BF16: 8e-3}[to]
			if diff := math.Abs(float64(got[i] - to.Round(want[i]))); diff > near+2e-6 {
				t.Fatalf("%s to %s: element %d is %g, ggml has %g", format, to, i, got[i], want[i])
			}
		}
	}
}

// read reads one tensor of a file.
func read(t *testing.T, format header.Type, raw []byte, rows, cols int, to weights.Type) []byte {
	t.Helper()
	f := sample.File{
		Pairs:   []sample.Pair{{Key: "general.architecture", Value: "llama"}},
		Tensors: []sample.Tensor{{Name: "w", Type: uint32(format), Dims: []uint64{uint64(cols), uint64(rows)}, Bytes: len(raw), Data: raw}},
	}
	plan := plan(t, f, weights.Item{Name: "w", Type: to, Parts: []weights.Part{{Tensor: "w", Rows: rows, Cols: cols}}})
	out, err := plan.Read("w")
	if err != nil {
		t.Fatal(err)
	}
	return out
}
