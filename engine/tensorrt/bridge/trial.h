// Our kernels one by one, for tests on a card; see trial.cpp.
#ifndef FABULA_TENSORRT_TRIAL_H
#define FABULA_TENSORRT_TRIAL_H

#include "bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

// Operands that a kind does not take are empty. Runs the kernel once, copies its
// result into out, then, if repeats is not 0, times that many calls.
typedef struct { ft_bytes x, weight, scales, gamma, bias, residual, out; } ft_product_trial;
bool ft_try_product(ft_device *d, ft_linear how, int tokens, ft_product_trial t, int repeats, double *microseconds, ft_fault *f);

// slots are numbers of sequences in cache, -1 = none. steps is how the tokens belong
// together: 0 each of a sequence, 1 all of one, 2 otherwise. cache comes back.
typedef struct { ft_bytes qkv, cos, sin, past, slots, cache, out; int32_t steps, sequences; unsigned batch, tokens; } ft_attention_trial;
bool ft_try_attention(ft_device *d, ft_attention how, ft_attention_trial t, int repeats, double *microseconds, ft_fault *f);

bool ft_try_best(ft_device *d, ft_bytes logits, int rows, int vocab, ft_best *out, int repeats, double *microseconds, ft_fault *f);

#ifdef __cplusplus
}
#endif
#endif
