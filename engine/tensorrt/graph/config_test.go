package graph_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/tensorrt/graph/tiny"
)

// spoiled is the file of a tiny model with one value replaced, or left out if
// the new value is nil.
func spoiled(t *testing.T, name, key string, value any) sample.File {
	t.Helper()
	f, err := tiny.File(tiny.Shape(name), 1, weights.F32)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(f.Pairs, func(p sample.Pair) bool { return p.Key == key })
	switch {
	case at < 0:
		f.Pairs = append(f.Pairs, sample.Pair{Key: key, Value: value})
	case value == nil:
		f.Pairs = slices.Delete(f.Pairs, at, at+1)
	default:
		f.Pairs[at].Value = value
	}
	return f
}

func readConfig(t *testing.T, f sample.File) (graph.Config, error) {
	t.Helper()
	data := f.Bytes()
	in := bytes.NewReader(data)
	h, err := header.Read(in, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return graph.ReadConfig(h, in)
}

func TestConfigsAreRefusedByName(t *testing.T) {
	tests := map[string]struct {
		key   string
		value any
		says  string
	}{
		"no layers":      {"llama.block_count", nil, "key llama.block_count is missing"},
		"no heads":       {"llama.attention.head_count", nil, "key llama.attention.head_count is missing"},
		"no epsilon":     {"llama.attention.layer_norm_rms_epsilon", nil, "layer_norm_rms_epsilon is missing"},
		"no context":     {"llama.context_length", nil, "key llama.context_length is missing"},
		"another family": {"general.architecture", "mamba", "graph of mamba model"},
		"experts":        {"llama.expert_count", uint32(8), "a mixture of experts"},
		"text for count": {"llama.embedding_length", "many", `embedding_length is "many", not a count`},
		"zero":           {"llama.attention.head_count_kv", uint32(0), "head_count_kv is 0, not a count"},
		"no width":       {"llama.embedding_length", uint32(0), "key llama.embedding_length is 0"},
		"too many":       {"llama.embedding_length", uint32(1 << 30), "not a count"},
		"too deep":       {"llama.block_count", uint32(1 << 20), "more than any model has"},
		"text for base":  {"llama.rope.freq_base", "high", "freq_base is"},
		"shared heads":   {"llama.attention.head_count_kv", uint32(3), "4 heads cannot share 3 key heads"},
		"value size":     {"llama.attention.value_length", uint32(8), "different sizes"},
		"rotation":       {"llama.rope.dimension_count", uint32(8), "llama.rope.dimension_count is 8, heads have 16"},
		"scaling":        {"llama.rope.scaling.type", "dynamic", `rope.scaling.type is "dynamic"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := readConfig(t, spoiled(t, "llama factors", test.key, test.value))
			if !errors.Is(err, engine.ErrIncompatible) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
		})
	}
}

func TestFactorsAreRefusedByName(t *testing.T) {
	f := spoiled(t, "phi long", "x", true)
	drop := func(name string) sample.File {
		g := f
		g.Tensors = slices.DeleteFunc(slices.Clone(f.Tensors), func(t sample.Tensor) bool { return t.Name == name })
		return g
	}
	if _, err := readConfig(t, drop("rope_factors_long.weight")); err == nil || !strings.Contains(err.Error(), "only one of") {
		t.Errorf("long factors missing: %v", err)
	}
	zero := drop("rope_factors_long.weight")
	zero.Tensors = append(zero.Tensors, sample.Tensor{Name: "rope_factors_long.weight", Dims: []uint64{8}, Bytes: 32})
	if _, err := readConfig(t, zero); err == nil || !strings.Contains(err.Error(), "factor 0 is 0") {
		t.Errorf("factors of zero: %v", err)
	}
	short := drop("rope_factors_long.weight")
	short.Tensors = append(short.Tensors, sample.Tensor{Name: "rope_factors_long.weight", Dims: []uint64{4}, Bytes: 16})
	if _, err := readConfig(t, short); err == nil || !strings.Contains(err.Error(), "4 numbers of type F32, not 8") {
		t.Errorf("too few factors: %v", err)
	}
}

func TestBF16SourcesAreKnown(t *testing.T) {
	f, err := tiny.File(tiny.Shape("qwen3"), 1, weights.BF16)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(t, f)
	if err != nil || c.Source != graph.BF16 {
		t.Fatalf("%v, %v", c.Source, err)
	}
	if g := build(t, c, graph.Options{}); g.Options.Compute != graph.BF16 || g.Options.Residual != graph.F32 {
		t.Errorf("%+v", g.Options)
	}
}

func TestTables(t *testing.T) {
	plain := graph.Rotation{Dims: 4, Base: 10000, Scaling: "linear", Factor: 1, Original: 64, Magnitude: 1, Fast: 32, Slow: 1}
	angle := func(r graph.Rotation, context, pos, i int) float64 {
		cos, sin := r.Tables(context)
		at := pos*r.Dims/2 + i
		return math.Atan2(float64(sin[at]), float64(cos[at]))
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	near("first frequency", angle(plain, 8, 3, 0), 3)
	near("second frequency", angle(plain, 8, 3, 1), 0.03)
	linear := plain
	linear.Factor = 4
	near("linear", angle(linear, 8, 4, 0), 1)
	llama := plain
	llama.Factors = []float32{1, 8}
	near("factors", angle(llama, 8, 4, 1), 0.005)
	long := plain
	long.Scaling, long.Original, long.Magnitude, long.Short, long.Long = "longrope", 8, 1.5, []float32{1, 1}, []float32{2, 2}
	near("short", angle(long, 8, 2, 0), 2)
	near("long", angle(long, 9, 2, 0), 1)
	cos, _ := long.Tables(8)
	near("magnitude", float64(cos[0]), 1.5)
	yarn := plain
	yarn.Dims, yarn.Scaling, yarn.Factor, yarn.Original = 64, "yarn", 4, 4096
	near("yarn keeps what turns fast", angle(yarn, 8, 1, 0), 1)
	near("yarn divides what turns slowly", angle(yarn, 8, 1, 31), math.Pow(10000, -62.0/64)/4)
	cos, _ = yarn.Tables(1)
	near("yarn magnitude", float64(cos[0]), 1+0.1*math.Log(4))
}

// Whatever a file says, it is refused or gives a graph that is sound.
func FuzzReadConfig(f *testing.F) {
	for _, name := range []int{0, 6, 9} {
		file, err := tiny.File(tiny.Shapes()[name], 1, weights.F32)
		if err != nil {
			f.Fatal(err)
		}
		// Without weights the files are short, and fail late.
		for i := range file.Tensors {
			file.Tensors[i].Dims, file.Tensors[i].Bytes, file.Tensors[i].Data = []uint64{8}, 32, nil
		}
		f.Add(file.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		h, err := header.Read(in, int64(len(data)))
		if err != nil {
			return
		}
		c, err := graph.ReadConfig(h, in)
		if err != nil {
			if !errors.Is(err, engine.ErrIncompatible) {
				t.Fatal(err)
			}
			return
		}
		g, err := graph.Build(c, graph.Options{Context: 64})
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if _, err := weights.NewPlan(h, in, g.Items()); err != nil && !errors.Is(err, engine.ErrIncompatible) {
			t.Fatal(err)
		}
	})
}
