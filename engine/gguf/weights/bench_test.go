package weights_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
)

// BenchmarkFill reads a matrix of 16 Mi elements into FP16; its rate is in bytes
// of FP16 a second.
func BenchmarkFill(b *testing.B) {
	const rows, cols = 4096, 4096
	for _, format := range []header.Type{1, 2, 8, 12, 14} {
		b.Run(format.String(), func(b *testing.B) {
			block, size := format.Block()
			raw := make([]byte, rows*cols/block*size)
			random := rand.NewChaCha8([32]byte{})
			_, _ = random.Read(raw) // never fails
			for i := range raw {
				raw[i] &= 0x3f // every half finite and small
			}
			data := sample.File{
				Pairs:   []sample.Pair{{Key: "general.architecture", Value: "llama"}},
				Tensors: []sample.Tensor{{Name: "w", Type: uint32(format), Dims: []uint64{cols, rows}, Bytes: len(raw), Data: raw}},
			}.Bytes()
			h, err := header.Read(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				b.Fatal(err)
			}
			part := weights.Part{Tensor: "w", Rows: rows, Cols: cols}
			p, err := weights.NewPlan(h, bytes.NewReader(data), []weights.Item{{Name: "w", Type: weights.F16, Parts: []weights.Part{part}}})
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]byte, p.Bytes())
			b.SetBytes(p.Bytes())
			for b.Loop() {
				if err := p.Fill("w", dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
