// A few tokens times a matrix, each weight read once, with what surrounds the
// product in a decoder. Tensor cores multiply tiles of 16 rows by 8 tokens, the
// weights being the left operand. The warps of a block share its rows and split the
// inner dimension, so that many loads are under way; their sums are joined in a fixed
// order.
//
// A lane loads 16 bytes of a row at a time. A product does not care in which order
// the inner dimension is summed, so these eight numbers serve as the fragments of two
// instructions as they lie, and the eight of a token, taken likewise, match them. With
// CODES the weights are codes of eight bits, which become elements in registers: a load
// then meets two eights of a token. The scales of the rows multiply the sums.

#include "element.cuh"

#ifdef BF16
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

__device__ __forceinline__ void multiply(float *c, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
	asm volatile(MMA " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
				 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
				 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// elements gives eight elements of a load.
__device__ __forceinline__ uint4 elements(const uint4 &w, int part) {
#ifdef CODES
	u32 first = part ? w.z : w.x, second = part ? w.w : w.y;
	return make_uint4(halves(first, 0), halves(first, 2), halves(second, 0), halves(second, 2));
#else
	return w;
#endif
}

extern __shared__ uint4 shared[]; // tokens after their norm, later the sums of the warps

// pitch is the distance of tokens in shared memory, in pieces of eight: lanes of a
// load then meet different banks.
__device__ __forceinline__ int pitch(int pieces) { return pieces + ((12 - pieces % 8) & 7); }

// A token that is normalised here has 1,024 elements at most: widest float4 of a lane.
constexpr int widest = 8;

// gammaAt is where the norm's gamma waits in shared memory, behind the tokens.
__device__ __forceinline__ float4 *gammaAt(const Params &p) { return (float4 *)(shared + p.tokens * pitch(p.in / 8)); }

// normalised puts the tokens into shared memory, a warp a token. With AHEAD, for
// several tokens of a warp, the next one's numbers come in meanwhile.
template <bool AHEAD> __device__ __forceinline__ void normalised(const Params &p) {
	int warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32, quads = p.in / 4;
	const float4 *x = (const float4 *)p.x, *gamma = gammaAt(p);
	float4 now[widest];
	auto load = [&](float4 *to, int token) {
#pragma unroll
		for (int i = 0; i < widest; i++) {
			int at = lane + 32 * i;
			to[i] = token < p.tokens && at < quads ? x[(size_t)token * quads + at] : make_float4(0, 0, 0, 0);
		}
	};
	load(now, warp);
	__syncthreads(); // gamma is there
	for (int token = warp; token < p.tokens; token += warps) {
		float4 next[widest];
		if (AHEAD) load(next, token + warps);
		float sum = 0;
#pragma unroll
		for (int i = 0; i < widest; i++) sum += now[i].x * now[i].x + now[i].y * now[i].y + now[i].z * now[i].z + now[i].w * now[i].w;
		float scale = rsqrtf(sumOfWarp(sum) / p.in + p.eps);
		uint2 *to = (uint2 *)(shared + token * pitch(p.in / 8));
#pragma unroll
		for (int i = 0; i < widest; i++) {
			int at = lane + 32 * i;
			if (at >= quads) break;
			float4 g = gamma[at];
			u32 a = down(now[i].x * scale * g.x), b = down(now[i].y * scale * g.y);
			u32 c = down(now[i].z * scale * g.z), d = down(now[i].w * scale * g.w);
			to[at] = make_uint2(a | b << 16, c | d << 16);
		}
		if (AHEAD) {
#pragma unroll
			for (int i = 0; i < widest; i++) now[i] = next[i];
		} else if (token + warps < p.tokens) {
			load(now, token + warps);
		}
	}
	__syncthreads();
}

// Place is one result of a block. Threads that lie beside each other write rows that do.
struct Place {
	int token, row, part; // part: where a warp's sum of it is
	bool valid;
};

template <int TILES, int ROWS> __device__ __forceinline__ Place place(const Params &p, int e) {
	constexpr int rows2 = ROWS == 2;
	int bits = p.kind == GATED ? 3 : 4, wide = bits + rows2; // powers of two
	int in = e & ((1 << wide) - 1), token = e >> wide, r = in >> bits, row = in & ((1 << bits) - 1), at = (blockIdx.x << wide) + in;
	int part = ((r * TILES + token / 8) * 4 + row / 8 * 2 + token % 2) * 32 + row % 8 * 4 + token % 8 / 2;
	return {token, at, part, token < p.tokens && at < p.rows};
}

// finish turns sums of the products into results.
template <int TILES, int ROWS, int EACH> __device__ __forceinline__ void finish(const Params &p, const float *parts, const float *residual) {
	constexpr int all = ROWS * TILES * 4 * 32;
	int warps = blockDim.x / 32;
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		Place to = place<TILES, ROWS>(p, threadIdx.x + i * blockDim.x);
		if (!to.valid) continue;
		float y = 0, up = 0;
		for (int w = 0; w < warps; w++) y += parts[w * all + to.part];
#ifdef CODES
		y *= scaleOf(p, to.row);
#endif
		size_t at = (size_t)to.token * p.rows + to.row;
		if (p.kind == GATED) {
			for (int w = 0; w < warps; w++) up += parts[w * all + to.part + 64];
#ifdef CODES
			up *= scaleOf(p, to.row + p.rows);
#endif
			y = rounded(y);
			((u16 *)p.out)[at] = down(y / (1 + __expf(-y)) * rounded(up));
			continue;
		}
		if (p.bias) y = rounded(y) + low(p.bias[to.row]);
		if (p.kind == PLAIN) ((u16 *)p.out)[at] = down(y);
		if (p.kind == ADDED) ((float *)p.out)[at] = residual[i] + rounded(y);
		if (p.kind == WIDE) ((float *)p.out)[at] = y;
	}
}

// few takes ROWS tiles of 16 rows in a block, and TILES tiles of 8 tokens. Of a
// gated unit the upper half of a tile are rows of the gate, the lower half those of
// what it lets through.
template <int TILES, int ROWS, bool NORM, int WARPS> __device__ __forceinline__ void few(const Params &p) {
	constexpr int ahead = TILES * ROWS >= 64 / wide ? 2 : 4; // as registers allow
	int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, quarter = lane % 4;
	int pieces = p.in / wide;
	bool gated = p.kind == GATED;
	const uint4 *w[ROWS][2];
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		int first = (blockIdx.x * ROWS + r) * (gated ? 8 : 16) + group, second = gated ? first + p.rows : first + 8;
		int most = gated ? 2 * p.rows : p.rows;
		w[r][0] = (const uint4 *)p.weight + (size_t)min(first, most - 1) * pieces;
		w[r][1] = (const uint4 *)p.weight + (size_t)min(second, most - 1) * pieces;
	}
	uint4 a[ahead][ROWS][2];
	auto load = [&](int u, int at) {
#pragma unroll
		for (int r = 0; r < ROWS; r++)
#pragma unroll
			for (int h = 0; h < 2; h++) a[u][r][h] = at < pieces ? stream(w[r][h] + at) : make_uint4(0, 0, 0, 0);
	};
#pragma unroll
	for (int u = 0; u < ahead; u++) load(u, (warp + warps * u) * 4 + quarter);
	if (NORM)
		for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) gammaAt(p)[i] = ((const float4 *)p.gamma)[i];
	waitForLast();
	constexpr int each = (ROWS * TILES * 16 * 8 + WARPS * 32 - 1) / (WARPS * 32); // results of a thread
	float residual[each];
	if (!NORM)
#pragma unroll
		for (int i = 0; i < each; i++) {
			Place at = place<TILES, ROWS>(p, threadIdx.x + i * blockDim.x);
			residual[i] = p.residual && at.valid ? p.residual[(size_t)at.token * p.rows + at.row] : 0;
		}
	const uint4 *x = (const uint4 *)p.x;
	int eights = p.in / 8, apart = eights;
	if (NORM) {
		normalised<(TILES > 1)>(p);
		x = shared;
		apart = pitch(eights);
	}
	const uint4 *tokens[TILES];
#pragma unroll
	for (int t = 0; t < TILES; t++) tokens[t] = x + (size_t)min(t * 8 + group, p.tokens - 1) * apart;
	float sum[ROWS][TILES][4] = {};
	int steps = (pieces + 3) / 4;
	for (int step = warp; step < steps; step += warps * ahead) {
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int at = (step + warps * u) * 4 + quarter;
#pragma unroll
			for (int part = 0; part < wide / 8; part++) {
			uint4 b[TILES];
#pragma unroll
			for (int t = 0; t < TILES; t++) b[t] = tokens[t][min(at * (wide / 8) + part, eights - 1)]; // times zero beyond the end
#pragma unroll
			for (int t = 0; t < TILES; t++)
#pragma unroll
				for (int r = 0; r < ROWS; r++) {
					const uint4 first = elements(a[u][r][0], part), second = elements(a[u][r][1], part);
					multiply(sum[r][t], first.x, second.x, first.y, second.y, b[t].x, b[t].y);
					multiply(sum[r][t], first.z, second.z, first.w, second.w, b[t].z, b[t].w);
				}
			}
			load(u, at + warps * ahead * 4);
		}
	}
	nextMayCome(); // not sooner: its reading would compete with ours
	if (NORM) __syncthreads(); // all have read the tokens
	float *parts = (float *)shared;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
#pragma unroll
		for (int t = 0; t < TILES; t++)
#pragma unroll
			for (int c = 0; c < 4; c++) parts[(((warp * ROWS + r) * TILES + t) * 4 + c) * 32 + lane] = sum[r][t][c];
	__syncthreads();
	finish<TILES, ROWS, each>(p, parts, residual);
}

// Where 128 registers do, two blocks share a processor.
#define KERNEL(name, warps, blocks, tiles, rows, norm) \
	extern "C" __global__ void __launch_bounds__(warps * 32, blocks) name(const Params p) { few<tiles, rows, norm, warps>(p); }
KERNEL(few_8_1, 8, 2, 1, 1, false)
KERNEL(few_16_1, 8, 2, 2, 1, false)
KERNEL(few_32_1, 8, 2, 4, 1, false)
KERNEL(few_64_1, 8, 1, 8, 1, false)
#ifndef CODES // one tile of rows serves there, and the norm is apart
KERNEL(few_8_2, 8, 2, 1, 2, false)
KERNEL(few_16_2, 8, 2, 2, 2, false)
KERNEL(few_32_2, 8, 2, 4, 2, false)
KERNEL(few_64_2, 4, 2, 8, 2, false)
KERNEL(few_norm_8_1, 8, 2, 1, 1, true)
KERNEL(few_norm_8_2, 8, 1, 1, 2, true)
KERNEL(few_norm_16_1, 8, 1, 2, 1, true)
KERNEL(few_norm_16_2, 8, 1, 2, 2, true)
KERNEL(few_norm_32_1, 8, 1, 4, 1, true)
KERNEL(few_norm_32_2, 8, 1, 4, 2, true)
#endif

#ifndef CODES
// The norm apart, a block a token, for matrices whose blocks would each repeat it.
extern "C" __global__ void __launch_bounds__(256) normalise(const Params p) {
	__shared__ float parts[8];
	waitForLast();
	const float4 *x = (const float4 *)p.x + (size_t)blockIdx.x * (p.in / 4), *gamma = (const float4 *)p.gamma;
	uint2 *to = (uint2 *)p.out + (size_t)blockIdx.x * (p.in / 4);
	float sum = 0;
	for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) {
		float4 v = x[i];
		sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
	}
	nextMayCome();
	sum = sumOfWarp(sum);
	if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
	__syncthreads();
	sum = 0;
	for (int w = 0; w < blockDim.x / 32; w++) sum += parts[w];
	float scale = rsqrtf(sum / p.in + p.eps);
	for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) {
		float4 v = x[i], g = gamma[i];
		u32 a = down(v.x * scale * g.x), b = down(v.y * scale * g.y), c = down(v.z * scale * g.z), d = down(v.w * scale * g.w);
		to[i] = make_uint2(a | b << 16, c | d << 16);
	}
}
#endif
