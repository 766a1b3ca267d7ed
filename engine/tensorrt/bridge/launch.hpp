// Calls of our kernels, for plugins and for their tests. They return 0 or a result of
// the CUDA driver; the work is queued, not done.
#pragma once

#include "cuda.hpp"
#include "internal.hpp"

namespace ft {

// Product is one call of a product; what its kind does not take is null.
struct Product {
	ft_linear how;
	void const *x, *weight, *scales, *gamma, *bias, *residual;
	void *out;
	int tokens;
	void *scratch; // of scratchOf bytes
};

// scratchOf is the room for normalised tokens that a product may need.
size_t scratchOf(ft_linear const &how, int64_t tokens);
cuda::Result multiply(cuda::Driver const &api, cuda::Kernels const &k, Product const &p, cuda::Stream stream);

// Attend is one call of the attention: batch sequences of tokens each.
struct Attend {
	ft_attention how;
	void const *qkv, *cos, *sin, *past, *slots;
	void *out;
	unsigned batch, tokens;
};
cuda::Result attend(cuda::Driver const &api, cuda::Kernels const &k, Attend const &a, cuda::Stream stream);

// best finds the best logits of rows.
cuda::Result best(cuda::Driver const &api, cuda::Kernels const &k, cuda::Pointer logits, cuda::Pointer out, int rows, int vocab, cuda::Stream stream);

} // namespace ft
