// Attention of new tokens over a cache, with rotation and append. compile.py turns
// this file into the PTX text beside it, once for each size of a head (SIZE) and
// element type (BF16 or not); the bridge loads that text, so that building fabula
// needs no CUDA toolkit. Instructions are those of sm_80.
//
// The cache of a sequence is [layers, 2, key heads, context, SIZE]: keys as they
// are after rotation, then values. qkv is [B, S, (heads + 2·key heads)·SIZE].

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
	int heads, keyHeads, rotary, layer, context, tokens, splits;
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

// One token, or a few that append has put into the cache. A block takes one token,
// up to GROUP query heads that share a key head, and one run of positions; the last
// block of a head joins the runs.
template <int GROUP> __device__ __forceinline__ void decode(const Params &p) {
	constexpr int lanes = SIZE <= 64 ? 8 : SIZE <= 128 ? 16 : 32; // for one key, 8 elements each
	constexpr int used = SIZE / 8;
	constexpr int warps = 4, teams = 32 / lanes, keys = warps * teams, ahead = 4;
	__shared__ float q[GROUP][SIZE];
	__shared__ float sums[keys][GROUP][SIZE];
	__shared__ float most[keys][GROUP], total[keys][GROUP];
	__shared__ bool last;

	waitForLast();
	int group = p.heads / p.keyHeads, parts = (group + GROUP - 1) / GROUP;
	int keyHead = blockIdx.x / parts, first = blockIdx.x % parts * GROUP;
	int split = blockIdx.y, token = blockIdx.z, b = token / p.tokens, tid = threadIdx.x;
	int past = p.past[b] + token % p.tokens;
	if (!known(p.slots[b]) || past < 0 || past >= p.context) return;
	int here = min(GROUP, group - first); // query heads of this block
	int share = ((past + p.splits) / p.splits + keys - 1) / keys * keys;
	int begin = split * share, end = min(past + 1, begin + share);
	const u16 *row = p.qkv + (u64)token * (p.heads + 2 * p.keyHeads) * SIZE;
	u16 *k = rows(p, b, 0, keyHead), *v = rows(p, b, 1, keyHead);

	for (int i = tid; i < GROUP * SIZE; i += blockDim.x) {
		int g = i / SIZE, d = i % SIZE;
		q[g][d] = g < here ? rotated(p, row + (keyHead * group + first + g) * SIZE, token, d) * p.scale : 0;
	}
	if (p.tokens == 1 && begin <= past && past < end) {
		const u16 *newK = row + (p.heads + keyHead) * SIZE, *newV = newK + p.keyHeads * SIZE;
		for (int d = tid; d < SIZE; d += blockDim.x) {
			k[(u64)past * SIZE + d] = down(rotated(p, newK, token, d));
			v[(u64)past * SIZE + d] = newV[d];
		}
	}
	__syncthreads();

	int lane = tid % lanes, team = tid / lanes;
	bool busy = lane < used;
	float query[GROUP][8], sum[GROUP][8], m[GROUP], l[GROUP];
#pragma unroll
	for (int g = 0; g < GROUP; g++) {
		m[g] = nothing;
		l[g] = 0;
#pragma unroll
		for (int e = 0; e < 8; e++) {
			query[g][e] = busy ? q[g][lane * 8 + e] : 0;
			sum[g][e] = 0;
		}
	}
	for (int at = begin; at < end; at += keys * ahead) {
		uint4 kRaw[ahead], vRaw[ahead];
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int pos = at + u * keys + team;
			kRaw[u] = vRaw[u] = make_uint4(0, 0, 0, 0);
			if (busy && pos < end) {
				kRaw[u] = *(const uint4 *)(k + (u64)pos * SIZE + lane * 8);
				vRaw[u] = *(const uint4 *)(v + (u64)pos * SIZE + lane * 8);
			}
		}
		float score[ahead][GROUP];
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			const u16 *x = (const u16 *)&kRaw[u];
#pragma unroll
			for (int g = 0; g < GROUP; g++) score[u][g] = 0;
#pragma unroll
			for (int e = 0; e < 8; e++) {
				float key = up(x[e]);
#pragma unroll
				for (int g = 0; g < GROUP; g++) score[u][g] += query[g][e] * key;
			}
		}
#pragma unroll
		for (int step = lanes / 2; step > 0; step /= 2)
#pragma unroll
			for (int u = 0; u < ahead; u++)
#pragma unroll
				for (int g = 0; g < GROUP; g++) score[u][g] += __shfl_xor_sync(0xffffffffu, score[u][g], step);
#pragma unroll
		for (int g = 0; g < GROUP; g++) {
			float high = m[g];
#pragma unroll
			for (int u = 0; u < ahead; u++) {
				if (at + u * keys + team >= end) score[u][g] = nothing;
				high = fmaxf(high, score[u][g]);
			}
			float keep = power(m[g] - high);
			m[g] = high;
			l[g] *= keep;
#pragma unroll
			for (int e = 0; e < 8; e++) sum[g][e] *= keep;
#pragma unroll
			for (int u = 0; u < ahead; u++) {
				float w = at + u * keys + team < end ? power(score[u][g] - high) : 0;
				const u16 *x = (const u16 *)&vRaw[u];
				l[g] += w;
#pragma unroll
				for (int e = 0; e < 8; e++) sum[g][e] += w * up(x[e]);
			}
		}
	}

	nextMayCome(); // not sooner: its reading would compete with ours
	if (busy) {
#pragma unroll
		for (int g = 0; g < GROUP; g++) {
#pragma unroll
			for (int e = 0; e < 8; e++) sums[team][g][lane * 8 + e] = sum[g][e];
			if (lane == 0) most[team][g] = m[g], total[team][g] = l[g];
		}
	}
	__syncthreads();
	u64 head0 = (u64)token * p.heads + keyHead * group + first;
	for (int i = tid; i < here * SIZE; i += blockDim.x) {
		int g = i / SIZE, d = i % SIZE;
		float high = nothing, weight = 0, value = 0;
#pragma unroll
		for (int t = 0; t < keys; t++) high = fmaxf(high, most[t][g]);
#pragma unroll
		for (int t = 0; t < keys; t++) {
			float w = power(most[t][g] - high);
			weight += w * total[t][g];
			value += w * sums[t][g][d];
		}
		if (p.splits == 1) {
			p.out[(head0 + g) * SIZE + d] = down(value / weight);
		} else {
			float *to = p.partial + ((head0 + g) * p.splits + split) * (SIZE + 2);
			to[d] = value;
			if (d == 0) to[SIZE] = high, to[SIZE + 1] = weight;
		}
	}
	if (p.splits == 1) return;
	__threadfence();
	__syncthreads();
	if (tid == 0) last = atomicInc(&p.counters[token * gridDim.x + blockIdx.x], p.splits - 1) == p.splits - 1;
	__syncthreads();
	if (!last) return;
	__threadfence();
	// A warp a head weighs the runs, then every thread sums one element.
	const float *from = p.partial + head0 * p.splits * (SIZE + 2);
	for (int g = tid / 32; g < here; g += warps) {
		int s = tid % 32;
		const float *run = from + (g * p.splits + s) * (SIZE + 2) + SIZE;
		float mine = s < p.splits ? __ldcg(run) : nothing, part = s < p.splits ? __ldcg(run + 1) : 0, high = mine;
#pragma unroll
		for (int step = 16; step > 0; step /= 2) high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, step));
		float w = power(mine - high), weight = w * part;
#pragma unroll
		for (int step = 16; step > 0; step /= 2) weight += __shfl_xor_sync(0xffffffffu, weight, step);
		sums[0][g][s] = w / weight;
	}
	__syncthreads();
	for (int i = tid; i < here * SIZE; i += blockDim.x) {
		int g = i / SIZE, d = i % SIZE;
		float value = 0;
#pragma unroll 16
		for (int s = 0; s < p.splits; s++) value += sums[0][g][s] * __ldcg(from + (g * p.splits + s) * (SIZE + 2) + d);
		p.out[(head0 + g) * SIZE + d] = down(value);
	}
}

extern "C" __global__ void __launch_bounds__(128) decode1(const Params p) { decode<1>(p); }
extern "C" __global__ void __launch_bounds__(128) decode2(const Params p) { decode<2>(p); }
extern "C" __global__ void __launch_bounds__(128) decode3(const Params p) { decode<3>(p); }
extern "C" __global__ void __launch_bounds__(128) decode4(const Params p) { decode<4>(p); }

// Keys and values of several new tokens: a block a token.
extern "C" __global__ void __launch_bounds__(128) append(const Params p) {
	int s = blockIdx.x, b = blockIdx.y, past = p.past[b];
	if (!known(p.slots[b]) || past < 0 || past + s >= p.context) return;
	int token = b * p.tokens + s;
	const u16 *newK = p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + p.heads) * SIZE;
	for (int i = threadIdx.x; i < p.keyHeads * SIZE; i += blockDim.x) {
		int h = i / SIZE, d = i % SIZE;
		u64 to = (u64)(past + s) * SIZE + d;
		rows(p, b, 0, h)[to] = down(rotated(p, newK + h * SIZE, token, d));
		rows(p, b, 1, h)[to] = newK[(p.keyHeads + h) * SIZE + d];
	}
}

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

// Several tokens of one sequence, after append: a block takes 64 queries of one
// head, a warp 16 of them, and walks over the keys by 64.
extern "C" __global__ void __launch_bounds__(128) prefill(const Params p) {
	constexpr int pitch = SIZE + 8; // keeps rows apart in the banks
	__shared__ __align__(16) u16 keyTile[64 * pitch], valueTile[64 * pitch];
	int start = (gridDim.x - 1 - blockIdx.x) * 64, head = blockIdx.y, b = blockIdx.z; // the longest first
	int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
	int past = p.past[b];
	if (!known(p.slots[b]) || past < 0 || past + p.tokens > p.context) return;
	int keyHead = head / (p.heads / p.keyHeads);
	const u16 *k = rows(p, b, 0, keyHead), *v = rows(p, b, 1, keyHead);

	for (int i = tid; i < 64 * SIZE; i += 128) {
		int s = start + i / SIZE, d = i % SIZE, token = b * p.tokens + s;
		const u16 *from = p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + head) * SIZE;
		keyTile[i / SIZE * pitch + d] = s < p.tokens ? down(rotated(p, from, token, d) * p.scale) : 0;
	}
	__syncthreads();
	u32 query[SIZE / 16][4];
#pragma unroll
	for (int kk = 0; kk < SIZE / 16; kk++) four(query[kk], shared(&keyTile[(warp * 16 + lane % 16) * pitch + kk * 16 + lane / 16 * 8]));

	float out[SIZE / 8][4] = {}, high[2] = {nothing, nothing}, sum[2] = {};
	int end = min(past + start + 64, past + p.tokens); // keys that any query of the block sees
	int row = past + start + warp * 16 + lane / 4;     // position of this lane's first query
	for (int at = 0; at < end; at += 64) {
		__syncthreads();
		for (int i = tid; i < 64 * SIZE / 8; i += 128) {
			int r = i / (SIZE / 8), d = i % (SIZE / 8) * 8;
			uint4 kRaw = make_uint4(0, 0, 0, 0), vRaw = kRaw;
			if (at + r < end) {
				kRaw = *(const uint4 *)(k + (u64)(at + r) * SIZE + d);
				vRaw = *(const uint4 *)(v + (u64)(at + r) * SIZE + d);
			}
			*(uint4 *)&keyTile[r * pitch + d] = kRaw;
			*(uint4 *)&valueTile[r * pitch + d] = vRaw;
		}
		__syncthreads();
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
#pragma unroll
	for (int half = 0; half < 2; half++) {
		float all = sum[half];
		all += __shfl_xor_sync(0xffffffffu, all, 1);
		all += __shfl_xor_sync(0xffffffffu, all, 2);
		int s = start + warp * 16 + lane / 4 + half * 8;
		if (s >= p.tokens) continue;
		u32 *to = (u32 *)(p.out + ((u64)(b * p.tokens + s) * p.heads + head) * SIZE);
#pragma unroll
		for (int n = 0; n < SIZE / 8; n++) to[n * 4 + lane % 4] = pack(out[n][half * 2] / all, out[n][half * 2 + 1] / all);
	}
}
