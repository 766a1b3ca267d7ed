// One token times a matrix, with what surrounds it in a decoder: the norm before,
// and after it a bias, the gated unit or the sum with the residual stream. A warp
// takes one or two rows; weights are read once, 16 bytes at a time, and those of the
// first step before the token is known. With CODES the weights are codes of eight bits,
// twice as many in a load, and each row's sum is multiplied by its scale.

#include "element.cuh"

extern __shared__ uint4 tokens[]; // the token, [in] in the element type

// token puts the token into shared memory; gamma lies behind it already.
template <bool NORM> __device__ __forceinline__ void token(const Params &p) {
	u16 *to = (u16 *)tokens;
	if (!NORM) {
		for (int i = threadIdx.x; i < p.in / 8; i += blockDim.x) tokens[i] = ((const uint4 *)p.x)[i];
		__syncthreads();
		return;
	}
	__shared__ float parts[4];
	const float4 *x = (const float4 *)p.x, *gamma = (const float4 *)(tokens + p.in / 8);
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

#ifdef CODES
// dot multiplies half of the codes of a load.
__device__ __forceinline__ void dot(float &sum, u32 first, u32 second, const float *x) {
#pragma unroll
	for (int i = 0; i < 4; i++) sum += code(first, i) * x[i] + code(second, i) * x[4 + i];
}
#else
__device__ __forceinline__ void dot(float &sum, uint4 w, const float *x) {
	sum += low(w.x) * x[0] + high(w.x) * x[1] + low(w.y) * x[2] + high(w.y) * x[3];
	sum += low(w.z) * x[4] + high(w.z) * x[5] + low(w.w) * x[6] + high(w.w) * x[7];
}
#endif

// finish writes the results of a task, a pair of rows or one.
template <int ROWS, int KIND> __device__ __forceinline__ void finish(const Params &p, int task, const float *sum) {
	if (KIND == GATED) {
		float gate = rounded(sum[0]), up = rounded(sum[ROWS - 1]);
		((u16 *)p.out)[task] = down(gate / (1 + __expf(-gate)) * up);
		return;
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		int row = task * ROWS + r;
		if (row >= p.rows) return;
		float y = sum[r];
		if (p.bias) y = rounded(y) + low(p.bias[row]);
		if (KIND == PLAIN) ((u16 *)p.out)[row] = down(y);
		if (KIND == ADDED) ((float *)p.out)[row] = p.residual[row] + rounded(y);
		if (KIND == WIDE) ((float *)p.out)[row] = y;
	}
}

// linear takes tasks warp by warp. A large matrix has more of them than warps fit on
// the card; the first weights of the next task then come in before the last ends.
template <int ROWS, bool NORM, int KIND> __device__ __forceinline__ void linear(const Params &p) {
	constexpr int ahead = 32 / wide;
	int lane = threadIdx.x % 32, pieces = p.in / wide, chunks = (pieces + 32 * ahead - 1) / (32 * ahead);
	int tasks = KIND == GATED ? p.rows : (p.rows + ROWS - 1) / ROWS, most = KIND == GATED ? 2 * p.rows : p.rows;
	int task = blockIdx.x * 4 + threadIdx.x / 32, step = gridDim.x * 4;
	uint4 w[ROWS][ahead];
	auto load = [&](int u, int task, int chunk) {
#pragma unroll
		for (int r = 0; r < ROWS; r++) {
			int row = min(KIND == GATED ? task + r * p.rows : task * ROWS + r, most - 1), i = (chunk * ahead + u) * 32 + lane;
			w[r][u] = task < tasks && i < pieces ? stream((const uint4 *)p.weight + (size_t)row * pieces + i) : make_uint4(0, 0, 0, 0);
		}
	};
#pragma unroll
	for (int u = 0; u < ahead; u++) load(u, task, 0);
	if (NORM)
		for (int i = threadIdx.x; i < p.in / 4; i += blockDim.x) ((float4 *)(tokens + p.in / 8))[i] = ((const float4 *)p.gamma)[i];
	waitForLast();
	token<NORM>(p);
	float sum[ROWS] = {};
	for (int chunk = 0; task < tasks;) {
		bool ends = chunk + 1 == chunks;
		int later = ends ? task + step : task, then = ends ? 0 : chunk + 1;
#pragma unroll
		for (int u = 0; u < ahead; u++) {
			int piece = min((chunk * ahead + u) * 32 + lane, pieces - 1);
#pragma unroll
			for (int part = 0; part < wide / 8; part++) {
				uint4 raw = tokens[piece * (wide / 8) + part];
				float x[8] = {low(raw.x), high(raw.x), low(raw.y), high(raw.y), low(raw.z), high(raw.z), low(raw.w), high(raw.w)};
#pragma unroll
#ifdef CODES
				for (int r = 0; r < ROWS; r++) dot(sum[r], part ? w[r][u].z : w[r][u].x, part ? w[r][u].w : w[r][u].y, x);
#else
				for (int r = 0; r < ROWS; r++) dot(sum[r], w[r][u], x);
#endif
			}
			load(u, later, then);
		}
		if (ends) {
			if (later >= tasks) nextMayCome(); // not sooner: its reading would compete with ours
#pragma unroll
			for (int r = 0; r < ROWS; r++) sum[r] = sumOfWarp(sum[r]);
#ifdef CODES
#pragma unroll
			for (int r = 0; r < ROWS; r++) sum[r] *= scaleOf(p, min(KIND == GATED ? task + r * p.rows : task * ROWS + r, most - 1));
#endif
			if (lane == 0) finish<ROWS, KIND>(p, task, sum);
#pragma unroll
			for (int r = 0; r < ROWS; r++) sum[r] = 0;
		}
		task = later, chunk = then;
	}
	nextMayCome();
}

#define KERNEL(name, ...) extern "C" __global__ void __launch_bounds__(128, 8) name(const Params p) { linear<__VA_ARGS__>(p); }
KERNEL(norm_plain1, 1, true, PLAIN)
KERNEL(norm_plain2, 2, true, PLAIN)
KERNEL(plain1, 1, false, PLAIN)
KERNEL(plain2, 2, false, PLAIN)
KERNEL(added1, 1, false, ADDED)
KERNEL(added2, 2, false, ADDED)
KERNEL(norm_gated, 2, true, GATED)
KERNEL(norm_wide1, 1, true, WIDE)
KERNEL(norm_wide2, 2, true, WIDE)
