//go:build tensorrt

package tensorrt

import (
	"fmt"

	"fabula/engine"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// few describes steps of a few tokens, each with a slot and a position of its own: the
// batch is of tokens, and several of them may be of one sequence. Nodes are made when
// their results are asked for, so that a norm, a product, a bias and a sum that follow
// one another become one call of our kernel. Logits come of every token.
func (e *emitter) few(profiles []graph.Profile) error {
	e.failed = nil
	for _, node := range e.g.Nodes {
		for _, id := range node.Out {
			e.maker[id], e.tensors[id] = node, -1
		}
	}
	e.slots = e.n.Input("slots", bridge.I64, -1)
	logits, ok := e.g.Lookup("logits")
	if !ok {
		return fmt.Errorf("%w: no logits", engine.ErrIncompatible)
	}
	out := e.asked(e.maker[logits].In[0]) // the bias on tokens is the sampler's
	if e.failed != nil {
		return e.failed
	}
	e.n.Output(out, "logits")
	return e.profiled(profiles)
}

// asked makes a tensor of a step when it is first needed.
func (e *emitter) asked(id graph.ID) bridge.Tensor {
	if e.tensors[id] >= 0 || e.failed != nil {
		return e.tensors[id]
	}
	node := e.maker[id]
	t := e.g.Tensor(id)
	made, fused := e.fused(node)
	if !fused {
		switch op := node.Op.(type) {
		case graph.Input:
			made = e.n.Input(t.Name, typeOf(t.Type), single(t.Dims)...)
		case graph.LastPosition: // each is the last
			made = e.asked(node.In[0])
		case graph.Rope:
			for _, operand := range node.In {
				e.asked(operand)
			}
			made = e.turned(op, node, t)
		default:
			if err := e.node(node); err != nil {
				e.failed = fmt.Errorf("%T, %s: %w", op, t, err)
			}
			made = e.tensors[id]
		}
	}
	e.tensors[id] = made
	return made
}

// single are dimensions whose batch varies, one token each.
func single(dims []graph.Dim) []int64 {
	list := varying(dims)
	for i, d := range dims {
		if d == graph.S {
			list[i] = 1
		}
	}
	return list
}

// product is a matmul with what our kernel does besides.
type product struct {
	x, weight, scales, gamma, bias graph.ID // scales of codes, gamma and bias: -1 = none
	eps                            float32
}

// fused makes what our kernels make of several nodes.
func (e *emitter) fused(node graph.Node) (bridge.Tensor, bool) {
	switch op := node.Op.(type) {
	case graph.MatMul, graph.Add:
		if p, ok := e.product(node.Out[0]); ok {
			return e.multiply(bridge.Plain, p, -1), true
		}
		if _, sum := op.(graph.Add); sum {
			p, ok := e.product(e.uncast(node.In[1]))
			if ok && p.gamma < 0 && e.g.Tensor(node.In[0]).Type == graph.F32 {
				return e.multiply(bridge.Added, p, node.In[0]), true
			}
		}
	case graph.SiLUMul:
		gate, up := e.maker[node.In[0]], e.maker[node.In[1]]
		a, cut := gate.Op.(graph.Slice)
		b, both := up.Op.(graph.Slice)
		if cut && both && gate.In[0] == up.In[0] && a.Start == 0 && b.Start == a.Size {
			if p, ok := e.product(gate.In[0]); ok && p.gamma >= 0 && p.bias < 0 {
				return e.multiply(bridge.Gated, p, -1), true
			}
		}
	case graph.Cast: // the head
		if p, ok := e.product(node.In[0]); ok && p.gamma >= 0 && e.g.Tensor(node.Out[0]).Type == graph.F32 {
			return e.multiply(bridge.Wide, p, -1), true
		}
	}
	return -1, false
}

func (e *emitter) uncast(id graph.ID) graph.ID {
	if _, ok := e.maker[id].Op.(graph.Cast); ok {
		return e.maker[id].In[0]
	}
	return id
}

// product recognises a matmul, its bias and its norm.
func (e *emitter) product(id graph.ID) (product, bool) {
	p := product{scales: -1, gamma: -1, bias: -1}
	if _, ok := e.maker[id].Op.(graph.Add); ok {
		_, constant := e.maker[e.maker[id].In[1]].Op.(graph.Const)
		if !constant || len(e.g.Tensor(e.maker[id].In[1]).Dims) != 1 {
			return p, false
		}
		id, p.bias = e.maker[id].In[0], e.maker[id].In[1]
	}
	node := e.maker[id]
	if _, ok := node.Op.(graph.MatMul); !ok {
		return p, false
	}
	p.x, p.weight = node.In[0], node.In[1]
	if _, codes := e.maker[p.weight].Op.(graph.Dequantize); codes {
		p.weight, p.scales = e.maker[p.weight].In[0], e.maker[p.weight].In[1]
	}
	if norm, ok := e.maker[p.x].Op.(graph.RMSNorm); ok && e.g.Tensor(e.maker[p.x].In[0]).Type == graph.F32 && e.g.Tensor(p.x).Type != graph.F32 {
		p.eps, p.gamma, p.x = norm.Eps, e.maker[p.x].In[1], e.maker[p.x].In[0]
	}
	in := e.g.Tensor(p.weight).Dims[1]
	most := graph.Dim(24 << 10) // of 48 KB, two bytes an element
	if p.gamma >= 0 {
		most = 8000 // six, and some more
	}
	piece := graph.Dim(8) // of 16 bytes
	if p.scales >= 0 {
		piece = 16
	}
	return p, in%piece == 0 && in <= most
}

func (e *emitter) multiply(kind bridge.LinearKind, p product, residual graph.ID) bridge.Tensor {
	w := e.g.Tensor(p.weight)
	l := bridge.Linear{Kind: kind, In: int(w.Dims[1]), Rows: int(w.Dims[0]), BF16: e.g.Options.Compute == graph.BF16, Codes: p.scales >= 0, Eps: p.eps}
	if kind == bridge.Gated {
		l.Rows /= 2
	}
	of := func(id graph.ID) bridge.Tensor {
		if id < 0 {
			return -1
		}
		return e.asked(id)
	}
	o := bridge.Operands{X: of(p.x), Weight: of(p.weight), Scales: of(p.scales), Gamma: of(p.gamma), Bias: of(p.bias), Residual: of(residual)}
	return e.n.Multiply(l, o)
}
