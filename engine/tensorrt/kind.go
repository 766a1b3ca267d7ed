package tensorrt

// Attention is how a plan attends.
type Attention string

// The kinds of attention.
const (
	Own  Attention = "own"  // our kernel, the cache kept by us
	Span Attention = "span" // TensorRT's layers, the cache an input
	// Few is Own with our kernels for products too, for steps of a few tokens, which
	// wait for memory and for launches, not for arithmetic.
	Few Attention = "few"
)
