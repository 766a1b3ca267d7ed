// What the kernels of attention share: parameters, element types, rotation.
#pragma once

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct Params {
	const u16 *qkv;
	const float *cos, *sin; // [B, S, rotary/2]
	const int *past;        // [B]
	const u64 *slots;       // [B] addresses
	u16 *out;               // [B, S, heads·SIZE]
	float *partial;
	u32 *counters;
	int heads, keyHeads, rotary, layer, context, tokens, splits, append; // append: decode puts its token into the cache
	float scale; // 1/√SIZE · log2(e): softmax is taken in powers of two
};

// Addresses that caches may have. Outside nothing is done: the builder may run a
// network on inputs that mean nothing.
extern "C" __device__ u64 arena[2];
__device__ u64 arena[2];

#ifdef BF16
__device__ __forceinline__ float up(u16 x) { return __uint_as_float((u32)x << 16); }
__device__ __forceinline__ u16 down(float x) {
	u16 r;
	asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(x));
	return r;
}
__device__ __forceinline__ u32 pack(float lo, float hi) {
	u32 r;
	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
	return r;
}
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
__device__ __forceinline__ float up(u16 x) {
	float r;
	asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
	return r;
}
__device__ __forceinline__ u16 down(float x) {
	u16 r;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
	return r;
}
__device__ __forceinline__ u32 pack(float lo, float hi) {
	u32 r;
	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
	return r;
}
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

__device__ __forceinline__ float power(float x) {
	float r;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}

// On cards from sm_90 on the bridge turns these marks into instructions: the next
// kernel may come in now, and here it waits until the one before is over.
__device__ __forceinline__ void nextMayCome() { asm volatile("//@launch" ::: "memory"); }
__device__ __forceinline__ void waitForLast() { asm volatile("//@wait" ::: "memory"); }

const float nothing = -1e30f; // the score of no key

__device__ __forceinline__ bool known(u64 slot) { return slot >= arena[0] && slot < arena[1]; }

__device__ __forceinline__ u16 *rows(const Params &p, int b, int value, int keyHead) {
	u16 *base = (u16 *)p.slots[b];
	return base + ((u64)((p.layer * 2 + value) * p.keyHeads + keyHead) * p.context) * SIZE;
}

// rotated gives element d of a head, turned by the angles of its token.
__device__ __forceinline__ float rotated(const Params &p, const u16 *head, int token, int d) {
	float x = up(head[d]);
	if (d >= p.rotary) return x;
	int half = p.rotary / 2;
	int i = d < half ? d : d - half;
	float other = d < half ? -up(head[d + half]) : up(head[d - half]);
	return x * p.cos[token * half + i] + other * p.sin[token * half + i];
}
