// One token times a matrix, with what surrounds it in a decoder: the norm before,
// and after it a bias, the gated unit or the sum with the residual stream. A warp
// takes one or two rows; weights are read once, 16 bytes at a time, and those of the
// first step before the token is known.

typedef unsigned short u16;
typedef unsigned int u32;

struct Params {
	const void *x;      // [in]: FP32 with a norm, else the element type
	const u16 *weight;  // [out, in], of a gated unit [2·out, in]
	const float *gamma; // [in] of the norm
	const u16 *bias;    // [out] or null
	const float *residual;
	void *out; // [out]
	int in, rows;
	float eps;
};

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

enum { PLAIN, ADDED, GATED, WIDE }; // what becomes of the product

extern __shared__ uint4 tokens[]; // the token, [in] in the element type

template <bool NORM> __device__ __forceinline__ void token(const Params &p) {
	u16 *to = (u16 *)tokens;
	if (!NORM) {
		for (int i = threadIdx.x; i < p.in / 8; i += blockDim.x) tokens[i] = ((const uint4 *)p.x)[i];
		__syncthreads();
		return;
	}
	__shared__ float parts[4];
	const float4 *x = (const float4 *)p.x, *gamma = (const float4 *)p.gamma;
	float sum = 0;
	for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) {
		float4 v = x[i];
		sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
	}
	sum = sumOfWarp(sum);
	if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
	__syncthreads();
	float scale = rsqrtf((parts[0] + parts[1] + parts[2] + parts[3]) / p.in + p.eps);
	for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) {
		float4 v = x[i], g = gamma[i];
		to[4 * i] = down(v.x * scale * g.x);
		to[4 * i + 1] = down(v.y * scale * g.y);
		to[4 * i + 2] = down(v.z * scale * g.z);
		to[4 * i + 3] = down(v.w * scale * g.w);
	}
	__syncthreads();
}

__device__ __forceinline__ void dot(float &sum, uint4 w, const float *x) {
	sum += low(w.x) * x[0] + high(w.x) * x[1] + low(w.y) * x[2] + high(w.y) * x[3];
	sum += low(w.z) * x[4] + high(w.z) * x[5] + low(w.w) * x[6] + high(w.w) * x[7];
}

template <int ROWS, bool NORM, int KIND> __device__ __forceinline__ void linear(const Params &p) {
	constexpr int ahead = 4;
	int warp = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32, pieces = p.in / 8;
	const uint4 *w[ROWS];
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		int row = KIND == GATED ? warp + r * p.rows : warp * ROWS + r;
		int most = KIND == GATED ? 2 * p.rows : p.rows;
		w[r] = (const uint4 *)p.weight + (size_t)min(row, most - 1) * pieces;
	}
	uint4 now[ROWS][ahead];
#pragma unroll
	for (int u = 0; u < ahead; u++)
#pragma unroll
		for (int r = 0; r < ROWS; r++) now[r][u] = lane + 32 * u < pieces ? stream(w[r] + lane + 32 * u) : make_uint4(0, 0, 0, 0);
	waitForLast();
	token<NORM>(p);
	float sum[ROWS] = {};
	for (int at = 0; at < pieces; at += 32 * ahead) {
		uint4 next[ROWS][ahead];
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int i = at + 32 * (ahead + u) + lane;
#pragma unroll
			for (int r = 0; r < ROWS; r++) next[r][u] = i < pieces ? stream(w[r] + i) : make_uint4(0, 0, 0, 0);
		}
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int i = at + 32 * u + lane;
			uint4 raw = tokens[min(i, pieces - 1)];
			float x[8] = {low(raw.x), high(raw.x), low(raw.y), high(raw.y), low(raw.z), high(raw.z), low(raw.w), high(raw.w)};
#pragma unroll
			for (int r = 0; r < ROWS; r++) dot(sum[r], now[r][u], x);
		}
#pragma unroll
		for (int u = 0; u < ahead; u++)
#pragma unroll
			for (int r = 0; r < ROWS; r++) now[r][u] = next[r][u];
	}
	nextMayCome(); // not sooner: its reading would compete with ours
#pragma unroll
	for (int r = 0; r < ROWS; r++) sum[r] = sumOfWarp(sum[r]);
	if (lane != 0) return;
	if (KIND == GATED) {
		if (warp >= p.rows) return;
		float gate = rounded(sum[0]), up = rounded(sum[ROWS - 1]);
		((u16 *)p.out)[warp] = down(gate / (1 + __expf(-gate)) * up);
		return;
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		int row = warp * ROWS + r;
		if (row >= p.rows) return;
		float y = sum[r];
		if (p.bias) y = rounded(y) + low(p.bias[row]);
		if (KIND == PLAIN) ((u16 *)p.out)[row] = down(y);
		if (KIND == ADDED) ((float *)p.out)[row] = p.residual[row] + rounded(y);
		if (KIND == WIDE) ((float *)p.out)[row] = y;
	}
}

#define KERNEL(name, ...) extern "C" __global__ void __launch_bounds__(128) name(const Params p) { linear<__VA_ARGS__>(p); }
KERNEL(norm_plain1, 1, true, PLAIN)
KERNEL(norm_plain2, 2, true, PLAIN)
KERNEL(plain1, 1, false, PLAIN)
KERNEL(plain2, 2, false, PLAIN)
KERNEL(added1, 1, false, ADDED)
KERNEL(added2, 2, false, ADDED)
KERNEL(norm_gated, 2, true, GATED)
KERNEL(norm_wide1, 1, true, WIDE)
KERNEL(norm_wide2, 2, true, WIDE)
