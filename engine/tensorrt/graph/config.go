package graph

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/gguf/header"
)

// ErrFamily is wrapped, together with engine.ErrIncompatible, by errors about
// models that no graph can be made of.
var ErrFamily = errors.New("no graph is known for this model")

// Config is what a graph needs to know of a model.
type Config struct {
	Family string // general.architecture: llama, mistral3, qwen2, qwen3, phi3
	Name   string // in its author's words, may be empty

	Layers, Hidden, FFN     int
	Heads, KVHeads, HeadDim int
	Vocab                   int // rows of the head
	Context                 int // the longest sequence it was made for, in tokens
	Eps                     float32
	Rope                    Rotation
	// Temperature is how much queries grow with their position (mistral3),
	// 0 = not: by the factor 1 + Temperature·ln(1 + ⌊position/Rope.Original⌋).
	Temperature float64

	Paired                bool // rows of Q and K are stored in pairs
	FusedQKV, FusedGateUp bool // one tensor in the file instead of several
	Tied                  bool // the head is the embedding
	QKVBias, OutBias      bool
	FFNBias, HeadBias     bool
	QKNorm                bool
	Source                Type // of the weights before they were quantised, if the file tells: BF16, else F16
}

// families says, by architecture, whether rows of Q and K are stored in pairs.
// Mistral's earlier models call themselves llama.
var families = map[string]bool{"llama": true, "mistral3": true, "qwen2": false, "qwen3": false, "phi3": false}

// ReadConfig reads a model's config from a GGUF file: its header h, and r for
// the few numbers that are kept as tensors (rope factors). Errors wrap
// engine.ErrIncompatible and name the key or the tensor.
func ReadConfig(h *header.Header, r io.ReaderAt) (Config, error) {
	c, err := readConfig(h, r)
	if err != nil {
		return Config{}, fmt.Errorf("graph of %s model: %w: %w", h.Architecture(), engine.ErrIncompatible, err)
	}
	return c, nil
}

func readConfig(h *header.Header, r io.ReaderAt) (Config, error) {
	c := Config{Family: h.Architecture(), Name: h.Name(), Vocab: h.Vocabulary(), Context: h.Context(), Source: source(h)}
	paired, known := families[c.Family]
	if !known {
		return c, fmt.Errorf("%w: llama, mistral3, qwen2, qwen3 and phi3 are", ErrFamily)
	}
	c.Paired = paired
	k := &keys{h: h, prefix: c.Family + "."}
	c.Layers, c.Hidden = k.count("block_count"), k.count("embedding_length")
	c.FFN, c.Heads = k.count("feed_forward_length"), k.count("attention.head_count")
	c.KVHeads = k.countOr("attention.head_count_kv", c.Heads)
	c.Eps = float32(k.number("attention.layer_norm_rms_epsilon"))
	if c.Heads > 0 {
		c.HeadDim = k.countOr("attention.key_length", c.Hidden/c.Heads)
	}
	if c.Family == "mistral3" {
		c.Temperature = k.numberOr("attention.temperature_scale", 0)
	}
	c.Rope = k.rotation(c)
	if err := errors.Join(k.err, c.sane(k)); err != nil {
		return c, err
	}
	c.tensors(h)
	return c, c.Rope.readFactors(h, r)
}

// sane refuses numbers that no graph can be made of.
func (c Config) sane(k *keys) error {
	switch {
	case k.err != nil:
		return nil // said already
	case k.countOr("expert_count", 0) > 0:
		return fmt.Errorf("%w: it is a mixture of experts (%sexpert_count)", ErrFamily, k.prefix)
	case c.Context == 0:
		return fmt.Errorf("key %scontext_length is missing", k.prefix)
	case c.Vocab == 0:
		return errors.New("key tokenizer.ggml.tokens is missing")
	case c.Layers > mostLayers || c.Heads > mostHeads || c.HeadDim > mostHeads:
		return fmt.Errorf("%d layers of %d heads of %d are more than any model has", c.Layers, c.Heads, c.HeadDim)
	case c.Heads%c.KVHeads != 0:
		return fmt.Errorf("%d heads cannot share %d key heads", c.Heads, c.KVHeads)
	case c.HeadDim != k.countOr("attention.value_length", c.HeadDim):
		return fmt.Errorf("%w: its keys and values have different sizes", ErrFamily)
	case c.Rope.Dims%2 != 0 || c.Rope.Dims > c.HeadDim || c.Paired && c.Rope.Dims != c.HeadDim:
		return fmt.Errorf("%srope.dimension_count is %d, heads have %d", k.prefix, c.Rope.Dims, c.HeadDim)
	}
	return nil
}

// tensors looks which of the optional tensors the file has. Its first layer
// speaks for all: a layer that differs is found when weights are planned.
func (c *Config) tensors(h *header.Header) {
	has := func(name string) bool {
		return slices.ContainsFunc(h.Tensors, func(t header.Tensor) bool { return t.Name == name })
	}
	c.FusedQKV = has("blk.0.attn_qkv.weight")
	c.FusedGateUp = !has("blk.0.ffn_gate.weight")
	c.QKVBias = has("blk.0.attn_q.bias") || has("blk.0.attn_qkv.bias")
	c.OutBias = has("blk.0.attn_output.bias")
	c.FFNBias = has("blk.0.ffn_up.bias")
	c.QKNorm = has("blk.0.attn_q_norm.weight")
	c.HeadBias = has("output.bias")
	c.Tied = !has("output.weight")
}

// source guesses the type that the weights had before they were quantised.
func source(h *header.Header) Type {
	for _, t := range h.Tensors {
		if t.Type.String() == "BF16" && strings.HasSuffix(t.Name, ".weight") && len(t.Dims) == 2 {
			return BF16
		}
	}
	return F16
}

// keys reads metadata and remembers every key that is missing or of no use.
type keys struct {
	h      *header.Header
	prefix string
	err    error
}

func (k *keys) fail(key, why string) {
	k.err = errors.Join(k.err, fmt.Errorf("key %s%s %s", k.prefix, key, why))
}

func (k *keys) count(key string) int {
	if _, said := k.h.Values[k.prefix+key]; !said {
		k.fail(key, "is missing")
		return 0
	}
	n := k.countOr(key, 0)
	if n == 0 && k.err == nil {
		k.fail(key, "is 0")
	}
	return n
}

// Sizes above these no model has; a file that claims them would cost memory
// before it is found out.
const (
	mostCount  = 1 << 24
	mostLayers = 1 << 10
	mostHeads  = 1 << 12
)

func (k *keys) countOr(key string, otherwise int) int {
	v, said := k.h.Values[k.prefix+key]
	if !said {
		return otherwise
	}
	n, ok := v.Uint()
	if !ok || n > mostCount || n == 0 && otherwise > 0 {
		k.fail(key, "is "+v.String()+", not a count")
		return otherwise
	}
	return int(n)
}

func (k *keys) number(key string) float64 {
	if _, said := k.h.Values[k.prefix+key]; !said {
		k.fail(key, "is missing")
		return 0
	}
	return k.numberOr(key, 0)
}

func (k *keys) numberOr(key string, otherwise float64) float64 {
	v, said := k.h.Values[k.prefix+key]
	if !said {
		return otherwise
	}
	f, ok := v.Float()
	if !ok {
		k.fail(key, "is "+v.String()+", not a number")
		return otherwise
	}
	return f
}

func (k *keys) text(key string) string {
	s, _ := k.h.Values[k.prefix+key].Text()
	return s
}
