package interp

import (
	"fmt"
	"math"
	"slices"

	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/graph"
)

// Array is a tensor's value: F for the floating types, I for I32, Q for I8.
type Array struct {
	Dims []int
	F    []float32
	I    []int32
	Q    []int8

	coded *coded // what F was decoded from, if it was
}

// Machine computes one graph. It may be used by several goroutines.
type Machine struct {
	g      *graph.Graph
	consts map[graph.ID]Array
	ranges map[string][]float32 // Note
}

// Note keeps in ranges, from now on, the greatest magnitude of each channel of the input
// of every product, by its name: what graph.Recipe.Ranges asks for. The machine is then
// for one goroutine.
func (m *Machine) Note(ranges map[string][]float32) { m.ranges = ranges }

func (m *Machine) note(product string, x Array) {
	most := m.ranges[product]
	if most == nil {
		most = make([]float32, x.Dims[len(x.Dims)-1])
		m.ranges[product] = most
	}
	for i, v := range x.F {
		most[i%len(most)] = max(most[i%len(most)], float32(math.Abs(float64(v))))
	}
}

// New reads the constants of a graph: read gives the bytes of an item of
// Graph.Items (weights.Plan.Read does).
func New(g *graph.Graph, read func(name string) ([]byte, error)) (*Machine, error) {
	m := &Machine{g: g, consts: map[graph.ID]Array{}}
	items := g.Items()
	for _, n := range g.Nodes {
		if _, ok := n.Op.(graph.Const); !ok {
			continue
		}
		item := items[0]
		items = items[1:]
		raw, err := read(item.Name)
		if err != nil {
			return nil, fmt.Errorf("interp: %w", err)
		}
		if int64(len(raw)) != item.Bytes() {
			return nil, fmt.Errorf("interp: %s has %d bytes, not %d", item.Name, len(raw), item.Bytes())
		}
		m.consts[n.Out[0]] = constant(item.Type, raw, graph.Sizes{}.Shape(g.Tensor(n.Out[0]).Dims))
	}
	return m, m.decode()
}

func constant(t weights.Type, raw []byte, dims []int) Array {
	if t == weights.I8 {
		return Array{Dims: dims, Q: codes(raw)}
	}
	return Array{Dims: dims, F: t.Floats(raw)}
}

// decode computes the weights that are given by codes once, not at every step.
func (m *Machine) decode() error {
	for _, n := range m.g.Nodes {
		if _, ok := n.Op.(graph.Dequantize); !ok {
			continue
		}
		q, held := m.consts[n.In[0]]
		scale, fixed := m.consts[n.In[1]]
		if !held || !fixed {
			continue
		}
		values := make([]Array, len(m.g.Tensors))
		values[n.In[0]], values[n.In[1]] = q, scale
		if err := m.node(n, graph.Sizes{}, nil, values); err != nil {
			return fmt.Errorf("interp: %w", err)
		}
		m.consts[n.Out[0]] = values[n.Out[0]]
	}
	return nil
}

// Run computes one step. Inputs and outputs go by the names of package graph;
// inputs have the shapes that sizes give them.
func (m *Machine) Run(sizes graph.Sizes, inputs map[string]Array) (map[string]Array, error) {
	values := make([]Array, len(m.g.Tensors))
	for i, n := range m.g.Nodes {
		if err := m.node(n, sizes, inputs, values); err != nil {
			return nil, fmt.Errorf("interp: node %d (%T): %w", i, n.Op, err)
		}
	}
	out := map[string]Array{}
	for _, id := range m.g.Outputs {
		out[m.g.Tensor(id).Name] = values[id]
	}
	return out, nil
}

func (m *Machine) node(n graph.Node, sizes graph.Sizes, inputs map[string]Array, values []Array) error {
	id := n.Out[0]
	t := m.g.Tensor(id)
	switch n.Op.(type) {
	case graph.Input:
		v, given := inputs[t.Name]
		if shape := sizes.Shape(t.Dims); !given || !slices.Equal(v.Dims, shape) || len(v.F)+len(v.I) != product(shape) {
			return fmt.Errorf("input %s is %v, not %v", t.Name, v.Dims, shape)
		}
		values[id] = v
		return nil
	}
	in := make([]Array, len(n.In))
	for i, operand := range n.In {
		in[i] = values[operand]
	}
	if _, product := n.Op.(graph.MatMul); product && m.ranges != nil {
		m.note(t.Name, in[0])
	}
	if known, fixed := m.consts[id]; fixed {
		values[id] = known
		return nil
	}
	out := Array{Dims: sizes.Shape(t.Dims)}
	out.F = make([]float32, product(out.Dims))
	if err := compute(n.Op, in, &out); err != nil {
		return err
	}
	values[id] = rounded(out, t.Type)
	if top, ok := n.Op.(graph.TopK); ok {
		values[n.Out[1]] = Array{Dims: out.Dims, I: best(top.K, in[0], out)}
	}
	return nil
}

// compute writes the result of an operation into out, which has its shape.
func compute(op graph.Op, in []Array, out *Array) error {
	switch op := op.(type) {
	case graph.Gather:
		return gather(in[0], in[1], out)
	case graph.MatMul:
		if in[0].coded != nil && in[1].coded != nil {
			integers(in[0], in[1], out)
		} else {
			matmul(in[0], in[1], out)
		}
	case graph.Add:
		broadcast(in[0], in[1], out, func(a, b float32) float32 { return a + b })
	case graph.Mul:
		broadcast(in[0], in[1], out, func(a, b float32) float32 { return a * b })
	case graph.Cast, graph.Reshape:
		copy(out.F, in[0].F)
	case graph.RMSNorm:
		norm(op.Eps, in[0], in[1], out)
	case graph.Rope:
		rope(op.Rotary, in, out)
	case graph.Attention:
		return attention(op, in, out)
	case graph.SiLUMul:
		silu(in[0], in[1], out)
	case graph.Slice:
		slice(op, in[0], out)
	case graph.LastPosition:
		return last(in[0], in[1], out)
	case graph.Quantize:
		quantize(in[0], in[1], out)
	case graph.Dequantize:
		dequantize(in[0], in[1], out)
	case graph.TokenScale:
		tokenScale(in[0], out)
	case graph.TopK: // both results are made by best
	default:
		return fmt.Errorf("no code for %T", op)
	}
	return nil
}

// rounded gives what a tensor of the type holds.
func rounded(a Array, t graph.Type) Array {
	to, narrow := map[graph.Type]weights.Type{graph.F16: weights.F16, graph.BF16: weights.BF16}[t]
	if narrow {
		for i, v := range a.F {
			a.F[i] = to.Round(v)
		}
	}
	return a
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
