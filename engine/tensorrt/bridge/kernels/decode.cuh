// Attention of single tokens, and putting new ones into the cache.

#include "attention.cuh"

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
	// A warp a head weighs the runs, then every thread sums one element. Where there are
	// registers, what is summed comes in meanwhile.
	const float *from = p.partial + head0 * p.splits * (SIZE + 2);
	constexpr int items = (GROUP * SIZE + 127) / 128;
	constexpr bool held = items <= 2;
	float values[held ? items : 1][32];
	if (held) {
#pragma unroll
		for (int n = 0; n < items; n++) {
			int i = tid + n * 128, g = i / SIZE, d = i % SIZE;
#pragma unroll
			for (int s = 0; s < 32; s++) values[n][s] = i < here * SIZE && s < p.splits ? __ldcg(from + (g * p.splits + s) * (SIZE + 2) + d) : 0;
		}
	}
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
	if (held) {
#pragma unroll
		for (int n = 0; n < items; n++) {
			int i = tid + n * 128, g = i / SIZE, d = i % SIZE;
			if (i >= here * SIZE) break;
			float value = 0;
#pragma unroll
			for (int s = 0; s < 32; s++) value += sums[0][g][s] * values[n][s];
			p.out[(head0 + g) * SIZE + d] = down(value);
		}
		return;
	}
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
	int s = blockIdx.x, b = blockIdx.y, past = p.past[b];
	bool valid = known(p.slots[b]) && past >= 0 && past + s < p.context;
	waitForLast();
	if (!valid) return;
	int token = b * p.tokens + s;
	const u16 *newK = p.qkv + ((u64)token * (p.heads + 2 * p.keyHeads) + p.heads) * SIZE;
	for (int i = threadIdx.x; i < p.keyHeads * SIZE; i += blockDim.x) {
		int h = i / SIZE, d = i % SIZE;
		u64 to = (u64)(past + s) * SIZE + d;
		rows(p, b, 0, h)[to] = down(rotated(p, newK + h * SIZE, token, d));
		rows(p, b, 1, h)[to] = newK[(p.keyHeads + h) * SIZE + d];
	}
}
