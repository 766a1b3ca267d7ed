// Package tensorrt builds TensorRT engines from GGUF models and runs them behind
// worker.Backend.
//
// A build reads the model's config, makes the graph of package graph, emits it
// through package bridge, and writes three files: the plan, its manifest (what it
// was made of, for which library and card, and how it compared with the CPU
// engine), and a timing cache beside them that makes the next build faster. A plan
// is loaded only after its manifest and its bytes were checked: TensorRT itself
// trusts what it reads.
//
// Attention comes in two kinds. Own is our kernel as a plugin: it rotates, appends
// to the cache in place and looks at exactly as many positions as there are, so
// that one CUDA graph serves all lengths. Span is made of TensorRT's own layers
// over a cache that is an input; flavours without plugins need it.
//
// Products may take eight bits (Int8). The prompt's plan then has TensorRT multiply
// codes, weights and activations; the one for steps of a few tokens, which wait for
// memory, keeps activations as they are and reads codes of weights by our own kernels.
//
// Build tag tensorrt links the bridge, tag llama the tokeniser that running a
// model needs too. Without them everything here still compiles, and says so when
// it is asked to build or run.
//
// Non-goals: ONNX files, caches of eight bits, several cards.
package tensorrt
