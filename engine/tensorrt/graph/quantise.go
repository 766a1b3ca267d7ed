package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Scheme says which products of a graph take eight bits.
type Scheme string

// The schemes. Attention, MLP and All quantise weights and activations of the
// products in layers, All the weights of the head as well; Weights quantises the
// weights of all products and no activation.
const (
	All       Scheme = "all"
	OfHeads   Scheme = "attention" // queries, keys, values and the output of attention
	OfMLP     Scheme = "mlp"       // gate, up and down
	OfWeights Scheme = "weights"
)

// Schemes lists them for people.
var Schemes = []Scheme{All, OfHeads, OfMLP, OfWeights}

// ErrRanges is wrapped by Quantize where activations are to be quantised whose ranges
// nobody gave.
var ErrRanges = errors.New("no ranges of activations")

// Recipe says how a graph is quantised.
type Recipe struct {
	Scheme Scheme
	Skip   []int // layers that stay as they are
	Head   bool  // the head stays as it is
	// Steps quantises weights only, of the products that Scheme names: what a step of a
	// few tokens, which waits for memory, gains by.
	Steps bool
	// Tokens gives each token a scale of its own, found as it comes, instead of one for
	// all that Ranges tell.
	Tokens bool
	// Alpha is how much of the spread of activations moves into the weights
	// (SmoothQuant, arXiv 2211.10438): channel j of the input is divided by
	// range(j)^Alpha / column(j)^(1-Alpha) and column j of the weight multiplied by it.
	// 0 = nothing moves.
	Alpha float64
	// Ranges is the greatest magnitude of each channel of a product's input, by the
	// product's name, such as blk.3.ffn_down.
	Ranges map[string][]float32
	// Columns gives the greatest magnitude of each column of a constant.
	Columns func(constant string) ([]float32, error)
}

// Products are the names of the products of a layer.
var Products = []string{"qkv", "attn_output", "gate_up", "ffn_down"}

// wants says what a recipe does to a product.
func (r Recipe) wants(name string) (codes, activations bool) {
	if name == "head" {
		return !r.Head && (r.Scheme == All || r.Scheme == OfWeights), false
	}
	var layer int
	var product string
	if n, _ := fmt.Sscanf(name, "blk.%d.%s", &layer, &product); n < 2 || slices.Contains(r.Skip, layer) {
		return false, false
	}
	ofHeads := product == "qkv" || product == "attn_output"
	codes = r.Scheme == All || r.Scheme == OfWeights || ofHeads == (r.Scheme == OfHeads)
	return codes, codes && r.Scheme != OfWeights && !r.Steps
}

// valid holds a recipe against a graph.
func (r Recipe) valid(c Config) error {
	if !slices.Contains(Schemes, r.Scheme) {
		return fmt.Errorf("scheme %q: all, attention, mlp and weights can be", r.Scheme)
	}
	for _, layer := range r.Skip {
		if layer < 0 || layer >= c.Layers {
			return fmt.Errorf("layer %d: there are 0 to %d", layer, c.Layers-1)
		}
	}
	if r.Alpha < 0 || r.Alpha > 1 {
		return fmt.Errorf("alpha %g: 0 to 1 can be", r.Alpha)
	}
	return nil
}

// Quantize gives a graph whose products are quantised by a recipe; g stays as it is.
// Errors wrap ErrRanges where the recipe lacks what Scheme asks for.
func (g *Graph) Quantize(r Recipe) (*Graph, error) {
	if err := r.valid(g.Config); err != nil {
		return nil, fmt.Errorf("quantise: %w", err)
	}
	q := quantiser{builder: &builder{g: &Graph{Config: g.Config, Options: g.Options, Inputs: g.Inputs, Outputs: g.Outputs}, count: map[string]int{}}, r: r, from: g}
	q.g.Tensors = slices.Clone(g.Tensors)
	for _, n := range g.Nodes {
		if _, product := n.Op.(MatMul); product {
			var err error
			if n, err = q.product(n); err != nil {
				return nil, fmt.Errorf("quantise %s: %w", g.Tensors[n.Out[0]].Name, err)
			}
		}
		q.g.Nodes = append(q.g.Nodes, n)
	}
	q.sweep()
	if err := q.g.Check(); err != nil {
		return nil, fmt.Errorf("quantise: %w", err)
	}
	return q.g, nil
}

// quantiser makes a quantised copy of a graph.
type quantiser struct {
	*builder
	r    Recipe
	from *Graph
}

// product puts codes before a product, where the recipe wants them.
func (q *quantiser) product(n Node) (Node, error) {
	name := q.from.Tensors[n.Out[0]].Name
	codes, activations := q.r.wants(name)
	if !codes {
		return n, nil
	}
	x, w := n.In[0], n.In[1]
	var columns []float32
	if activations {
		var err error
		if x, columns, err = q.activation(name, x, w); err != nil {
			return n, err
		}
	}
	return Node{Op: n.Op, In: []ID{x, q.weight(w, columns)}, Out: n.Out}, nil
}

// weight gives the codes of a constant times their scales, its columns multiplied.
func (q *quantiser) weight(w ID, columns []float32) ID {
	t := q.of(w)
	rounded := t.Type.stored()
	parts := q.maker(w).Parts
	codes := q.add(Const{Parts: parts, Columns: columns, Rounded: rounded}, t.Name+".codes", I8, t.Dims)
	scales := q.add(Const{Parts: parts, Columns: columns, Scales: true, Rounded: rounded}, t.Name+".scales", t.Type, []Dim{t.Dims[0], 1})
	return q.add(Dequantize{}, t.Name+".decoded", t.Type, t.Dims, codes, scales)
}

func (q *quantiser) maker(w ID) Const {
	for _, n := range q.from.Nodes {
		if n.Out[0] == w {
			c, _ := n.Op.(Const)
			return c
		}
	}
	return Const{}
}

// activation gives the input of a product through codes, and what the columns of its
// weight are multiplied by.
func (q *quantiser) activation(name string, x, w ID) (ID, []float32, error) {
	t := q.of(x)
	n := int(t.Dims[len(t.Dims)-1])
	ranges := q.r.Ranges[name]
	if len(ranges) != n && (!q.r.Tokens || q.r.Alpha > 0) {
		return x, nil, fmt.Errorf("%w: %d of %d channels", ErrRanges, len(ranges), n)
	}
	var columns []float32
	if q.r.Alpha > 0 {
		most, err := q.r.Columns(q.of(w).Name)
		if err != nil {
			return x, nil, err
		}
		var shrink []float32
		if shrink, columns, err = smoothed(ranges, most, q.r.Alpha, t.Type); err != nil {
			return x, nil, err
		}
		ranges = slices.Clone(ranges)
		for i := range ranges {
			ranges[i] *= shrink[i]
		}
		factor := q.add(Const{Values: shrink}, name+".smooth", t.Type, []Dim{Dim(n)})
		x = q.add(Mul{}, name+".smoothed", t.Type, t.Dims, x, factor)
	}
	return q.coded(name, x, ranges), columns, nil
}

// coded sends a tensor through codes.
func (q *quantiser) coded(name string, x ID, ranges []float32) ID {
	t := q.of(x)
	var scale ID
	if q.r.Tokens {
		scale = q.add(TokenScale{}, name+".scale", t.Type, with(t.Dims, 1), x)
	} else {
		scale = q.add(Const{Values: []float32{tensorScale(ranges, t.Type)}}, name+".scale", t.Type, []Dim{1})
	}
	codes := q.add(Quantize{}, name+".in.codes", I8, t.Dims, x, scale)
	return q.add(Dequantize{}, name+".in", t.Type, t.Dims, codes, scale)
}

// tensorScale is the scale of a tensor with these ranges, in its type.
func tensorScale(ranges []float32, t Type) float32 {
	scale := t.stored().Round(slices.Max(ranges) / 127)
	if !(scale > 0) || math.IsInf(float64(scale), 0) {
		return 1
	}
	return scale
}

// smoothed gives the factors of a product's input channels, in the type that they are
// stored in, and those of the columns of its weight, their inverses.
func smoothed(ranges, most []float32, alpha float64, t Type) (shrink, columns []float32, err error) {
	if len(ranges) != len(most) {
		return nil, nil, fmt.Errorf("%w: %d channels, %d columns", ErrRanges, len(ranges), len(most))
	}
	const far = 1 << 10 // beyond it the type of the factors has few digits left
	shrink, columns = make([]float32, len(most)), make([]float32, len(most))
	for i := range most {
		f := 1.0
		if ranges[i] > 0 && most[i] > 0 {
			f = math.Pow(float64(most[i]), 1-alpha) / math.Pow(float64(ranges[i]), alpha)
		}
		shrink[i] = t.stored().Round(float32(min(far, max(1.0/far, f))))
		columns[i] = 1 / shrink[i]
	}
	return shrink, columns, nil
}

// sweep drops constants that nothing uses any more.
func (q *quantiser) sweep() {
	used := map[ID]bool{}
	for _, n := range q.g.Nodes {
		for _, id := range n.In {
			used[id] = true
		}
	}
	q.g.Nodes = slices.DeleteFunc(q.g.Nodes, func(n Node) bool {
		_, constant := n.Op.(Const)
		return constant && !used[n.Out[0]]
	})
}

// Quantized counts the products whose weights are codes, and those whose inputs are
// too.
func (g *Graph) Quantized() (weights, activations int) {
	decoded := map[ID]bool{}
	for _, n := range g.Nodes {
		if _, ok := n.Op.(Dequantize); ok {
			decoded[n.Out[0]] = true
		}
		if _, ok := n.Op.(MatMul); ok && decoded[n.In[1]] {
			weights++
			if decoded[n.In[0]] {
				activations++
			}
		}
	}
	return weights, activations
}

// Weighs is the number of bytes of the constants.
func (g *Graph) Weighs() int64 {
	n := int64(0)
	for _, item := range g.Items() {
		n += item.Bytes()
	}
	return n
}

// Channels gives the number of input channels of every product of layers, by name:
// what Recipe.Ranges must hold.
func (g *Graph) Channels() map[string]int {
	list := map[string]int{}
	for _, n := range g.Nodes {
		name := g.Tensors[n.Out[0]].Name
		if _, ok := n.Op.(MatMul); ok && strings.HasPrefix(name, "blk.") {
			dims := g.Tensors[n.In[1]].Dims
			list[name] = int(dims[1])
		}
	}
	return list
}
