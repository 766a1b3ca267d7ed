// Package tiny writes models with random weights as GGUF files, so that tests
// can hold every family against another runtime. The files are sound: llama.cpp
// loads them, with a vocabulary of bytes.
package tiny

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
)

// File gives the GGUF file of a model with weights of the given type, F32, F16
// or BF16; the same seed gives the same bytes. Vectors are FP32, as everywhere.
func File(c graph.Config, seed uint64, matrices weights.Type) (sample.File, error) {
	g, err := graph.Build(c, graph.Options{Compute: graph.F32, Context: 1})
	if err != nil {
		return sample.File{}, err
	}
	f := sample.File{Pairs: append(facts(c), words(c.Vocab)...)}
	random := rand.New(rand.NewPCG(seed, 1))
	for _, item := range g.Items() {
		for _, p := range item.Parts {
			f.Tensors = append(f.Tensors, tensor(p, matrices, random))
		}
	}
	factors(&f, "rope_freqs.weight", c.Rope.Factors)
	factors(&f, "rope_factors_long.weight", c.Rope.Long)
	factors(&f, "rope_factors_short.weight", c.Rope.Short)
	return f, nil
}

func factors(f *sample.File, name string, list []float32) {
	if list != nil {
		data := encode(list, weights.F32)
		f.Tensors = append(f.Tensors, sample.Tensor{Name: name, Dims: []uint64{uint64(len(list))}, Bytes: len(data), Data: data})
	}
}

// stored are the numbers of the types in a file.
func stored(t weights.Type) uint32 {
	return map[weights.Type]uint32{weights.F16: 1, weights.BF16: 30}[t]
}

func tensor(p weights.Part, matrices weights.Type, random *rand.Rand) sample.Tensor {
	dims := []uint64{uint64(p.Cols), uint64(p.Rows)}
	if p.Cols == 1 {
		dims, matrices = dims[1:], weights.F32
	}
	data := encode(Values(p, random), matrices)
	return sample.Tensor{Name: p.Tensor, Type: stored(matrices), Dims: dims, Bytes: len(data), Data: data}
}

// Values are random elements of a part, of a size that keeps a model of any
// depth in range and its logits some units apart.
func Values(p weights.Part, random *rand.Rand) []float32 {
	mean, spread := 0.0, 1/math.Sqrt(float64(p.Cols))
	switch {
	case strings.HasSuffix(p.Tensor, "norm.weight"):
		mean, spread = 1, 0.2
	case p.Cols == 1:
		spread = 0.5
	case strings.HasPrefix(p.Tensor, "output.") || strings.HasPrefix(p.Tensor, "token_embd."):
		spread *= 4
	}
	values := make([]float32, p.Rows*p.Cols)
	for i := range values {
		values[i] = float32(mean + spread*random.NormFloat64())
	}
	return values
}

func encode(values []float32, t weights.Type) []byte {
	raw := make([]byte, 0, len(values)*t.Size())
	for _, v := range values {
		if t == weights.F32 {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		} else {
			raw = binary.LittleEndian.AppendUint16(raw, t.Bits(v))
		}
	}
	return raw
}

// facts are the metadata that graph.ReadConfig reads back.
func facts(c graph.Config) []sample.Pair {
	n := func(key string, v int) sample.Pair { return sample.Pair{Key: c.Family + "." + key, Value: uint32(v)} }
	f := func(key string, v float64) sample.Pair {
		return sample.Pair{Key: c.Family + "." + key, Value: float32(v)}
	}
	pairs := []sample.Pair{
		{Key: "general.architecture", Value: c.Family}, {Key: "general.name", Value: c.Name},
		n("block_count", c.Layers), n("embedding_length", c.Hidden), n("feed_forward_length", c.FFN),
		n("attention.head_count", c.Heads), n("attention.head_count_kv", c.KVHeads),
		n("attention.key_length", c.HeadDim), n("attention.value_length", c.HeadDim), n("context_length", c.Context),
		f("attention.layer_norm_rms_epsilon", float64(c.Eps)),
		n("rope.dimension_count", c.Rope.Dims), f("rope.freq_base", c.Rope.Base),
		{Key: c.Family + ".rope.scaling.type", Value: c.Rope.Scaling}, f("rope.scaling.factor", c.Rope.Factor),
		n("rope.scaling.original_context_length", c.Rope.Original), f("rope.scaling.attn_factor", c.Rope.Magnitude),
	}
	if c.Family == "mistral3" {
		pairs = append(pairs, f("rope.scaling.yarn_beta_fast", c.Rope.Fast), f("rope.scaling.yarn_beta_slow", c.Rope.Slow),
			f("rope.scaling.yarn_log_multiplier", c.Rope.LogMul), f("attention.temperature_scale", c.Temperature))
	}
	return pairs
}

// words is a vocabulary of the sentencepiece kind: three control tokens, a token
// for each byte, and names for the rest.
func words(n int) []sample.Pair {
	const unknown, control, plain, single = 2, 3, 1, 6 // kinds of tokens
	texts, kinds, scores := []string{"<unk>", "<s>", "</s>"}, []int32{unknown, control, control}, make([]float32, n)
	for b := range 256 {
		texts, kinds = append(texts, fmt.Sprintf("<0x%02X>", b)), append(kinds, single)
	}
	for len(texts) < n {
		texts, kinds = append(texts, fmt.Sprintf("w%d", len(texts))), append(kinds, plain)
	}
	return []sample.Pair{
		{Key: "tokenizer.ggml.model", Value: "llama"},
		{Key: "tokenizer.ggml.tokens", Value: texts[:n]},
		{Key: "tokenizer.ggml.scores", Value: scores},
		{Key: "tokenizer.ggml.token_type", Value: kinds[:n]},
		{Key: "tokenizer.ggml.bos_token_id", Value: uint32(1)},
		{Key: "tokenizer.ggml.eos_token_id", Value: uint32(2)},
		{Key: "tokenizer.ggml.unknown_token_id", Value: uint32(0)},
	}
}
