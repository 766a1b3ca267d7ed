// Package sample writes small GGUF files for tests: sound ones, and bytes that
// a test can then break. Tensor data is zeros unless a test gives some.
package sample

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Pair is one metadata value. Value is a string, bool, uint32, int32, uint64,
// float32, []string, []int32 or []float32.
type Pair struct {
	Key   string
	Value any
}

// Tensor is one row of the tensor table. Its data is Bytes long: Data, then zeros.
type Tensor struct {
	Name  string
	Type  uint32
	Dims  []uint64
	Bytes int
	Data  []byte
}

// File describes a GGUF file of version 3.
type File struct {
	Pairs   []Pair
	Tensors []Tensor
}

// Model is a sound file of a small llama with one tensor of elements F32
// numbers, the metadata of which can be added to; a pair given again replaces
// the one here.
func Model(name string, elements int, pairs ...Pair) File {
	f := File{
		Pairs: []Pair{
			{"general.architecture", "llama"},
			{"general.name", name},
			{"general.file_type", uint32(3)},
			{"llama.context_length", uint32(2048)},
			{"tokenizer.ggml.tokens", []string{"<s>", "</s>", "a", "b"}},
			{"tokenizer.ggml.bos_token_id", uint32(0)},
			{"tokenizer.ggml.eos_token_id", uint32(1)},
		},
		Tensors: []Tensor{{Name: "token_embd.weight", Dims: []uint64{uint64(elements)}, Bytes: 4 * elements}},
	}
	for _, p := range pairs {
		f.Pairs = put(f.Pairs, p)
	}
	return f
}

func put(pairs []Pair, p Pair) []Pair {
	for i := range pairs {
		if pairs[i].Key == p.Key {
			pairs[i] = p
			return pairs
		}
	}
	return append(pairs, p)
}

// Bytes gives the file as it lies on a disk, aligned to 32 bytes.
func (f File) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("GGUF")
	write(&b, uint32(3), uint64(len(f.Tensors)), uint64(len(f.Pairs)))
	for _, p := range f.Pairs {
		text(&b, p.Key)
		value(&b, p.Value)
	}
	offset := 0
	for _, t := range f.Tensors {
		text(&b, t.Name)
		write(&b, uint32(len(t.Dims)), t.Dims, t.Type, uint64(offset))
		offset += aligned(t.Bytes)
	}
	b.Write(make([]byte, aligned(b.Len())-b.Len()))
	for i, t := range f.Tensors {
		n := t.Bytes
		if i < len(f.Tensors)-1 {
			n = aligned(n)
		}
		b.Write(t.Data)
		b.Write(make([]byte, n-len(t.Data)))
	}
	return b.Bytes()
}

func aligned(n int) int { return (n + 31) / 32 * 32 }

func write(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		// A buffer takes everything, and all kinds here have a fixed size.
		_ = binary.Write(b, binary.LittleEndian, v)
	}
}

func text(b *bytes.Buffer, s string) {
	write(b, uint64(len(s)))
	b.WriteString(s)
}

func value(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case string:
		write(b, uint32(8))
		text(b, v)
	case bool:
		write(b, uint32(7), v)
	case uint32:
		write(b, uint32(4), v)
	case int32:
		write(b, uint32(5), v)
	case uint64:
		write(b, uint32(10), v)
	case float32:
		write(b, uint32(6), math.Float32bits(v))
	case []string:
		write(b, uint32(9), uint32(8), uint64(len(v)))
		for _, s := range v {
			text(b, s)
		}
	case []int32:
		write(b, uint32(9), uint32(5), uint64(len(v)), v)
	case []float32:
		write(b, uint32(9), uint32(6), uint64(len(v)), v)
	default:
		text(b, fmt.Sprintf("no kind for %T", v)) // makes a file that a reader refuses
	}
}
