package tensorrt

// Attention is how a plan attends.
type Attention string

// The kinds of attention.
const (
	Own  Attention = "own"  // our kernel, the cache kept by us
	Span Attention = "span" // TensorRT's layers, the cache an input
)
