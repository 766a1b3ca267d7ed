package graph

import "fabula/engine/gguf/weights"

// Op is what a node does. Its kinds are the structs of this file; whoever walks
// a graph switches on the type. Shapes of operands and results are given with
// each; H stands for heads, D for their size, N for any size.
type Op interface{ op() }

// Input is given by whoever runs the graph. No operands.
type Input struct{}

// Const is a weight: parts of a GGUF file or literal Values. No operands.
type Const struct {
	Parts  []weights.Part `json:",omitempty"`
	Values []float32      `json:"-"` // their hash is in the dump
	// Columns multiply the columns of the parts, which then are codes (I8) or, with
	// Scales, the scale [rows, 1] of each row's codes; nil = all 1. Rounded is the type
	// that the scales have.
	Columns []float32    `json:"-"` // as Values
	Scales  bool         `json:",omitempty"`
	Rounded weights.Type `json:",omitempty"`
}

// Gather takes rows of a table: (table [R, N…], rows I32 [B,S]) → [B,S,N…].
type Gather struct{}

// MatMul multiplies by a weight, summing in FP32:
// (x […, in], w [out, in]) → […, out]. The weight is always transposed.
type MatMul struct{}

// Add adds, the second operand broadcast along dimensions of size 1 or missing
// in front. Types are equal.
type Add struct{}

// Mul multiplies, broadcasting as Add does.
type Mul struct{}

// Cast changes the type.
type Cast struct{}

// RMSNorm is x / sqrt(mean(x²) + Eps) · weight along the last dimension:
// (x […, N], weight F32 [N]) → […, N]. It computes in FP32 from its operand's
// type and rounds once, to the type of its result.
type RMSNorm struct{ Eps float32 }

// Rope rotates the first Rotary elements of each head by the angles of a token's
// position: (x [B,S,H,D], cos F32 [B,S,Rotary/2], sin F32 [B,S,Rotary/2]) →
// [B,S,H,D]. Element i is paired with i + Rotary/2 (halves, never interleaved:
// weights stored in pairs are put in this order when they are read). The others
// pass. It computes in FP32.
//
//	y[i]            = x[i]·cos[i] − x[i+Rotary/2]·sin[i]
//	y[i + Rotary/2] = x[i+Rotary/2]·cos[i] + x[i]·sin[i]
type Rope struct{ Rotary int }

// Attention is causal attention of new tokens over the cache and themselves:
//
//	(q [B,S,Hq,D], k [B,S,Hkv,D], v [B,S,Hkv,D],
//	 cacheK [B,Hkv,D,C], cacheV [B,Hkv,C,D], past I32 [B]) → [B,S,Hq,D]
//
// Query head h reads key head h / (Hq/Hkv). Query s of sequence b, which is at
// position past[b]+s, sees the cache at positions j < past[b] and new keys
// 0..s; with Window > 0 only the last Window positions, itself included. What
// the cache holds from past[b] on is never looked at, but must be finite.
// Scores are q·k·Scale; their softmax is taken in FP32.
type Attention struct {
	Scale  float32
	Window int // 0 = all
}

// SiLUMul is gate · sigmoid(gate) · up: (gate, up of one shape), in FP32.
type SiLUMul struct{}

// Slice takes Size elements from Start on along the last dimension.
type Slice struct{ Start, Size int }

// Reshape gives the same elements the dimensions of its result. Only dimensions
// behind B and S change.
type Reshape struct{}

// LastPosition takes one token of each sequence: (x [B,S,N], last I32 [B]) →
// [B,1,N].
type LastPosition struct{}

// Quantize gives codes of eight bits, round(x/scale), halves to even, at least -128
// and at most 127: (x […, N], scale […, 1]) → I8 […, N], the scale spread over x. One
// scale [1] serves a whole tensor, a scale [B, S, 1] each token its own.
type Quantize struct{}

// Dequantize gives code·scale: (codes I8 […, N], scale […, 1]) → […, N] in the type of
// the scale. A MatMul of two of its results sums products of codes as integers of 32
// bits and multiplies by both scales at the end. The scale of a weight is [out, 1].
type Dequantize struct{}

// TokenScale is the scale that uses all codes for each token:
// (x […, N]) → max|x|/127 in […, 1]; 1 where all are 0.
type TokenScale struct{}

// TopK takes the K largest of the last dimension, largest first; of equal ones
// the lower index first: (x F32 [B,N]) → values F32 [B,K], indices I32 [B,K].
type TopK struct{ K int }

func (Input) op()        {}
func (Const) op()        {}
func (Gather) op()       {}
func (MatMul) op()       {}
func (Add) op()          {}
func (Mul) op()          {}
func (Cast) op()         {}
func (RMSNorm) op()      {}
func (Rope) op()         {}
func (Attention) op()    {}
func (SiLUMul) op()      {}
func (Slice) op()        {}
func (Reshape) op()      {}
func (LastPosition) op() {}
func (TopK) op()         {}
func (Quantize) op()     {}
func (Dequantize) op()   {}
func (TokenScale) op()   {}
