// Package oracle is llama.cpp as a reference for tests: its block formats, and
// logits of every position with everything that costs exactness switched off
// (FP32 cache, no flash attention). It exists with build tag llama only, and only
// tests import it; replies come from package gguf.
package oracle
