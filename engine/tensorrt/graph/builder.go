package graph

import (
	"fmt"
	"slices"

	"fabula/engine/gguf/weights"
)

// builder adds nodes. Its methods give the shapes of results; they are called
// by Build alone, so that wrong operands are a mistake of this package, which
// Check reports.
type builder struct {
	g     *Graph
	scope string // prefix of the names of tensors, "blk.3."
	count map[string]int
}

func (b *builder) add(op Op, name string, t Type, dims []Dim, in ...ID) ID {
	id := ID(len(b.g.Tensors))
	b.g.Tensors = append(b.g.Tensors, Tensor{Name: b.unique(name), Type: t, Dims: dims})
	b.g.Nodes = append(b.g.Nodes, Node{Op: op, In: in, Out: []ID{id}})
	return id
}

// unique numbers names that come again.
func (b *builder) unique(name string) string {
	b.count[name]++
	if n := b.count[name]; n > 1 {
		return fmt.Sprintf("%s.%d", name, n)
	}
	return name
}

func (b *builder) of(id ID) Tensor { return b.g.Tensors[id] }

func (b *builder) input(name string, t Type, dims ...Dim) ID {
	id := b.add(Input{}, name, t, dims)
	b.g.Inputs = append(b.g.Inputs, id)
	return id
}

func (b *builder) output(id ID, name string) {
	b.g.Tensors[id].Name = name
	b.g.Outputs = append(b.g.Outputs, id)
}

func (b *builder) weight(name string, t Type, dims []Dim, parts ...weights.Part) ID {
	return b.add(Const{Parts: parts}, name, t, dims)
}

func (b *builder) table(name string, values []float32, dims ...Dim) ID {
	return b.add(Const{Values: values}, name, F32, dims)
}

func (b *builder) gather(table, rows ID, name string) ID {
	t := b.of(table)
	return b.add(Gather{}, name, t.Type, slices.Concat(b.of(rows).Dims, t.Dims[1:]), table, rows)
}

func (b *builder) matmul(x, w ID, name string) ID {
	t := b.of(x)
	dims := slices.Clone(t.Dims)
	dims[len(dims)-1] = b.of(w).Dims[0]
	return b.add(MatMul{}, b.scope+name, t.Type, dims, x, w)
}

// linear is a matmul by the parts [out, in] and, with bias, their sum with a vector.
func (b *builder) linear(x ID, name string, bias bool, parts ...weights.Part) ID {
	out := 0
	for _, p := range parts {
		out += p.Rows
	}
	t := b.of(x)
	w := b.weight(b.scope+name+".weight", t.Type, []Dim{Dim(out), t.Dims[len(t.Dims)-1]}, parts...)
	y := b.matmul(x, w, name)
	if !bias {
		return y
	}
	vector := make([]weights.Part, len(parts))
	for i, p := range parts {
		vector[i] = weights.Part{Tensor: biasOf(p.Tensor), Rows: p.Rows, Cols: 1, Heads: p.Heads}
	}
	return b.sum(y, b.weight(b.scope+name+".bias", t.Type, []Dim{Dim(out)}, vector...), name+".biased")
}

func (b *builder) sum(x, y ID, name string) ID {
	t := b.of(x)
	return b.add(Add{}, b.scope+name, t.Type, t.Dims, x, y)
}

func (b *builder) product(x, y ID, name string) ID {
	t := b.of(x)
	return b.add(Mul{}, b.scope+name, t.Type, t.Dims, x, y)
}

// cast gives x itself if it has the type.
func (b *builder) cast(x ID, to Type) ID {
	t := b.of(x)
	if t.Type == to {
		return x
	}
	return b.add(Cast{}, t.Name+"."+to.String(), to, t.Dims, x)
}

// norm gives the type to, whatever x has.
func (b *builder) norm(x ID, tensor string, to Type) ID {
	t := b.of(x)
	n := t.Dims[len(t.Dims)-1]
	w := b.weight(tensor, F32, []Dim{n}, weights.Part{Tensor: tensor, Rows: int(n), Cols: 1})
	return b.add(RMSNorm{Eps: b.g.Config.Eps}, tensor+".out", to, t.Dims, x, w)
}

func (b *builder) slice(x ID, start, size int, name string) ID {
	t := b.of(x)
	dims := slices.Clone(t.Dims)
	dims[len(dims)-1] = Dim(size)
	return b.add(Slice{Start: start, Size: size}, b.scope+name, t.Type, dims, x)
}

func (b *builder) reshape(x ID, name string, dims ...Dim) ID {
	return b.add(Reshape{}, b.scope+name, b.of(x).Type, dims, x)
}
