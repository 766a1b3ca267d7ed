// Package weights turns the tensors of a GGUF file into plain arrays of FP32,
// FP16 or BF16, as an engine that is built from them wants them: quantised
// blocks expanded, several tensors joined by rows, rows put back in the order
// that they had before the file was written.
//
// Everything is streamed: besides the caller's destination no more than a few
// MiB are held, whatever the model's size. The block layouts are those of the
// GGUF specification and of ggml (github.com/ggml-org/ggml); the code is ours and
// is compared with ggml's by the tests of build tag llama. Rows can also be made codes
// of eight bits with a scale each (Item), and a file be copied in Q8_0 (Copy).
//
// Non-goals: other ways to quantise, the IQ formats below four bits, running models.
package weights
