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

// One token, or a few that append has put into the cache. A block takes one token,
// up to GROUP query heads that share a key head, and one run of positions; the last
// block of a head joins the runs.
template <int GROUP> __device__ __forceinline__ void decode(const Params &p) {
	constexpr int lanes = SIZE <= 64 ? 8 : SIZE <= 128 ? 16 : 32; // for one key, 8 elements each
	constexpr int used = SIZE / 8;
	constexpr int warps = 4, teams = 32 / lanes, keys = warps * teams, ahead = 4;
	__shared__ float q[GROUP][SIZE];
	__shared__ uint4 fresh[2][SIZE / 8]; // the key and value of the token itself
	__shared__ float sums[keys][GROUP][SIZE];
	__shared__ float most[keys][GROUP], total[keys][GROUP];
	__shared__ bool last;

	int group = p.heads / p.keyHeads, parts = (group + GROUP - 1) / GROUP;
	int keyHead = blockIdx.x / parts, first = blockIdx.x % parts * GROUP;
	int split = blockIdx.y, token = blockIdx.z, b = token / p.tokens, tid = threadIdx.x;
	// These are the step's own and the cache of steps before: no kernel writes them now,
	// unless append runs first.
	if (!p.append) waitForLast();
	int past = p.past[b] + token % p.tokens;
	if (!known(p.slots[b]) || past < 0 || past >= p.context) {
		waitForLast(); // whoever waits for this kernel waits for those before it
		return;
	}
	int here = min(GROUP, group - first); // query heads of this block
	int share = ((past + p.splits) / p.splits + keys - 1) / keys * keys;
	int begin = split * share, end = min(past + 1, begin + share), stored = p.append ? min(end, past) : end;
	const u16 *row = p.qkv + (u64)token * (p.heads + 2 * p.keyHeads) * SIZE;
	u16 *k = rows(p, b, 0, keyHead), *v = rows(p, b, 1, keyHead);
	int lane = tid % lanes, team = tid / lanes;
	bool busy = lane < used;
	uint4 kRaw[ahead], vRaw[ahead];
	auto load = [&](uint4 *to, const u16 *from, int at) {
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int pos = at + u * keys + team;
			to[u] = busy && pos < stored ? *(const uint4 *)(from + (u64)pos * SIZE + lane * 8) : make_uint4(0, 0, 0, 0);
		}
	};
	load(kRaw, k, begin);
	load(vRaw, v, begin);
	if (p.append) waitForLast();

	for (int i = tid; i < GROUP * SIZE; i += blockDim.x) {
		int g = i / SIZE, d = i % SIZE;
		q[g][d] = g < here ? rotated(p, row + (keyHead * group + first + g) * SIZE, token, d) * p.scale : 0;
	}
	bool owner = p.append && begin <= past && past < end;
	if (owner) {
		const u16 *newK = row + (p.heads + keyHead) * SIZE, *newV = newK + p.keyHeads * SIZE;
		for (int d = tid; d < SIZE; d += blockDim.x) {
			((u16 *)fresh[0])[d] = k[(u64)past * SIZE + d] = down(rotated(p, newK, token, d));
			((u16 *)fresh[1])[d] = v[(u64)past * SIZE + d] = newV[d];
		}
	}
	__syncthreads();

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
		if (owner && busy) {
#pragma unroll
			for (int u = 0; u < ahead; u++)
				if (at + u * keys + team == past) kRaw[u] = fresh[0][lane], vRaw[u] = fresh[1][lane];
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
		load(kRaw, k, at + keys * ahead);
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
		load(vRaw, v, at + keys * ahead);
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

extern "C" __global__ void __launch_bounds__(128, 4) decode1(const Params p) { decode<1>(p); }
extern "C" __global__ void __launch_bounds__(128, 4) decode2(const Params p) { decode<2>(p); }
extern "C" __global__ void __launch_bounds__(128, 4) decode3(const Params p) { decode<3>(p); }
extern "C" __global__ void __launch_bounds__(128, 4) decode4(const Params p) { decode<4>(p); }

// Keys and values of several new tokens: a block a token.
extern "C" __global__ void __launch_bounds__(128) append(const Params p) {
	waitForLast();
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

// real counts the tokens of a step, up to 64; those that only fill it up have no slot.
__device__ __forceinline__ int real(const Params &p) {
	int lane = threadIdx.x % 32;
	u32 low = __ballot_sync(0xffffffffu, lane < p.tokens && known(p.slots[lane]));
	u32 high = __ballot_sync(0xffffffffu, lane + 32 < p.tokens && known(p.slots[lane + 32]));
	return __popc(low) + __popc(high);
}

constexpr int mostRuns = 16; // that the keys of a head are split into

// joinRuns gives the results of a head whose keys several blocks shared: each left
// sums [64, SIZE], then greatest score and weight of each of the 64 queries.
__device__ __forceinline__ void joinRuns(const Params &p, int head, int runs, int tokens, float *weights) {
	constexpr int size = 64 * (SIZE + 2);
	const float *from = p.partial + (u64)head * p.splits * size;
	int tid = threadIdx.x;
	if (tid < tokens) {
		float high = nothing, all = 0;
		float2 run[mostRuns];
#pragma unroll
		for (int r = 0; r < mostRuns; r++) {
			run[r] = r < runs ? __ldcg((const float2 *)(from + r * size + 64 * SIZE) + tid) : make_float2(nothing, 0);
			high = fmaxf(high, run[r].x);
		}
#pragma unroll
		for (int r = 0; r < mostRuns; r++) all += run[r].y * (run[r].x = power(run[r].x - high));
#pragma unroll
		for (int r = 0; r < mostRuns; r++) weights[r * 64 + tid] = run[r].x / all;
	}
	__syncthreads();
#pragma unroll 2
	for (int i = tid; i < tokens * (SIZE / 4); i += 128) {
		int s = i / (SIZE / 4), d = i % (SIZE / 4);
		float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
		for (int r = 0; r < mostRuns; r++) {
			float4 v = r < runs ? __ldcg((const float4 *)(from + r * size) + i) : make_float4(0, 0, 0, 0);
			float w = weights[r * 64 + s];
			sum.x += w * v.x, sum.y += w * v.y, sum.z += w * v.z, sum.w += w * v.w;
		}
		((uint2 *)(p.out + ((u64)s * p.heads + head) * SIZE))[d] = make_uint2(pack(sum.x, sum.y), pack(sum.z, sum.w));
	}
}

// Several tokens of one sequence, after append: a block takes 64 queries of one
// head, a warp 16 of them, and walks over the keys by 64. Of RUNS, which takes one
// sequence and 64 tokens at most, the blocks of a head share the keys, and the last
// one joins what they found.
template <bool RUNS> __device__ __forceinline__ void prefillBlock(const Params &p) {
	constexpr int pitch = SIZE + 8; // keeps rows apart in the banks
	__shared__ __align__(16) u16 keyTile[64 * pitch], valueTile[64 * pitch];
	__shared__ bool last;
	if (RUNS) waitForLast();
	int start = RUNS ? 0 : (gridDim.x - 1 - blockIdx.x) * 64, head = blockIdx.y, b = blockIdx.z; // the longest first
	int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
	int past = p.past[b], tokens = RUNS ? real(p) : p.tokens;
	if (!known(p.slots[b]) || past < 0 || past + tokens > p.context) return;
	int keyHead = head / (p.heads / p.keyHeads);
	const u16 *k = rows(p, b, 0, keyHead), *v = rows(p, b, 1, keyHead);

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
	int end = min(past + start + 64, past + tokens); // keys that any query of the block sees
	int share = RUNS ? ((end + p.splits - 1) / p.splits + 63) / 64 * 64 : end, runs = (end + share - 1) / share;
	int begin = RUNS ? blockIdx.x * share : 0, stop = min(end, begin + share);
	int row = past + start + warp * 16 + lane / 4;     // position of this lane's first query
	for (int at = begin; at < stop; at += 64) {
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
	joinRuns(p, head, runs, tokens, (float *)keyTile);
}

extern "C" __global__ void __launch_bounds__(128) prefill(const Params p) { prefillBlock<false>(p); }
extern "C" __global__ void __launch_bounds__(128) span(const Params p) { prefillBlock<true>(p); }
