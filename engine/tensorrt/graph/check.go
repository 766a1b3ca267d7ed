package graph

import (
	"fmt"
	"slices"
)

// Check holds every node against the shapes and types that its operation asks
// for, and the order of nodes. Build calls it; whoever changes a graph can too.
func (g *Graph) Check() error {
	made := make([]bool, len(g.Tensors))
	for i, n := range g.Nodes {
		for _, id := range n.In {
			if int(id) >= len(made) || id < 0 || !made[id] {
				return fmt.Errorf("node %d (%T): its operand %d is not made before it", i, n.Op, id)
			}
		}
		if err := g.check(n); err != nil {
			return fmt.Errorf("node %d (%T): %w", i, n.Op, err)
		}
		for _, id := range n.Out {
			made[id] = true
		}
	}
	for _, id := range g.Outputs {
		if !made[id] {
			return fmt.Errorf("output %d is not made", id)
		}
	}
	return nil
}

// check compares the results of a node with those that its operands give.
func (g *Graph) check(n Node) error {
	in := make([]Tensor, len(n.In))
	for i, id := range n.In {
		in[i] = g.Tensors[id]
	}
	out := g.Tensors[n.Out[0]]
	if want := operands(n.Op); len(in) != want {
		return fmt.Errorf("%d operands, not %d", len(in), want)
	}
	dims, fault := shape(n.Op, in, out)
	if fault != "" {
		return fmt.Errorf("%s: %s for %v", out, fault, in)
	}
	if !slices.Equal(dims, out.Dims) {
		return fmt.Errorf("%s: its operands %v give %v", out, in, dims)
	}
	return nil
}

func operands(op Op) int {
	switch op.(type) {
	case Input, Const:
		return 0
	case Cast, Slice, Reshape, TopK, TokenScale:
		return 1
	case Rope:
		return 3
	case Attention:
		return 6
	}
	return 2
}

// shape gives the dimensions of a node's first result, or what is wrong.
func shape(op Op, in []Tensor, out Tensor) ([]Dim, string) {
	switch op := op.(type) {
	case Input:
		return out.Dims, ""
	case Const:
		return out.Dims, constant(op, out)
	case Gather:
		if in[1].Type != I32 || len(in[0].Dims) < 2 {
			return nil, "no rows to take"
		}
		return slices.Concat(in[1].Dims, in[0].Dims[1:]), same(in[0].Type, out.Type)
	case MatMul:
		x, w := in[0].Dims, in[1].Dims
		if len(w) != 2 || x[len(x)-1] != w[1] || in[0].Type != in[1].Type {
			return nil, "the weight does not fit"
		}
		return with(x, w[0]), same(in[0].Type, out.Type)
	case Add, Mul:
		if !broadcasts(in[1].Dims, in[0].Dims) || in[0].Type != in[1].Type {
			return nil, "operands do not fit"
		}
		return in[0].Dims, same(in[0].Type, out.Type)
	case Cast:
		return in[0].Dims, ""
	case RMSNorm:
		x := in[0].Dims
		if !slices.Equal(in[1].Dims, x[len(x)-1:]) || in[1].Type != F32 {
			return nil, "the weight does not fit"
		}
		return x, ""
	case SiLUMul:
		if !slices.Equal(in[0].Dims, in[1].Dims) || in[0].Type != in[1].Type {
			return nil, "operands do not fit"
		}
		return in[0].Dims, same(in[0].Type, out.Type)
	}
	return placed(op, in, out)
}

// placed is shape for the operations that know positions and heads.
func placed(op Op, in []Tensor, out Tensor) ([]Dim, string) {
	x := in[0].Dims
	switch op := op.(type) {
	case Rope:
		angles := []Dim{B, S, Dim(op.Rotary / 2)}
		if len(x) != 4 || !slices.Equal(in[1].Dims, angles) || !slices.Equal(in[2].Dims, angles) || Dim(op.Rotary) > x[3] {
			return nil, "the angles do not fit"
		}
		return x, same(in[0].Type, out.Type)
	case Attention:
		return x, attention(in, out)
	case Slice:
		if op.Start < 0 || op.Size < 1 || Dim(op.Start+op.Size) > x[len(x)-1] {
			return nil, "the slice leaves its operand"
		}
		return with(x, Dim(op.Size)), same(in[0].Type, out.Type)
	case Reshape:
		if !slices.Equal(symbols(x), symbols(out.Dims)) || fixed(x) != fixed(out.Dims) {
			return nil, "elements would be lost"
		}
		return out.Dims, same(in[0].Type, out.Type)
	case LastPosition:
		if len(x) != 3 || in[1].Type != I32 {
			return nil, "no positions to take from"
		}
		return []Dim{x[0], 1, x[2]}, same(in[0].Type, out.Type)
	case TopK:
		return with(x, Dim(op.K)), same(in[0].Type, out.Type)
	}
	return scaled(op, in, out)
}

// scaled is shape for the operations of eight bits.
func scaled(op Op, in []Tensor, out Tensor) ([]Dim, string) {
	x := in[0].Dims
	switch op.(type) {
	case TokenScale:
		return with(x, 1), same(in[0].Type, out.Type)
	case Quantize, Dequantize:
		scale := in[1].Dims
		if len(scale) == 0 || scale[len(scale)-1] != 1 || !broadcasts(scale, x) {
			return nil, "the scale does not fit"
		}
		if _, codes := op.(Quantize); codes {
			return x, same(I8, out.Type) + same(in[0].Type, in[1].Type)
		}
		return x, same(I8, in[0].Type) + same(in[1].Type, out.Type)
	}
	return nil, "an unknown operation"
}

func constant(c Const, out Tensor) string {
	n, cols := len(c.Values), 0
	for _, p := range c.Parts {
		cols = p.Cols
		if c.Scales {
			n += p.Rows
		} else {
			n += p.Rows * p.Cols
		}
	}
	if c.Columns != nil && len(c.Columns) != cols {
		return fmt.Sprintf("%d factors of %d columns", len(c.Columns), cols)
	}
	if n != fixed(out.Dims) || len(symbols(out.Dims)) > 0 || (c.Values == nil) == (c.Parts == nil) {
		return fmt.Sprintf("its sources have %d elements", n)
	}
	return ""
}

func attention(in []Tensor, out Tensor) string {
	q, k := in[0].Dims, in[1].Dims
	switch {
	case len(q) != 4 || len(k) != 4 || q[3] != k[3] || q[2]%k[2] != 0 || !slices.Equal(k, in[2].Dims):
		return "queries and keys do not fit"
	case !slices.Equal(in[3].Dims, []Dim{B, k[2], k[3], C}) || !slices.Equal(in[4].Dims, []Dim{B, k[2], C, k[3]}):
		return "the cache does not fit"
	case in[5].Type != I32:
		return "no lengths"
	}
	for _, t := range in[1:5] {
		if t.Type != in[0].Type {
			return "types differ"
		}
	}
	return same(in[0].Type, out.Type)
}

func same(in, out Type) string {
	if in != out {
		return fmt.Sprintf("%s becomes %s", in, out)
	}
	return ""
}

// with gives dimensions with another last one.
func with(dims []Dim, last Dim) []Dim {
	dims = slices.Clone(dims)
	dims[len(dims)-1] = last
	return dims
}

// broadcasts says whether dims can be spread over wide.
func broadcasts(dims, wide []Dim) bool {
	if len(dims) > len(wide) {
		return false
	}
	wide = wide[len(wide)-len(dims):]
	for i, d := range dims {
		if d != 1 && d != wide[i] {
			return false
		}
	}
	return true
}

func symbols(dims []Dim) []Dim {
	var list []Dim
	for _, d := range dims {
		if d < 0 {
			list = append(list, d)
		}
	}
	return list
}

// fixed is the product of the dimensions that are sizes.
func fixed(dims []Dim) int {
	n := 1
	for _, d := range dims {
		if d >= 0 {
			n *= int(d)
		}
	}
	return n
}
