package graph

import (
	"fmt"
	"math"
	"strings"

	"fabula/engine/gguf/weights"
)

// Build makes the graph of a model. Constants have the names of the tensors in
// the file, those that are joined of blk.N.qkv.weight and blk.N.gate_up.weight.
func Build(c Config, o Options) (*Graph, error) {
	o, err := o.filled(c)
	if err != nil {
		return nil, fmt.Errorf("graph of %s model: %w", c.Family, err)
	}
	b := &builder{g: &Graph{Config: c, Options: o}, count: map[string]int{}}
	m := model{builder: b, c: c, o: o}
	m.inputs()
	x := m.embed()
	for layer := range c.Layers {
		x = m.layer(x, layer)
	}
	m.head(x)
	if err := b.g.Check(); err != nil {
		return nil, fmt.Errorf("graph of %s model: %w", c.Family, err)
	}
	return b.g, nil
}

// model is a graph that is being built, and its tensors that all layers use.
type model struct {
	*builder
	c Config
	o Options

	ids, pos, past, last, bias ID
	keys, values               []ID
	embedding                  ID
	cos, sin, temperature      ID
}

func (m *model) inputs() {
	m.ids, m.pos = m.input("ids", I32, B, S), m.input("pos", I32, B, S)
	m.past, m.last = m.input("past", I32, B), m.input("last", I32, B)
	m.bias = m.input("bias", F32, B, Dim(m.c.Vocab))
	heads, size := Dim(m.c.KVHeads), Dim(m.c.HeadDim)
	for layer := range m.c.Layers {
		m.keys = append(m.keys, m.input(Key(layer), m.o.Compute, B, heads, size, C))
		m.values = append(m.values, m.input(Value(layer), m.o.Compute, B, heads, C, size))
	}
}

// embed looks up the tokens and, once for all layers, the angles of their positions.
func (m *model) embed() ID {
	n := Dim(m.c.Hidden)
	m.embedding = m.weight("token_embd.weight", m.o.Compute, []Dim{Dim(m.c.Vocab), n},
		weights.Part{Tensor: "token_embd.weight", Rows: m.c.Vocab, Cols: m.c.Hidden})
	cos, sin := m.c.Rope.Tables(m.o.Context)
	rows, half := Dim(m.o.Context), Dim(m.c.Rope.Dims/2)
	m.cos = m.gather(m.table("rope.cos", cos, rows, half), m.pos, "rope.cos.rows")
	m.sin = m.gather(m.table("rope.sin", sin, rows, half), m.pos, "rope.sin.rows")
	if m.c.Temperature != 0 {
		growth := m.table("temperature", m.c.growth(m.o.Context), rows, 1, 1)
		m.temperature = m.cast(m.gather(growth, m.pos, "temperature.rows"), m.o.Compute)
	}
	return m.cast(m.gather(m.embedding, m.ids, "embedded"), m.o.Residual)
}

// growth gives the factor of queries at each position.
func (c Config) growth(context int) []float32 {
	list := make([]float32, context)
	for pos := range list {
		list[pos] = float32(1 + c.Temperature*math.Log(1+math.Floor(float64(pos)/float64(c.Rope.Original))))
	}
	return list
}

func (m *model) layer(x ID, layer int) ID {
	m.scope = fmt.Sprintf("blk.%d.", layer)
	x = m.residual(x, m.attention(m.norm(x, m.scope+"attn_norm.weight", m.o.Compute), layer), "after_attn")
	return m.residual(x, m.feedForward(m.norm(x, m.scope+"ffn_norm.weight", m.o.Compute)), "after_ffn")
}

func (m *model) residual(x, y ID, name string) ID { return m.sum(x, m.cast(y, m.o.Residual), name) }

func (m *model) attention(x ID, layer int) ID {
	c := m.c
	q, k, v := m.heads(x)
	m.output(k, NewKey(layer))
	m.output(v, NewValue(layer))
	op := Attention{Scale: float32(1 / math.Sqrt(float64(c.HeadDim)))}
	y := m.add(op, m.scope+"attn", m.o.Compute, m.of(q).Dims, q, k, v, m.keys[layer], m.values[layer], m.past)
	wide := c.Heads * c.HeadDim
	y = m.reshape(y, "attn.joined", B, S, Dim(wide))
	return m.linear(y, "attn_output", c.OutBias, m.part("attn_output", c.Hidden, wide, 0))
}

// heads gives rotated queries, rotated keys and values, [B,S,H,D].
func (m *model) heads(x ID) (q, k, v ID) {
	c := m.c
	wide, narrow := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	all := m.linear(x, "qkv", c.QKVBias, m.qkv(wide, narrow)...)
	cut := func(start, heads int, name string) ID {
		y := m.slice(all, start, heads*c.HeadDim, name+".rows")
		return m.reshape(y, name, B, S, Dim(heads), Dim(c.HeadDim))
	}
	q, k, v = cut(0, c.Heads, "q"), cut(wide, c.KVHeads, "k"), cut(wide+narrow, c.KVHeads, "v")
	if c.QKNorm {
		q = m.norm(q, m.scope+"attn_q_norm.weight", m.o.Compute)
		k = m.norm(k, m.scope+"attn_k_norm.weight", m.o.Compute)
	}
	q, k = m.rope(q, "q.rotated"), m.rope(k, "k.rotated")
	if c.Temperature != 0 {
		q = m.product(q, m.temperature, "q.grown")
	}
	return q, k, v
}

func (m *model) rope(x ID, name string) ID {
	t := m.of(x)
	return m.add(Rope{Rotary: m.c.Rope.Dims}, m.scope+name, t.Type, t.Dims, x, m.cos, m.sin)
}

func (m *model) qkv(wide, narrow int) []weights.Part {
	if m.c.FusedQKV {
		return []weights.Part{m.part("attn_qkv", wide+2*narrow, m.c.Hidden, 0)}
	}
	heads, keyHeads := 0, 0
	if m.c.Paired {
		heads, keyHeads = m.c.Heads, m.c.KVHeads
	}
	return []weights.Part{
		m.part("attn_q", wide, m.c.Hidden, heads),
		m.part("attn_k", narrow, m.c.Hidden, keyHeads),
		m.part("attn_v", narrow, m.c.Hidden, 0),
	}
}

func (m *model) feedForward(x ID) ID {
	c := m.c
	parts := []weights.Part{m.part("ffn_gate", c.FFN, c.Hidden, 0), m.part("ffn_up", c.FFN, c.Hidden, 0)}
	if c.FusedGateUp {
		parts = []weights.Part{m.part("ffn_up", 2*c.FFN, c.Hidden, 0)}
	}
	both := m.linear(x, "gate_up", c.FFNBias, parts...)
	gate, up := m.slice(both, 0, c.FFN, "gate"), m.slice(both, c.FFN, c.FFN, "up")
	t := m.of(gate)
	y := m.add(SiLUMul{}, m.scope+"silu", t.Type, t.Dims, gate, up)
	return m.linear(y, "ffn_down", c.FFNBias, m.part("ffn_down", c.Hidden, c.FFN, 0))
}

// head gives the logits of the last position.
func (m *model) head(x ID) {
	c := m.c
	m.scope = ""
	x = m.add(LastPosition{}, "last.hidden", m.o.Residual, []Dim{B, 1, Dim(c.Hidden)}, x, m.last)
	x = m.norm(x, "output_norm.weight", m.o.Compute)
	weight := m.embedding
	if !c.Tied {
		weight = m.weight("output.weight", m.o.Compute, m.of(m.embedding).Dims,
			weights.Part{Tensor: "output.weight", Rows: c.Vocab, Cols: c.Hidden})
	}
	y := m.cast(m.matmul(x, weight, "head"), F32)
	y = m.reshape(y, "head.rows", B, Dim(c.Vocab))
	if c.HeadBias {
		y = m.sum(y, m.weight("output.bias", F32, []Dim{Dim(c.Vocab)}, weights.Part{Tensor: "output.bias", Rows: c.Vocab, Cols: 1}), "head.biased")
	}
	y = m.sum(y, m.bias, "logits")
	if m.o.TopK == 0 {
		m.output(y, "logits")
		return
	}
	m.best(y)
}

func (m *model) best(logits ID) {
	k := Dim(m.o.TopK)
	values := m.add(TopK{K: m.o.TopK}, "top.values", F32, []Dim{B, k}, logits)
	ids := ID(len(m.g.Tensors))
	m.g.Tensors = append(m.g.Tensors, Tensor{Name: "top.ids", Type: I32, Dims: []Dim{B, k}})
	node := &m.g.Nodes[len(m.g.Nodes)-1]
	node.Out = append(node.Out, ids)
	m.output(values, "top.values")
	m.output(ids, "top.ids")
}

func (m *model) part(name string, rows, cols, heads int) weights.Part {
	return weights.Part{Tensor: m.scope + name + ".weight", Rows: rows, Cols: cols, Heads: heads}
}

// biasOf is the name of the bias that goes with a weight.
func biasOf(tensor string) string { return strings.TrimSuffix(tensor, "weight") + "bias" }
