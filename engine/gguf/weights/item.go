package weights

import "fmt"

// Type is the element type of an array that is made.
type Type uint8

// The types that can be made.
const (
	F32 Type = iota
	F16
	BF16
	I8   // codes: each row divided by its scale, rounded; see Item
	Q8_0 // blocks of 32 codes with a scale each, as GGUF files have them
)

// blockQ8 and blockQ8Bytes are the elements and the bytes of a block of Q8_0.
const blockQ8, blockQ8Bytes = 32, 34

// Bytes is the length of so many elements in bytes; of Q8_0 they are whole blocks.
func (t Type) Bytes(elements int) int {
	if t == Q8_0 {
		return elements / blockQ8 * blockQ8Bytes
	}
	return elements * t.Size()
}

// Size is the length of one element in bytes; not of Q8_0.
func (t Type) Size() int {
	switch t {
	case F32:
		return 4
	case I8:
		return 1
	}
	return 2
}

// String is the type's name: F32, F16, BF16, I8.
func (t Type) String() string {
	switch t {
	case F32:
		return "F32"
	case F16:
		return "F16"
	case BF16:
		return "BF16"
	case I8:
		return "I8"
	case Q8_0:
		return "Q8_0"
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
//
// An item of type I8 holds codes of -127 to 127, symmetric by row: element w of a row
// becomes round(w·column/scale), halves to even, where scale is the row's greatest
// |w·column| over 127, rounded to the type Rounded. The item of the same parts, columns
// and Rounded with Scales holds these scales.
type Item struct {
	Name  string
	Type  Type
	Parts []Part
	// Values are the elements when no file holds them (tables of sines).
	Values []float32
	// Columns multiply the columns of every part; nil = by 1. Only of I8 and Scales.
	Columns []float32
	Scales  bool // the scale of each row, not its elements
	Rounded Type // of scales
}

// Elements is the number of elements.
func (i Item) Elements() int {
	n := len(i.Values)
	for _, p := range i.Parts {
		n += i.across(p) * p.Rows
	}
	return n
}

// across is how many elements a row of a part gives.
func (i Item) across(p Part) int {
	if i.Scales {
		return 1
	}
	return p.Cols
}

// Bytes is the size of the array.
func (i Item) Bytes() int64 { return int64(i.Type.Bytes(i.Elements())) }
