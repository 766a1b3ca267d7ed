// Package interp computes a graph on the processor, plainly and slowly: it is
// what the engines made from the same graph are held against, and is itself held
// against llama.cpp. Sums are FP32; every result is rounded to its tensor's type,
// so that a graph in FP16 shows what FP16 costs, and one in FP32 is exact.
//
// Measured by the tests of build tag llama, in FP32: over 215 positions of each of
// the models of package tiny, in prefill, decode, chunks and batches, logits are at
// most 2e-5 from llama.cpp's and the best token is always the same; SmolLM2-135M
// with expanded weights 7e-5. In FP16 the same model keeps the best token at 120 of
// 120 positions (mean KL 2e-5; with an FP16 residual stream 119, 3e-5), in BF16 at
// 111 (9e-4): an engine in BF16 is for weights that were BF16.
//
// Codes of eight bits are integers here too: halves round to even, products of two
// codes are summed as integers of 32 bits, and the scales come last. SmolLM2-135M by
// each scheme against FP16, over the first 16 tokens of a text with ranges of that text,
// as mean KL in nats and best tokens that stay the same: weights 0.007, 16; attention
// 0.009, 16 (0.13 and 12 without smoothing); mlp 0.16, 13 (0.97, 11); all 0.15, 11
// (1.1, 7), 0.09 and 13 with a scale for each token, 0.14 and 15 without the first and
// last layer.
//
// Non-goals: speed, large contexts.
package interp
