package tiny

import "fabula/engine/tensorrt/graph"

// Shapes are small models of every family that a graph can be made of, with
// every trait that one of them has.
func Shapes() []graph.Config {
	tied := base("llama", "llama tied") // SmolLM2
	tied.Tied = true
	factors := base("llama", "llama factors") // Llama 3.x
	factors.Rope.Base = 500000
	factors.Rope.Factors = factorList(factors.Rope.Dims/2, 1, 8)
	mistral := base("llama", "mistral") // 7B: its files say llama
	mistral.KVHeads, mistral.Rope.Base = 1, 1000000
	biased := base("llama", "llama biased")
	biased.QKVBias, biased.OutBias, biased.FFNBias = true, true, true
	linear := base("llama", "llama linear")
	linear.Rope.Factor = 4
	return append([]graph.Config{tied, factors, mistral, biased, linear, ministral()}, halves()...)
}

// Shape finds one of them by its name; it panics for a name that is none, since
// only tests ask.
func Shape(name string) graph.Config {
	for _, c := range Shapes() {
		if c.Name == name {
			return c
		}
	}
	panic("no tiny shape " + name)
}

// ministral has heads wider than its stream, yarn and growing queries.
func ministral() graph.Config {
	c := base("mistral3", "mistral3 yarn")
	c.HeadDim, c.Rope.Dims = 24, 24
	c.Rope.Scaling, c.Rope.Factor, c.Rope.Original, c.Rope.LogMul = "yarn", 16, 32, 1
	c.Temperature = 0.125
	return c
}

// halves are the families whose files keep Q and K as they were. No name says
// phi3: llama.cpp then wants that model's tokens in the vocabulary.
func halves() []graph.Config {
	qwen2 := base("qwen2", "qwen2")
	qwen2.QKVBias, qwen2.Tied, qwen2.Rope.Base = true, true, 1000000
	headed := base("qwen2", "qwen2 head bias")
	headed.QKVBias, headed.HeadBias = true, true
	qwen3 := base("qwen3", "qwen3")
	qwen3.QKNorm, qwen3.HeadDim, qwen3.Rope.Dims, qwen3.Rope.Base = true, 32, 32, 1000000
	yarn := base("qwen3", "qwen3 yarn")
	yarn.QKNorm, yarn.Tied = true, true
	yarn.Rope.Scaling, yarn.Rope.Factor, yarn.Rope.Original = "yarn", 4, 64
	phi := base("phi3", "phi") // mini-4k
	phi.FusedQKV, phi.FusedGateUp, phi.KVHeads = true, true, phi.Heads
	long := phi // mini-128k
	long.Name = "phi long"
	longrope(&long, 64)
	short := phi
	short.Name = "phi short"
	longrope(&short, 1024)
	partial := phi // Phi-4-mini rotates three quarters of each head
	partial.Name, partial.KVHeads, partial.Tied, partial.Rope.Dims = "phi partial", 2, true, 12
	longrope(&partial, 64)
	return []graph.Config{qwen2, headed, qwen3, yarn, phi, long, short, partial}
}

func longrope(c *graph.Config, original int) {
	r := &c.Rope
	r.Scaling, r.Original, r.Magnitude = "longrope", original, 1.1875
	r.Short, r.Long = factorList(r.Dims/2, 1, 1.5), factorList(r.Dims/2, 1, 40)
}

// factorList rises evenly.
func factorList(n int, from, to float32) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = from + (to-from)*float32(i)/float32(n-1)
	}
	return list
}

func base(family, name string) graph.Config {
	return graph.Config{
		Family: family, Name: name, Layers: 2, Hidden: 64, FFN: 96, Heads: 4, KVHeads: 2, HeadDim: 16, Vocab: 320, Context: 1024, Eps: 1e-5,
		Rope:   graph.Rotation{Dims: 16, Base: 10000, Scaling: "linear", Factor: 1, Original: 1024, Magnitude: 1, Fast: 32, Slow: 1},
		Paired: family == "llama" || family == "mistral3", Source: graph.F16,
	}
}
