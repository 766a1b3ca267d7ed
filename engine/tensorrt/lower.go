//go:build tensorrt

package tensorrt

import (
	"encoding/binary"
	"fmt"
	"math"

	"fabula/engine"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

func put32(dst []byte, v float32) { binary.LittleEndian.PutUint32(dst, math.Float32bits(v)) }

// norm is written as TensorRT's compiler expects it, in FP32.
func (e *emitter) norm(op graph.RMSNorm, node graph.Node, out graph.Tensor) bridge.Tensor {
	n, rank := e.n, len(out.Dims)
	x := e.cast(e.tensors[node.In[0]], e.g.Tensor(node.In[0]).Type, graph.F32)
	mean := n.Reduce(bridge.Average, n.Binary(bridge.Prod, x, x), rank-1)
	size := n.Unary(bridge.Sqrt, n.Binary(bridge.Sum, mean, e.scalar(op.Eps, rank)))
	y := n.Binary(bridge.Prod, n.Binary(bridge.Div, x, size), e.ranked(e.tensors[node.In[1]], node.In[1], rank))
	return e.cast(y, graph.F32, out.Type)
}

func (e *emitter) silu(gate, up bridge.Tensor, out graph.Tensor) bridge.Tensor {
	gate, up = e.cast(gate, out.Type, graph.F32), e.cast(up, out.Type, graph.F32)
	y := e.n.Binary(bridge.Prod, e.n.Binary(bridge.Prod, gate, e.n.Unary(bridge.Sigmoid, gate)), up)
	return e.cast(y, graph.F32, out.Type)
}

// rope rotates, unless our kernel will do it: then nothing refers to its result.
func (e *emitter) rope(op graph.Rope, node graph.Node, out graph.Tensor) bridge.Tensor {
	if e.kind == Own {
		return -1 // made by turned where something else asks for it
	}
	return e.turned(op, node, out)
}

func (e *emitter) turned(op graph.Rope, node graph.Node, out graph.Tensor) bridge.Tensor {
	n, half, size := e.n, op.Rotary/2, int(out.Dims[3])
	x := e.cast(e.tensors[node.In[0]], out.Type, graph.F32)
	cos, sin := n.Reshape(e.tensors[node.In[1]], 0, 0, 1, int64(half)), n.Reshape(e.tensors[node.In[2]], 0, 0, 1, int64(half))
	a, b := n.Slice(x, 0, half), n.Slice(x, half, half)
	parts := []bridge.Tensor{
		n.Binary(bridge.Sub, n.Binary(bridge.Prod, a, cos), n.Binary(bridge.Prod, b, sin)),
		n.Binary(bridge.Sum, n.Binary(bridge.Prod, b, cos), n.Binary(bridge.Prod, a, sin)),
	}
	if op.Rotary < size {
		parts = append(parts, n.Slice(x, op.Rotary, size-op.Rotary))
	}
	return e.cast(n.Concat(3, parts...), graph.F32, out.Type)
}

// attention lowers one layer's attention in the emitter's kind.
func (e *emitter) attention(op graph.Attention, node graph.Node) (bridge.Tensor, error) {
	if op.Window > 0 {
		return -1, fmt.Errorf("%w: attention within a window", engine.ErrIncompatible)
	}
	if e.kind == Span {
		return e.span(op, node), nil
	}
	return e.own(op, node)
}

// own hands queries, keys and values to our kernel before they are rotated, and
// as one tensor where they are cut from one.
func (e *emitter) own(op graph.Attention, node graph.Node) (bridge.Tensor, error) {
	c := e.g.Config
	how := bridge.Attention{
		Heads: c.Heads, KeyHeads: c.KVHeads, Size: c.HeadDim, Layer: e.layerOf(node.In[3]), Layers: c.Layers, Context: e.g.Options.Context,
		BF16: e.g.Options.Compute == graph.BF16, Scale: op.Scale,
	}
	if !bridge.HasKernels(c.HeadDim) || e.g.Options.Compute == graph.F32 {
		return -1, fmt.Errorf("%w: no kernel for heads of %d in %s", engine.ErrIncompatible, c.HeadDim, e.g.Options.Compute)
	}
	q, k, v := node.In[0], node.In[1], node.In[2]
	cos, sin := graph.ID(-1), graph.ID(-1)
	if turn, ok := e.maker[q].Op.(graph.Rope); ok {
		if _, both := e.maker[k].Op.(graph.Rope); both {
			how.Rotary, cos, sin = turn.Rotary, e.maker[q].In[1], e.maker[q].In[2]
			q, k = e.maker[q].In[0], e.maker[k].In[0]
		}
	}
	if cos < 0 { // queries grow after they were turned: turn here, tell the kernel not to
		cos, sin = e.maker[k].In[1], e.maker[k].In[2]
	}
	qkv, joined := e.joined(q, k, v)
	if !joined {
		wide, narrow := int64(c.Heads*c.HeadDim), int64(c.KVHeads*c.HeadDim)
		qkv = e.n.Concat(2, e.n.Reshape(e.value(q), 0, 0, wide), e.n.Reshape(e.value(k), 0, 0, narrow), e.n.Reshape(e.value(v), 0, 0, narrow))
	}
	y := e.n.Attend(how, qkv, e.value(cos), e.value(sin), e.value(node.In[5]), e.slots)
	return e.n.Reshape(y, 0, 0, int64(c.Heads), int64(c.HeadDim)), nil
}

// value gives a tensor, making it now if it was put off.
func (e *emitter) value(id graph.ID) bridge.Tensor {
	if e.kind == Few {
		return e.asked(id)
	}
	if op, ok := e.maker[id].Op.(graph.Rope); ok && e.tensors[id] < 0 {
		e.tensors[id] = e.turned(op, e.maker[id], e.g.Tensor(id))
	}
	return e.tensors[id]
}

// joined finds the tensor of which q, k and v are the consecutive parts.
func (e *emitter) joined(ids ...graph.ID) (bridge.Tensor, bool) {
	from, next := graph.ID(-1), 0
	for _, id := range ids {
		shape := e.maker[id]
		if _, ok := shape.Op.(graph.Reshape); !ok {
			return -1, false
		}
		cut := e.maker[shape.In[0]]
		part, ok := cut.Op.(graph.Slice)
		if !ok || part.Start != next || from >= 0 && cut.In[0] != from {
			return -1, false
		}
		from, next = cut.In[0], next+part.Size
	}
	dims := e.g.Tensor(from).Dims
	return e.value(from), int(dims[len(dims)-1]) == next
}

// span attends to the cache and to the new keys apart, so that neither is copied,
// and weighs the two results by what their softmaxes were divided by. One softmax
// over both, written as exponentials with a common maximum, is refused by the
// compiler of TensorRT for RTX 1.7.
func (e *emitter) span(op graph.Attention, node graph.Node) bridge.Tensor {
	n, c := e.n, e.g.Config
	heads, group, size := int64(c.KVHeads), int64(c.Heads/c.KVHeads), int64(c.HeadDim)
	q := n.Shuffle(e.tensors[node.In[0]], []int32{0, 2, 1, 3}, 0, heads, group, -1, size)
	k := n.Shuffle(e.tensors[node.In[1]], []int32{0, 2, 3, 1}, 0, heads, 1, size, -1)
	v := n.Shuffle(e.tensors[node.In[2]], []int32{0, 2, 1, 3}, 0, heads, 1, -1, size)
	oldK := n.Reshape(e.tensors[node.In[3]], 0, heads, 1, size, -1)
	oldV := n.Reshape(e.tensors[node.In[4]], 0, heads, 1, -1, size)
	e.masks(node)
	old, fresh := e.part(q, oldK, oldV, e.cached, op.Scale), e.part(q, k, v, e.causal, op.Scale)
	most := n.Binary(bridge.Max, old.most, fresh.most)
	old.sum = n.Binary(bridge.Prod, old.sum, n.Unary(bridge.Exp, n.Binary(bridge.Sub, old.most, most)))
	fresh.sum = n.Binary(bridge.Prod, fresh.sum, n.Unary(bridge.Exp, n.Binary(bridge.Sub, fresh.most, most)))
	y := n.Binary(bridge.Sum, n.Binary(bridge.Prod, old.y, old.sum), n.Binary(bridge.Prod, fresh.y, fresh.sum))
	y = e.cast(n.Binary(bridge.Div, y, n.Binary(bridge.Sum, old.sum, fresh.sum)), graph.F32, e.g.Options.Compute)
	y = n.Reshape(y, 0, int64(c.Heads), -1, size)
	return n.Shuffle(y, []int32{0, 2, 1, 3})
}

// partial is attention to some of the keys: its result, the greatest score and the
// sum of exponentials, all FP32.
type partial struct{ y, most, sum bridge.Tensor }

func (e *emitter) part(q, keys, values, mask bridge.Tensor, scale float32) partial {
	n, compute := e.n, e.g.Options.Compute
	s := n.Binary(bridge.Prod, e.cast(n.MatMul(q, keys, false), compute, graph.F32), e.scalar(scale, 5))
	s = n.Binary(bridge.Sum, s, mask)
	most := n.Reduce(bridge.Greatest, s, 4)
	s = n.Unary(bridge.Exp, n.Binary(bridge.Sub, s, most))
	sum := n.Reduce(bridge.Total, s, 4)
	y := n.MatMul(e.cast(n.Binary(bridge.Div, s, sum), graph.F32, compute), values, false)
	return partial{e.cast(y, compute, graph.F32), most, sum}
}

// hidden is added to scores that must not count: far below any score, but finite.
const hidden = -1e30

// masks makes, once, what is added to the scores of the cache, [B,1,1,1,C], and of
// the new keys, [1,1,1,S,S].
func (e *emitter) masks(node graph.Node) {
	if e.cached >= 0 {
		return
	}
	n := e.n
	no, yes := e.scalar(hidden, 5), e.scalar(0, 5)
	past := n.Reshape(e.tensors[node.In[5]], -1, 1, 1, 1, 1)
	cache, fresh := e.tensors[node.In[3]], e.tensors[node.In[1]]
	e.cached = n.Select(n.Binary(bridge.Less, n.Positions(cache, 3, 5, 4), past), yes, no)
	rows, cols := n.Positions(fresh, 1, 5, 3), n.Positions(fresh, 1, 5, 4)
	e.causal = n.Select(n.Binary(bridge.Less, rows, cols), no, yes)
}
