//go:build tensorrt

package tensorrt

import (
	"encoding/binary"

	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// tokenStep is the scale by which the codes of a token of its own scale are decoded. The
// token's scale, which TensorRT takes from no tensor that is computed, comes after the
// product, which FP16 must hold until then.
const tokenStep = 1.0 / 16

// ofToken says whether a scale is computed for each token.
func (e *emitter) ofToken(scale graph.ID) bool {
	_, token := e.maker[scale].Op.(graph.TokenScale)
	return token
}

func (e *emitter) tokenScale(x bridge.Tensor, out graph.Tensor) bridge.Tensor {
	n, rank := e.n, len(out.Dims)
	x = e.cast(x, out.Type, graph.F32)
	size := n.Binary(bridge.Max, x, n.Binary(bridge.Prod, x, e.scalar(-1, rank)))
	most := n.Binary(bridge.Max, n.Reduce(bridge.Greatest, size, rank-1), e.scalar(1e-10, rank))
	return n.Binary(bridge.Prod, most, e.scalar(1.0/127, rank)) // FP32, whatever the graph says
}

func (e *emitter) quantize(node graph.Node, x bridge.Tensor) bridge.Tensor {
	if !e.ofToken(node.In[1]) {
		return e.n.Quantize(x, e.tensors[node.In[1]])
	}
	x = e.cast(x, e.g.Tensor(node.In[0]).Type, graph.F32)
	return e.n.Quantize(e.n.Binary(bridge.Div, x, e.tensors[node.In[1]]), e.single(1, graph.F32))
}

func (e *emitter) dequantize(node graph.Node, x bridge.Tensor, out graph.Tensor) (bridge.Tensor, error) {
	if _, weight := e.maker[node.In[0]].Op.(graph.Const); weight {
		return e.decoded(node, out)
	}
	scale := e.tensors[node.In[1]]
	if e.ofToken(node.In[1]) {
		scale = e.single(tokenStep, out.Type)
	}
	return e.n.Dequantize(x, scale, -1, typeOf(out.Type)), nil
}

// decoded gives a weight of codes with the rank that products take, [1, out, in]: a
// reshape behind it would keep TensorRT from multiplying the codes.
func (e *emitter) decoded(node graph.Node, out graph.Tensor) (bridge.Tensor, error) {
	codes, data := e.n.Constant(bridge.I8, 1, int64(out.Dims[0]), int64(out.Dims[1]))
	scales, list := e.n.Constant(typeOf(out.Type), int64(out.Dims[0]))
	if data == nil || list == nil {
		return -1, e.n.Err()
	}
	if err := e.fill(e.g.Tensor(node.In[0]).Name, data); err != nil {
		return -1, err
	}
	if err := e.fill(e.g.Tensor(node.In[1]).Name, list); err != nil {
		return -1, err
	}
	return e.n.Dequantize(codes, scales, 1, typeOf(out.Type)), nil
}

// matmul multiplies by a weight; a token's own scale comes after.
func (e *emitter) matmul(node graph.Node, in []bridge.Tensor, out graph.Tensor) bridge.Tensor {
	w := in[1]
	if _, codes := e.maker[node.In[1]].Op.(graph.Dequantize); !codes {
		w = e.ranked(w, node.In[1], len(out.Dims))
	}
	y := e.n.MatMul(in[0], w, true)
	from := e.maker[node.In[0]]
	if _, codes := from.Op.(graph.Dequantize); !codes || !e.ofToken(from.In[1]) {
		return y
	}
	scale := e.n.Binary(bridge.Prod, e.tensors[from.In[1]], e.scalar(1/tokenStep, len(out.Dims)))
	return e.cast(e.n.Binary(bridge.Prod, e.cast(y, out.Type, graph.F32), scale), graph.F32, out.Type)
}

// single is a constant of one element without dimensions of others, in a type.
func (e *emitter) single(v float32, t graph.Type) bridge.Tensor {
	id, data := e.n.Constant(typeOf(t), 1)
	if data == nil {
		return id
	}
	if t == graph.F32 {
		put32(data, v)
	} else {
		binary.LittleEndian.PutUint16(data, t.Bits(v))
	}
	return id
}
