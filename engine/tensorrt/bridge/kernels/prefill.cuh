// Attention of many tokens of a sequence, on tensor cores.

#include "attention.cuh"

__device__ __forceinline__ u32 shared(const void *x) { return (u32)__cvta_generic_to_shared(x); }

__device__ __forceinline__ void four(u32 *r, u32 at) {
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

__device__ __forceinline__ void fourTurned(u32 *r, u32 at) {
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

__device__ __forceinline__ void multiply(float *c, const u32 *a, u32 b0, u32 b1) {
	asm volatile(MMA " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
				 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
				 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// real counts the tokens of a step, up to 64; those that only fill it up have no slot.
__device__ __forceinline__ int real(const Params &p) {
	int lane = threadIdx.x % 32;
	u32 low = __ballot_sync(0xffffffffu, lane < p.tokens && known(p.slots[lane]));
	u32 high = __ballot_sync(0xffffffffu, lane + 32 < p.tokens && known(p.slots[lane + 32]));
	return __popc(low) + __popc(high);
}

constexpr int mostRuns = 16; // that the keys of a head are split into

// freshKey gives eight elements of a new key, turned.
__device__ __forceinline__ uint4 freshKey(const Params &p, int token, int keyHead, int d) {
	const u16 *head = p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + p.heads + keyHead) * SIZE;
	int half = p.rotary / 2;
	uint4 out = *(const uint4 *)(head + d);
	u32 *to = (u32 *)&out;
	if (half % 8 != 0) {
#pragma unroll
		for (int e = 0; e < 4; e++) to[e] = pack(rotated(p, head, token, d + 2 * e), rotated(p, head, token, d + 2 * e + 1));
		return out;
	}
	if (d >= p.rotary) return out;
	bool low = d < half;
	const float4 *cos = (const float4 *)(p.cos + token * half + (low ? d : d - half)), *sin = (const float4 *)(p.sin + token * half + (low ? d : d - half));
	float4 c[2] = {cos[0], cos[1]}, s[2] = {sin[0], sin[1]};
	uint4 pair = *(const uint4 *)(head + (low ? d + half : d - half));
	const u32 *other = (const u32 *)&pair;
	float sign = low ? -1 : 1;
#pragma unroll
	for (int e = 0; e < 4; e++) {
		float c0 = e % 2 ? c[e / 2].z : c[e / 2].x, c1 = e % 2 ? c[e / 2].w : c[e / 2].y;
		float s0 = e % 2 ? s[e / 2].z : s[e / 2].x, s1 = e % 2 ? s[e / 2].w : s[e / 2].y;
		to[e] = pack(up((u16)to[e]) * c0 + sign * up((u16)other[e]) * s0, up((u16)(to[e] >> 16)) * c1 + sign * up((u16)(other[e] >> 16)) * s1);
	}
	return out;
}

// joinRuns gives the results of a head whose keys several blocks shared: each left
// sums [64, SIZE], then greatest score and weight of each of the 64 queries.
__device__ __forceinline__ void joinRuns(const Params &p, int head, int runs, int tokens) {
	constexpr int size = 64 * (SIZE + 2);
	const float *from = p.partial + (u64)head * p.splits * size;
	for (int i = threadIdx.x; i < tokens * (SIZE / 4); i += 128) {
		int s = i / (SIZE / 4), d = i % (SIZE / 4);
		float2 run[mostRuns];
		float4 v[mostRuns];
#pragma unroll
		for (int r = 0; r < mostRuns; r++) {
			run[r] = r < runs ? __ldcg((const float2 *)(from + r * size + 64 * SIZE) + s) : make_float2(nothing, 0);
			v[r] = r < runs ? __ldcg((const float4 *)(from + r * size) + i) : make_float4(0, 0, 0, 0);
		}
		float high = nothing, all = 0;
		float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
		for (int r = 0; r < mostRuns; r++) high = fmaxf(high, run[r].x);
#pragma unroll
		for (int r = 0; r < mostRuns; r++) {
			float w = power(run[r].x - high);
			all += w * run[r].y;
			sum.x += w * v[r].x, sum.y += w * v[r].y, sum.z += w * v[r].z, sum.w += w * v[r].w;
		}
		((uint2 *)(p.out + ((u64)s * p.heads + head) * SIZE))[d] = make_uint2(pack(sum.x / all, sum.y / all), pack(sum.z / all, sum.w / all));
	}
}

// Several tokens of one sequence, after append: a block takes 64 queries of one
// head, a warp 16 of them, and walks over the keys by 64. Of RUNS, which takes one
// sequence and 64 tokens at most, the blocks of a head share the keys, and the last
// one joins what they found; new keys and values come from qkv and are put into the
// cache here.
template <bool RUNS> __device__ __forceinline__ void prefillBlock(const Params &p) {
	constexpr int pitch = SIZE + 8; // keeps rows apart in the banks
	__shared__ __align__(16) u16 keyTile[64 * pitch], valueTile[64 * pitch];
	__shared__ bool last;
	int start = RUNS ? 0 : (gridDim.x - 1 - blockIdx.x) * 64, head = blockIdx.y, b = blockIdx.z; // the longest first
	int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
	int past = p.past[b], tokens = RUNS ? real(p) : p.tokens;
	if (!known(p.slots[b]) || past < 0 || past + tokens > p.context) {
		if (RUNS) waitForLast(); // whoever waits for this kernel waits for those before it
		return;
	}
	int group = p.heads / p.keyHeads, keyHead = head / group;
	u16 *k = rows(p, b, 0, keyHead), *v = rows(p, b, 1, keyHead);
	int end = min(past + start + 64, past + tokens); // keys that any query of the block sees
	int share = RUNS ? ((end + p.splits - 1) / p.splits + 63) / 64 * 64 : end, runs = (end + share - 1) / share;
	int begin = RUNS ? blockIdx.x * share : 0, stop = min(end, begin + share);

	// A tile comes in while the one before it is multiplied, where there are registers.
	constexpr bool early = SIZE <= (RUNS ? 96 : 64);
	constexpr int each = 64 * SIZE / 8 / 128, wide = SIZE / 8;
	uint4 keys[each], values[each];
	int stored = RUNS ? min(stop, past) : stop; // what lies in the cache already
	auto fetch = [&](int at) {
#pragma unroll
		for (int i = 0; i < each; i++) {
			int pos = at + (tid + i * 128) / wide, d = (tid + i * 128) % wide * 8;
			keys[i] = values[i] = make_uint4(0, 0, 0, 0);
			if (pos >= stored) continue;
			keys[i] = *(const uint4 *)(k + (u64)pos * SIZE + d);
			values[i] = *(const uint4 *)(v + (u64)pos * SIZE + d);
		}
	};
	auto fresh = [&](int at) {
		if (!RUNS || at + 64 <= past) return;
#pragma unroll
		for (int i = 0; i < each; i++) {
			int pos = at + (tid + i * 128) / wide, d = (tid + i * 128) % wide * 8, token = pos - past;
			if (pos < past || pos >= stop) continue;
			keys[i] = freshKey(p, token, keyHead, d);
			values[i] = *(const uint4 *)(p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + p.heads + p.keyHeads + keyHead) * SIZE + d);
			if (head % group != 0) continue;
			*(uint4 *)(k + (u64)pos * SIZE + d) = keys[i];
			*(uint4 *)(v + (u64)pos * SIZE + d) = values[i];
		}
	};
	if (early) fetch(begin);
	if (RUNS) waitForLast();
	if (early) fresh(begin);

	// Two elements and those they are turned with at a time; rotary is a multiple of four.
#pragma unroll 4
	for (int i = tid; i < 64 * SIZE / 4; i += 128) {
		int r = i / (SIZE / 4), s = start + r, pair = i % (SIZE / 4) * 2, half = p.rotary / 2, token = b * p.tokens + s;
		bool turns = pair < half;
		int one = turns ? pair : p.rotary + (pair - half) * 2, two = turns ? pair + half : one + 2;
		u32 first = 0, second = 0;
		if (s < tokens) {
			const u16 *from = p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + head) * SIZE;
			u32 a = *(const u32 *)(from + one), c = *(const u32 *)(from + two);
			float a0 = up((u16)a), a1 = up((u16)(a >> 16)), c0 = up((u16)c), c1 = up((u16)(c >> 16));
			if (turns) {
				float2 cos = *(const float2 *)(p.cos + token * half + pair), sin = *(const float2 *)(p.sin + token * half + pair);
				float x0 = a0 * cos.x - c0 * sin.x, x1 = a1 * cos.y - c1 * sin.y;
				c0 = c0 * cos.x + a0 * sin.x, c1 = c1 * cos.y + a1 * sin.y;
				a0 = x0, a1 = x1;
			}
			first = pack(a0 * p.scale, a1 * p.scale), second = pack(c0 * p.scale, c1 * p.scale);
		}
		*(u32 *)&keyTile[r * pitch + one] = first;
		*(u32 *)&keyTile[r * pitch + two] = second;
	}
	__syncthreads();
	u32 query[SIZE / 16][4];
#pragma unroll
	for (int kk = 0; kk < SIZE / 16; kk++) four(query[kk], shared(&keyTile[(warp * 16 + lane % 16) * pitch + kk * 16 + lane / 16 * 8]));

	float out[SIZE / 8][4] = {}, high[2] = {nothing, nothing}, sum[2] = {};
	int row = past + start + warp * 16 + lane / 4;     // position of this lane's first query
	for (int at = begin; at < stop; at += 64) {
		__syncthreads();
		if (!early) fetch(at), fresh(at);
#pragma unroll
		for (int i = 0; i < each; i++) {
			int r = (tid + i * 128) / wide, d = (tid + i * 128) % wide * 8;
			*(uint4 *)&keyTile[r * pitch + d] = keys[i];
			*(uint4 *)&valueTile[r * pitch + d] = values[i];
		}
		__syncthreads();
		if (early && at + 64 < stop) fetch(at + 64), fresh(at + 64);
		float score[8][4] = {};
#pragma unroll
		for (int kk = 0; kk < SIZE / 16; kk += 2)
#pragma unroll
			for (int n = 0; n < 8; n++) {
				u32 x[4];
				four(x, shared(&keyTile[(n * 8 + lane % 8) * pitch + kk * 16 + lane / 8 * 8]));
				multiply(score[n], query[kk], x[0], x[1]);
				multiply(score[n], query[kk + 1], x[2], x[3]);
			}
		if (at + 63 > past + start + warp * 16) {
#pragma unroll
			for (int n = 0; n < 8; n++)
#pragma unroll
				for (int e = 0; e < 4; e++)
					if (at + n * 8 + lane % 4 * 2 + e % 2 > row + e / 2 * 8) score[n][e] = nothing;
		}
#pragma unroll
		for (int half = 0; half < 2; half++) {
			float top = high[half];
#pragma unroll
			for (int n = 0; n < 8; n++) top = fmaxf(top, fmaxf(score[n][half * 2], score[n][half * 2 + 1]));
			top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
			top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
			float keep = power(high[half] - top), added = 0;
			high[half] = top;
#pragma unroll
			for (int n = 0; n < 8; n++)
#pragma unroll
				for (int e = 0; e < 2; e++) added += score[n][half * 2 + e] = power(score[n][half * 2 + e] - top);
			sum[half] = sum[half] * keep + added;
#pragma unroll
			for (int n = 0; n < SIZE / 8; n++) out[n][half * 2] *= keep, out[n][half * 2 + 1] *= keep;
		}
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			u32 w[4] = {pack(score[2 * kk][0], score[2 * kk][1]), pack(score[2 * kk][2], score[2 * kk][3]),
						pack(score[2 * kk + 1][0], score[2 * kk + 1][1]), pack(score[2 * kk + 1][2], score[2 * kk + 1][3])};
#pragma unroll
			for (int n = 0; n < SIZE / 8; n += 2) {
				u32 x[4];
				fourTurned(x, shared(&valueTile[(kk * 16 + lane % 16) * pitch + n * 8 + lane / 16 * 8]));
				multiply(out[n], w, x[0], x[1]);
				multiply(out[n + 1], w, x[2], x[3]);
			}
		}
	}
	if (RUNS) nextMayCome();
	float *to = p.partial + ((u64)head * p.splits + blockIdx.x) * 64 * (SIZE + 2);
#pragma unroll
	for (int half = 0; half < 2; half++) {
		float all = sum[half];
		all += __shfl_xor_sync(0xffffffffu, all, 1);
		all += __shfl_xor_sync(0xffffffffu, all, 2);
		int s = start + warp * 16 + lane / 4 + half * 8;
		if (s >= tokens) continue;
		if (RUNS) {
			if (begin >= stop) continue;
#pragma unroll
			for (int n = 0; n < SIZE / 8; n++) *(float2 *)&to[s * SIZE + n * 8 + lane % 4 * 2] = make_float2(out[n][half * 2], out[n][half * 2 + 1]);
			if (lane % 4 == 0) *(float2 *)&to[64 * SIZE + s * 2] = make_float2(high[half], all);
			continue;
		}
		u32 *to = (u32 *)(p.out + ((u64)(b * p.tokens + s) * p.heads + head) * SIZE);
#pragma unroll
		for (int n = 0; n < SIZE / 8; n++) to[n * 4 + lane % 4] = pack(out[n][half * 2] / all, out[n][half * 2 + 1] / all);
	}
	if (!RUNS) return;
	__threadfence();
	__syncthreads();
	if (tid == 0) last = atomicInc(&p.counters[head], p.splits - 1) == p.splits - 1;
	__syncthreads();
	if (!last) return;
	__threadfence();
	joinRuns(p, head, runs, tokens);
}

extern "C" __global__ void __launch_bounds__(128, SIZE <= 64 ? 3 : 2) prefill(const Params p) { prefillBlock<false>(p); }
extern "C" __global__ void __launch_bounds__(128) span(const Params p) { prefillBlock<true>(p); }
