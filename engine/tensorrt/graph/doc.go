// Package graph describes a decoder-only language model as a list of typed
// operations over tensors with symbolic dimensions. A Graph is made from a
// Config, which is read from a GGUF file; package interp computes it on the
// processor, and package tensorrt emits it to TensorRT. Neither knows families
// of models: what differs between them is settled here.
//
// # One step
//
// A graph computes one step: S new tokens of B sequences, of which past[b] are
// in the cache, over a cache span of C positions (past[b] ≤ C).
//
//	inputs   ids   [B,S]      I32  token ids
//	         pos   [B,S]      I32  position of each token: past[b] + s
//	         past  [B]        I32  tokens of the sequence that the cache holds
//	         last  [B]        I32  index in 0..S-1 of the token whose logits are wanted
//	         bias  [B,V]      F32  added to the logits: mask (-1e4 or below) and penalties
//	         k.N   [B,Hkv,D,C]     cached keys of layer N, rotated
//	         v.N   [B,Hkv,C,D]     cached values of layer N
//	outputs  logits [B,V]     F32  of the token last[b]; without it with Options.TopK:
//	         top.values, top.ids [B,K]  sorted, largest first
//	         k.new.N, v.new.N [B,S,Hkv,D]  to be appended by whoever runs the graph
//
// Tokens behind last[b] are padding: causality keeps them from the ones before,
// and what they put out is not appended. In a decode step (S = 1) pos and past
// hold the same numbers and may be one buffer.
//
// # Numbers
//
// Types are explicit; only RMSNorm, Rope, SiLUMul and the softmax inside
// Attention compute in FP32 whatever they are given (islands). The residual
// stream has its own type (Options.Residual).
//
// Quantize makes of such a graph one whose products take weights, or weights and
// activations, of eight bits (Recipe). A graph that is not quantised is what it was
// before, byte by byte in its dump.
//
// Non-goals: mixtures of experts, sliding windows in the families (llama.cpp
// runs these families without, and it is what they are compared with), soft
// caps, vision.
package graph
