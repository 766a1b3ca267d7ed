package tensorrt

// Attention is how a plan attends.
type Attention string

// The kinds of attention.
const (
	Own  Attention = "own"  // our kernel, the cache kept by us
	Span Attention = "span" // TensorRT's layers, the cache an input
	// Single is Own with our kernels for products too: one token of one sequence,
	// which waits for memory and for launches, not for arithmetic.
	Single Attention = "single"
)
