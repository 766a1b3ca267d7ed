//go:build tensorrt

package bridge

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Type is the element type of a tensor.
type Type int

// The element types.
const (
	F32  Type = C.FT_F32
	F16  Type = C.FT_F16
	BF16 Type = C.FT_BF16
	I32  Type = C.FT_I32
	I64  Type = C.FT_I64
	I8   Type = C.FT_I8
)

// Size is the length of an element in bytes.
func (t Type) Size() int {
	switch t {
	case I64:
		return 8
	case F16, BF16:
		return 2
	case I8:
		return 1
	}
	return 4
}

// Tensor names a tensor of one network.
type Tensor int

// Binary is an operation of two tensors of one rank and type, which broadcast
// along dimensions of size 1.
type Binary int

// The binary operations.
const (
	Sum  Binary = C.FT_SUM
	Prod Binary = C.FT_PROD
	Sub  Binary = C.FT_SUB
	Div  Binary = C.FT_DIV
	Max  Binary = C.FT_MAX
	Less Binary = C.FT_LESS
)

// Unary is an operation of one tensor.
type Unary int

// The unary operations.
const (
	Sqrt    Unary = C.FT_SQRT
	Exp     Unary = C.FT_EXP
	Sigmoid Unary = C.FT_SIGMOID
)

// Reduce folds dimensions, which stay with size 1.
type Reduce int

// The reductions.
const (
	Average  Reduce = C.FT_AVERAGE
	Greatest Reduce = C.FT_GREATEST
	Total    Reduce = C.FT_TOTAL
)

// Network is a network that is being described. After a fault its methods do
// nothing; Err tells what it was. It is for one goroutine, but for Cancel and
// Events.
type Network struct{ c *C.ft_network }

// NewNetwork makes an empty one, to be closed.
func (l *Library) NewNetwork() (*Network, error) {
	var f C.ft_fault
	c := C.ft_network_new(l.c, &f)
	if c == nil {
		return nil, fault(&f)
	}
	return &Network{c}, nil
}

// Close frees the network and its constants.
func (n *Network) Close() {
	C.ft_network_free(n.c)
	n.c = nil
}

// Err is the first fault.
func (n *Network) Err() error {
	var f C.ft_fault
	C.ft_network_fault(n.c, &f)
	if s := C.GoString(&f.text[0]); s != "" {
		return errors.New(s)
	}
	return nil
}

func sizes(dims []int64) (C.int, *C.int64_t) {
	if len(dims) == 0 {
		return 0, nil
	}
	return C.int(len(dims)), (*C.int64_t)(unsafe.Pointer(&dims[0]))
}

// Input adds an input; -1 stands for dimensions that vary.
func (n *Network) Input(name string, t Type, dims ...int64) Tensor {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	rank, list := sizes(dims)
	return Tensor(C.ft_input(n.c, s, C.int(t), rank, list))
}

// Constant adds a constant and gives its memory, to be filled before the build;
// nil after a fault.
func (n *Network) Constant(t Type, dims ...int64) (Tensor, []byte) {
	rank, list := sizes(dims)
	var data unsafe.Pointer
	id := C.ft_constant(n.c, C.int(t), rank, list, &data)
	if id < 0 {
		return Tensor(id), nil
	}
	bytes := int64(t.Size())
	for _, d := range dims {
		bytes *= d
	}
	return Tensor(id), unsafe.Slice((*byte)(data), bytes)
}

// Binary applies op element by element.
func (n *Network) Binary(op Binary, a, b Tensor) Tensor {
	return Tensor(C.ft_binary(n.c, C.int(op), C.int(a), C.int(b)))
}

// Unary applies op.
func (n *Network) Unary(op Unary, a Tensor) Tensor {
	return Tensor(C.ft_unary(n.c, C.int(op), C.int(a)))
}

// Reduce folds the axes.
func (n *Network) Reduce(op Reduce, a Tensor, axes ...int) Tensor {
	bits := 0
	for _, axis := range axes {
		bits |= 1 << axis
	}
	return Tensor(C.ft_reduce(n.c, C.int(op), C.int(a), C.uint32_t(bits)))
}

// Cast changes the type.
func (n *Network) Cast(a Tensor, t Type) Tensor { return Tensor(C.ft_cast(n.c, C.int(a), C.int(t))) }

// Quantize gives codes of eight bits by a constant scale of a's type, one for all.
func (n *Network) Quantize(a, scale Tensor) Tensor {
	return Tensor(C.ft_quantize(n.c, C.int(a), C.int(scale)))
}

// Dequantize gives the numbers of codes in a type; axis is the dimension whose scales
// scale holds, -1 = there is one for all.
func (n *Network) Dequantize(a, scale Tensor, axis int, t Type) Tensor {
	return Tensor(C.ft_dequantize(n.c, C.int(a), C.int(scale), C.int(axis), C.int(t)))
}

// Counts says how many layers of some kinds a network has.
type Counts struct{ Quantize, Dequantize, Products, Plugins int }

// Count counts them.
func (n *Network) Count() Counts {
	c := C.ft_count(n.c)
	return Counts{int(c.quantize), int(c.dequantize), int(c.products), int(c.plugins)}
}

// MatMul multiplies the last two dimensions; transposed says that b's are swapped.
func (n *Network) MatMul(a, b Tensor, transposed bool) Tensor {
	return Tensor(C.ft_matmul(n.c, C.int(a), C.int(b), C.bool(transposed)))
}

// Gather takes rows of data along axis; the first shared dimensions of both go
// together.
func (n *Network) Gather(data, rows Tensor, axis, shared int) Tensor {
	return Tensor(C.ft_gather(n.c, C.int(data), C.int(rows), C.int(axis), C.int(shared)))
}

// Reshape gives other dimensions: 0 copies the one at its place, -1 is inferred.
func (n *Network) Reshape(a Tensor, dims ...int64) Tensor { return n.Shuffle(a, nil, dims...) }

// Shuffle reorders dimensions, then reshapes unless dims is empty.
func (n *Network) Shuffle(a Tensor, order []int32, dims ...int64) Tensor {
	var first *C.int32_t
	if order != nil {
		first = (*C.int32_t)(unsafe.Pointer(&order[0]))
	}
	rank, list := sizes(dims)
	return Tensor(C.ft_shuffle(n.c, C.int(a), first, rank, list))
}

// Slice takes size elements from start on along the last dimension.
func (n *Network) Slice(a Tensor, start, size int) Tensor {
	return Tensor(C.ft_slice(n.c, C.int(a), C.int(start), C.int(size)))
}

// Concat joins along axis.
func (n *Network) Concat(axis int, list ...Tensor) Tensor {
	ids := make([]C.int, len(list))
	for i, t := range list {
		ids[i] = C.int(t)
	}
	return Tensor(C.ft_concat(n.c, &ids[0], C.int(len(ids)), C.int(axis)))
}

// Select takes a where the condition holds, else b.
func (n *Network) Select(condition, a, b Tensor) Tensor {
	return Tensor(C.ft_select(n.c, C.int(condition), C.int(a), C.int(b)))
}

// Positions is 0, 1, 2 … I32 for each index of a's dimension axis, as a tensor of
// a rank whose dimension at place has that size and the others 1.
func (n *Network) Positions(a Tensor, axis, rank, place int) Tensor {
	return Tensor(C.ft_positions(n.c, C.int(a), C.int(axis), C.int(rank), C.int(place)))
}

// Top gives the k largest of the last dimension, largest first, and their indices.
func (n *Network) Top(a Tensor, k int) (values, ids Tensor) {
	var second C.int
	first := C.ft_top(n.c, C.int(a), C.int(k), &second)
	return Tensor(first), Tensor(second)
}

// Attention says how the kernel of Attend is to be called.
type Attention struct {
	Heads, KeyHeads, Size, Rotary int
	Layer, Layers, Context        int
	BF16                          bool
	Scale                         float32
}

// Attend rotates queries and keys, appends keys and values to a sequence's cache
// and attends over it, all in our own kernels:
//
//	(qkv [B,S,(Heads+2·KeyHeads)·Size], cos, sin F32 [B,S,Rotary/2], past I32 [B], slots I64 [B]) → [B,S,Heads·Size]
//
// slots holds the address of each sequence's cache, [Layers,2,KeyHeads,Context,Size].
func (n *Network) Attend(a Attention, qkv, cos, sin, past, slots Tensor) Tensor {
	how := C.ft_attention{
		heads: C.int32_t(a.Heads), key_heads: C.int32_t(a.KeyHeads), size: C.int32_t(a.Size), rotary: C.int32_t(a.Rotary),
		layer: C.int32_t(a.Layer), layers: C.int32_t(a.Layers), context: C.int32_t(a.Context), scale: C.float(a.Scale),
	}
	if a.BF16 {
		how.bf16 = 1
	}
	return Tensor(C.ft_attend(n.c, how, C.int(qkv), C.int(cos), C.int(sin), C.int(past), C.int(slots)))
}

// LinearKind is what becomes of a product with one token.
type LinearKind int

// The kinds of Multiply. Round brackets hold operands beside x and the weight.
const (
	Plain LinearKind = C.FT_PLAIN // x·W, in the type of the weight (gamma, bias)
	Added LinearKind = C.FT_ADDED // residual + x·W, FP32 (bias, residual)
	Gated LinearKind = C.FT_GATED // silu(x·W₁)·(x·W₂), the weight holding both (gamma)
	Wide  LinearKind = C.FT_WIDE  // x·W in FP32 (gamma, bias)
)

// Linear says how the kernel of Multiply is to be called.
type Linear struct {
	Kind     LinearKind
	In, Rows int // of a gated weight, half its rows
	BF16     bool
	Codes    bool    // the weight holds codes of eight bits, each row with a scale
	Eps      float32 // of the norm before; 0 = there is none
}

func (l Linear) c() C.ft_linear {
	how := C.ft_linear{kind: C.int32_t(l.Kind), in: C.int32_t(l.In), rows: C.int32_t(l.Rows), eps: C.float(l.Eps)}
	if l.BF16 {
		how.flags |= C.FT_OF_BF16
	}
	if l.Codes {
		how.flags |= C.FT_OF_CODES
	}
	return how
}

// Operands of Multiply; those that a kind does not take are -1.
type Operands struct{ X, Weight, Scales, Gamma, Bias, Residual Tensor }

// Multiply multiplies a few tokens, [B,1,In], by a matrix in our own kernel.
func (n *Network) Multiply(l Linear, o Operands) Tensor {
	return Tensor(C.ft_multiply(n.c, l.c(), C.int(o.X), C.int(o.Weight), C.int(o.Scales), C.int(o.Gamma), C.int(o.Bias), C.int(o.Residual)))
}

// Output names a tensor and makes it an output.
func (n *Network) Output(a Tensor, name string) {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	C.ft_output(n.c, C.int(a), s)
}

// Port is an input or output of a network; -1 stands for dimensions that vary.
type Port struct {
	Name string
	Type Type
	Dims []int64
}

// Inputs lists what the network takes, in TensorRT's own words.
func (n *Network) Inputs() []Port { return n.ports(false, int(C.ft_inputs(n.c))) }

// Outputs lists what it gives.
func (n *Network) Outputs() []Port { return n.ports(true, int(C.ft_outputs(n.c))) }

func (n *Network) ports(output bool, count int) []Port {
	list := make([]Port, count)
	for i := range list {
		var name [256]byte
		var t C.int
		var dims [8]int64
		rank := C.ft_tensor(n.c, C.bool(output), C.int(i), (*C.char)(unsafe.Pointer(&name[0])), C.size_t(len(name)), &t, (*C.int64_t)(unsafe.Pointer(&dims[0])))
		list[i] = Port{Name: text(name[:]), Type: Type(t), Dims: append([]int64{}, dims[:max(rank, 0)]...)}
	}
	return list
}
