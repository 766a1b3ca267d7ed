package weights

import "fmt"

// Type is the element type of an array that is made.
type Type uint8

// The types that can be made.
const (
	F32 Type = iota
	F16
	BF16
)

// Size is the length of one element in bytes.
func (t Type) Size() int {
	if t == F32 {
		return 4
	}
	return 2
}

// String is the type's name: F32, F16, BF16.
func (t Type) String() string {
	switch t {
	case F32:
		return "F32"
	case F16:
		return "F16"
	case BF16:
		return "BF16"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// Part is one tensor of the file, seen as [Rows, Cols], the columns contiguous.
// A vector of n elements is [n, 1].
type Part struct {
	Tensor     string
	Rows, Cols int
	// Heads is the number of heads whose rows are stored in pairs for the
	// interleaved rotation (the Q and K of llama files). Within each head the
	// rows 0, 2, 4 … come first when they are read, then 1, 3, 5 …, which is the
	// order for the rotation of halves. 0 leaves rows as they are.
	Heads int `json:",omitempty"`
}

// Item is one array: parts joined by rows, or Values.
type Item struct {
	Name  string
	Type  Type
	Parts []Part
	// Values are the elements when no file holds them (tables of sines).
	Values []float32
}

// Elements is the number of elements.
func (i Item) Elements() int {
	n := len(i.Values)
	for _, p := range i.Parts {
		n += p.Rows * p.Cols
	}
	return n
}

// Bytes is the size of the array.
func (i Item) Bytes() int64 { return int64(i.Elements()) * int64(i.Type.Size()) }
