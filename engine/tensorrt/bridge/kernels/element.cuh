// What the kernels of products share: element types, warps, and the marks by which
// kernels overlap.
#pragma once

typedef unsigned short u16;
typedef unsigned int u32;

struct Params {
	const void *x;      // [tokens, in]: FP32 with a norm, else the element type
	const u16 *weight;  // [out, in], of a gated unit [2·out, in]
	const float *gamma; // [in] of the norm, or null
	const u16 *bias;    // [out] or null
	const float *residual;
	void *out; // [tokens, out]
	int in, rows;
	float eps;
	int tokens, kind; // of few.cu
};

enum { PLAIN, ADDED, GATED, WIDE }; // what becomes of the product

#ifdef BF16
__device__ __forceinline__ float low(u32 x) { return __uint_as_float(x << 16); }
__device__ __forceinline__ float high(u32 x) { return __uint_as_float(x & 0xffff0000u); }
__device__ __forceinline__ u16 down(float x) {
	u16 r;
	asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(x));
	return r;
}
#else
__device__ __forceinline__ float half(u16 x) {
	float r;
	asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
	return r;
}
__device__ __forceinline__ float low(u32 x) { return half((u16)x); }
__device__ __forceinline__ float high(u32 x) { return half((u16)(x >> 16)); }
__device__ __forceinline__ u16 down(float x) {
	u16 r;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
	return r;
}
#endif

__device__ __forceinline__ float rounded(float x) { return low(down(x)); }

// Weights pass by the caches: no other block wants them.
__device__ __forceinline__ uint4 stream(const uint4 *p) {
	uint4 r;
	asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(p));
	return r;
}

__device__ __forceinline__ float sumOfWarp(float x) {
#pragma unroll
	for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
	return x;
}

// On cards from sm_90 on the bridge turns these marks into instructions: the next
// kernel may come in now, and here it waits until the one before is over.
__device__ __forceinline__ void nextMayCome() { asm volatile("//@launch" ::: "memory"); }
__device__ __forceinline__ void waitForLast() { asm volatile("//@wait" ::: "memory"); }
