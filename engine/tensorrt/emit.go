//go:build tensorrt

package tensorrt

import (
	"fmt"

	"fabula/engine"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// Fill writes the bytes of a constant, little-endian; weights.Plan.Fill does.
type Fill func(name string, dst []byte) error

// emitter turns one graph into a network.
type emitter struct {
	g       *graph.Graph
	n       *bridge.Network
	kind    Attention
	fill    Fill
	tensors []bridge.Tensor // by graph.ID
	maker   []graph.Node    // by graph.ID: the node that made it

	slots          bridge.Tensor // Own and Few
	failed         error         // Few
	cached, causal bridge.Tensor // Span: what is added to the scores, made once
}

// Emit describes a graph as a network of a library, with its profiles. The caller
// closes the network. Constants are filled now, so that a build needs no file.
func Emit(l *bridge.Library, g *graph.Graph, kind Attention, profiles []graph.Profile, fill Fill) (*bridge.Network, error) {
	n, err := l.NewNetwork()
	if err != nil {
		return nil, err
	}
	e := &emitter{g: g, n: n, kind: kind, fill: fill, tensors: make([]bridge.Tensor, len(g.Tensors)), maker: make([]graph.Node, len(g.Tensors)), cached: -1, causal: -1}
	if err := e.all(profiles); err != nil {
		n.Close()
		return nil, fmt.Errorf("network of %s model: %w", g.Config.Family, err)
	}
	return n, nil
}

func (e *emitter) all(profiles []graph.Profile) error {
	if e.kind == Few {
		return e.few(profiles)
	}
	if e.kind == Own {
		e.slots = e.n.Input("slots", bridge.I64, -1)
	}
	for i, node := range e.g.Nodes {
		for _, id := range node.Out {
			e.maker[id] = node
		}
		if err := e.node(node); err != nil {
			return fmt.Errorf("node %d (%T): %w", i, node.Op, err)
		}
		if err := e.n.Err(); err != nil {
			return fmt.Errorf("node %d (%T), %s: %w", i, node.Op, e.g.Tensor(node.Out[0]), err)
		}
	}
	for _, id := range e.g.Outputs {
		if name := e.g.Tensor(id).Name; e.kind == Span || !e.ofCache(name) {
			e.n.Output(e.tensors[id], name)
		}
	}
	return e.profiled(profiles)
}

func (e *emitter) profiled(profiles []graph.Profile) error {
	for _, p := range profiles {
		if err := e.n.Profile(e.spans(p)); err != nil {
			return fmt.Errorf("profile %s: %w", p.Name, err)
		}
	}
	return e.n.Err()
}

// layerOf gives the layer whose cached keys a tensor is.
func (e *emitter) layerOf(key graph.ID) int {
	for layer := range e.g.Config.Layers {
		if e.g.Tensor(key).Name == graph.Key(layer) {
			return layer
		}
	}
	return -1
}

// ofCache says whether a name belongs to the cache that our kernel keeps itself.
func (e *emitter) ofCache(name string) bool {
	for layer := range e.g.Config.Layers {
		switch name {
		case graph.Key(layer), graph.Value(layer), graph.NewKey(layer), graph.NewValue(layer):
			return true
		}
	}
	return false
}

func typeOf(t graph.Type) bridge.Type {
	switch t {
	case graph.F16:
		return bridge.F16
	case graph.BF16:
		return bridge.BF16
	case graph.I32:
		return bridge.I32
	case graph.I8:
		return bridge.I8
	}
	return bridge.F32
}

// varying gives dimensions as TensorRT writes them: -1 for symbols.
func varying(dims []graph.Dim) []int64 {
	list := make([]int64, len(dims))
	for i, d := range dims {
		list[i] = max(int64(d), -1)
	}
	return list
}

// spans gives the sizes of all inputs in a profile.
func (e *emitter) spans(p graph.Profile) []bridge.Span {
	least, tuned, most := p.Sizes()
	of := func(s graph.Sizes, dims []graph.Dim) []int64 {
		list := make([]int64, len(dims))
		for i, n := range s.Shape(dims) {
			list[i] = int64(n)
		}
		return list
	}
	var spans []bridge.Span
	for _, id := range e.g.Inputs {
		t := e.g.Tensor(id)
		if e.tensors[id] < 0 { // the network does without
			continue
		}
		spans = append(spans, bridge.Span{Input: t.Name, Least: of(least, t.Dims), Tuned: of(tuned, t.Dims), Most: of(most, t.Dims)})
	}
	if e.kind != Span {
		b := []graph.Dim{graph.B}
		spans = append(spans, bridge.Span{Input: "slots", Least: of(least, b), Tuned: of(tuned, b), Most: of(most, b)})
	}
	return spans
}

func (e *emitter) node(node graph.Node) error {
	out := e.g.Tensor(node.Out[0])
	in := make([]bridge.Tensor, len(node.In))
	if _, attends := node.Op.(graph.Attention); !attends { // which takes what is not turned yet
		for i, id := range node.In {
			in[i] = e.value(id)
		}
	}
	var err error
	made := bridge.Tensor(-1)
	switch op := node.Op.(type) {
	case graph.Input:
		if e.kind != Own || !e.ofCache(out.Name) {
			made = e.n.Input(out.Name, typeOf(out.Type), varying(out.Dims)...)
		}
	case graph.Const:
		made = -1
		if e.kind == Few || !op.Scales && out.Type != graph.I8 { // those decoded makes
			made, err = e.constant(out)
		}
	case graph.Gather:
		made = e.n.Gather(in[0], in[1], 0, 0)
	case graph.MatMul:
		made = e.matmul(node, in, out)
	case graph.Quantize:
		made = e.quantize(node, in[0])
	case graph.Dequantize:
		made, err = e.dequantize(node, in[0], out)
	case graph.TokenScale:
		made = e.tokenScale(in[0], out)
	case graph.Add:
		made = e.n.Binary(bridge.Sum, in[0], e.ranked(in[1], node.In[1], len(out.Dims)))
	case graph.Mul:
		made = e.n.Binary(bridge.Prod, in[0], e.ranked(in[1], node.In[1], len(out.Dims)))
	case graph.Cast:
		made = e.n.Cast(in[0], typeOf(out.Type))
	case graph.RMSNorm:
		made = e.norm(op, node, out)
	case graph.SiLUMul:
		made = e.silu(in[0], in[1], out)
	case graph.Rope:
		made = e.rope(op, node, out)
	case graph.Attention:
		made, err = e.attention(op, node)
	case graph.Slice:
		made = e.n.Slice(in[0], op.Start, op.Size)
	case graph.Reshape:
		made = e.n.Reshape(in[0], reshaped(out.Dims)...)
	case graph.LastPosition:
		made = e.n.Gather(in[0], e.n.Reshape(in[1], -1, 1), 1, 1)
	case graph.TopK:
		made, e.tensors[node.Out[1]] = e.n.Top(in[0], op.K)
	default:
		err = fmt.Errorf("%w: no lowering for it", engine.ErrIncompatible)
	}
	e.tensors[node.Out[0]] = made
	return err
}

// reshaped writes symbols as copies of the dimension at their place; B and S stay
// where they are in every reshape of a graph.
func reshaped(dims []graph.Dim) []int64 {
	list := make([]int64, len(dims))
	for i, d := range dims {
		list[i] = max(int64(d), 0)
	}
	return list
}

func (e *emitter) constant(t graph.Tensor) (bridge.Tensor, error) {
	id, data := e.n.Constant(typeOf(t.Type), varying(t.Dims)...)
	if data == nil {
		return id, e.n.Err()
	}
	return id, e.fill(t.Name, data)
}

// ranked puts dimensions of 1 in front, for TensorRT broadcasts equal ranks only.
func (e *emitter) ranked(t bridge.Tensor, id graph.ID, rank int) bridge.Tensor {
	dims := e.g.Tensor(id).Dims
	if len(dims) == rank {
		return t
	}
	list := make([]int64, rank-len(dims), rank)
	for i := range list {
		list[i] = 1
	}
	return e.n.Reshape(t, append(list, varying(dims)...)...)
}

// cast leaves out what changes nothing.
func (e *emitter) cast(t bridge.Tensor, from, to graph.Type) bridge.Tensor {
	if from == to {
		return t
	}
	return e.n.Cast(t, typeOf(to))
}

// scalar is a constant of one element that broadcasts over a rank.
func (e *emitter) scalar(v float32, rank int) bridge.Tensor {
	dims := make([]int64, rank)
	for i := range dims {
		dims[i] = 1
	}
	id, data := e.n.Constant(bridge.F32, dims...)
	if data != nil {
		put32(data, v)
	}
	return id
}
