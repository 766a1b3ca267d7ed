package graph

import (
	"fmt"
	"strconv"

	"fabula/engine/gguf/weights"
)

// Type is the element type of a tensor.
type Type uint8

// The element types.
const (
	None Type = iota // not set
	F32
	F16
	BF16
	I32
	I8 // codes of Quantize
)

var typeNames = [...]string{None: "none", F32: "F32", F16: "F16", BF16: "BF16", I32: "I32", I8: "I8"}

// String is the type's name.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// MarshalText gives the name, for the dump.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Size is the length of one element in bytes.
func (t Type) Size() int {
	switch t {
	case I8:
		return 1
	case F16, BF16:
		return 2
	}
	return 4
}

// Bits gives an element of the two-byte types.
func (t Type) Bits(v float32) uint16 { return t.stored().Bits(v) }

// stored is the type's name among those of package weights.
func (t Type) stored() weights.Type {
	switch t {
	case F16:
		return weights.F16
	case BF16:
		return weights.BF16
	case I8:
		return weights.I8
	}
	return weights.F32
}

// Dim is one dimension: a size from 1 up, or a symbol.
type Dim int

// The symbols.
const (
	B Dim = -1 // sequences in the batch
	S Dim = -2 // new tokens of each sequence
	C Dim = -3 // positions of the cache that are looked at
)

// String is the number or the symbol's letter.
func (d Dim) String() string {
	switch d {
	case B:
		return "B"
	case S:
		return "S"
	case C:
		return "C"
	}
	return strconv.Itoa(int(d))
}

// MarshalText gives the same, for the dump.
func (d Dim) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Sizes binds the symbols.
type Sizes struct{ B, S, C int }

// Of gives the size of a dimension.
func (s Sizes) Of(d Dim) int {
	switch d {
	case B:
		return s.B
	case S:
		return s.S
	case C:
		return s.C
	}
	return int(d)
}

// Shape gives the sizes of dimensions.
func (s Sizes) Shape(dims []Dim) []int {
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = s.Of(d)
	}
	return shape
}

// ID names a tensor within its graph: the index in Graph.Tensors.
type ID int

// Tensor is the result of one node. Names of inputs, constants and outputs are
// part of the contract; the others say where in the model a tensor is.
type Tensor struct {
	Name string
	Type Type
	Dims []Dim // the last one contiguous
}

// String is "name F16[B,S,64]".
func (t Tensor) String() string { return fmt.Sprintf("%s %s%v", t.Name, t.Type, t.Dims) }
