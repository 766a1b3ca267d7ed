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
#ifdef CODES
	const u16 *scales; // of each row of the weight, which then holds codes of eight bits
#endif
};

// A lane loads 16 bytes of a row of the weight: so many elements.
#ifdef CODES
enum { wide = 16 };
#else
enum { wide = 8 };
#endif

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

#ifdef CODES
__device__ __forceinline__ float scaleOf(const Params &p, int row) { return low(p.scales[row]); }
__device__ __forceinline__ float code(u32 four, int i) { return (float)(signed char)(four >> (8 * i)); }

// halves gives the two codes from place at on as elements.
__device__ __forceinline__ u32 halves(u32 four, int at) {
#ifdef BF16
	return down(code(four, at)) | (u32)down(code(four, at + 1)) << 16;
#else
	// The bytes behind 0x64 are 1024 and what they are as unsigned numbers.
	u32 r, unsigned4 = four ^ 0x80808080u;
	asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(unsigned4), "r"(0x64646464u), "r"(at ? 0x4342u : 0x4140u));
	asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(r), "r"(0x64806480u));
	return r;
#endif
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
