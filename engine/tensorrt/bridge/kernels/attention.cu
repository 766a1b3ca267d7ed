// Attention of new tokens over a cache, with rotation and append. compile.py turns
// this file into the PTX text beside it, once for each size of a head (SIZE) and
// element type (BF16 or not); the bridge loads that text, so that building fabula
// needs no CUDA toolkit. Instructions are those of sm_80.
//
// The cache of a sequence is [layers, 2, key heads, context, SIZE]: keys as they
// are after rotation, then values. qkv is [B, S, (heads + 2·key heads)·SIZE].

#include "decode.cuh"
#include "prefill.cuh"
