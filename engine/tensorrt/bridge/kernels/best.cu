// The best logits of each row and the sum of exponentials over all, so that only a
// few numbers go to the host. A block takes a row. Each thread finds the greatest of
// its logits; as many of these as are wanted are no better than the worst that is
// wanted. A histogram of them gives a bound, and what lies above is collected and
// put in order. Nothing is approximate: bins fall as logits grow. Among equals the
// lower id is first.

typedef unsigned int u32;
typedef unsigned long long u64;

enum { MOST = 256, BINS = 4096, ROOM = 2048, THREADS = 1024 };

struct Row {
	int count;   // of the best that follow; -1 = read the logits, something is odd
	float high;  // the greatest logit
	double sum;  // of exp(logit - high)
	int ids[MOST];
	float logits[MOST];
};

struct Params {
	const float *logits; // [rows, vocab]
	Row *out;            // [rows]
	int vocab;
};

__device__ __forceinline__ void waitForLast() { asm volatile("//@wait" ::: "memory"); }
__device__ __forceinline__ void nextMayCome() { asm volatile("//@launch" ::: "memory"); }

// ordered maps floats to integers of the same order.
__device__ __forceinline__ u32 ordered(float x) {
	u32 b = __float_as_uint(x);
	return b & 0x80000000u ? ~b : b | 0x80000000u;
}

__device__ __forceinline__ float unordered(u32 b) { return __uint_as_float(b & 0x80000000u ? b & 0x7fffffffu : ~b); }

template <class T, class F> __device__ __forceinline__ T joined(T x, T *parts, F join) {
#pragma unroll
	for (int step = 16; step > 0; step /= 2) x = join(x, __shfl_xor_sync(0xffffffffu, x, step));
	__syncthreads();
	if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
	__syncthreads();
	x = parts[threadIdx.x % 32];
#pragma unroll
	for (int step = 16; step > 0; step /= 2) x = join(x, __shfl_xor_sync(0xffffffffu, x, step));
	return x;
}

// each calls f for every logit of a thread, several loads under way.
template <class F> __device__ __forceinline__ void each(const float *x, int vocab, F f) {
	if (vocab % 4 != 0) {
		for (int i = threadIdx.x; i < vocab; i += THREADS) f(i, x[i]);
		return;
	}
	const float4 *quads = (const float4 *)x;
#pragma unroll 12
	for (int i = threadIdx.x; i < vocab / 4; i += THREADS) {
		float4 v = quads[i];
		f(4 * i, v.x), f(4 * i + 1, v.y), f(4 * i + 2, v.z), f(4 * i + 3, v.w);
	}
}

// last gives the bin at which the count from the top reaches the number wanted.
__device__ __forceinline__ int last(const u32 *bins, u32 wanted, u32 *sums, int *found) {
	constexpr int share = BINS / THREADS;
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	u32 mine[share], all = 0;
#pragma unroll
	for (int i = 0; i < share; i++) all += mine[i] = bins[threadIdx.x * share + i];
	u32 upTo = all;
#pragma unroll
	for (int step = 1; step < 32; step *= 2) {
		u32 other = __shfl_up_sync(0xffffffffu, upTo, step);
		if (lane >= step) upTo += other;
	}
	if (lane == 31) sums[warp] = upTo;
	__syncthreads();
	u32 before = upTo - all + __reduce_add_sync(0xffffffffu, lane < warp ? sums[lane] : 0u);
#pragma unroll
	for (int i = 0; i < share; i++) {
		if (before < wanted && before + mine[i] >= wanted) *found = threadIdx.x * share + i;
		before += mine[i];
	}
	__syncthreads();
	return *found;
}

extern "C" __global__ void __launch_bounds__(THREADS) best(const Params p) {
	__shared__ u64 kept[ROOM]; // the histogram before
	__shared__ union { float f[32]; double d[32]; u32 u[32]; } parts;
	__shared__ int count, found;
	u32 *bins = (u32 *)kept;
	waitForLast();
	const float *x = p.logits + (size_t)blockIdx.x * p.vocab;
	Row *row = p.out + blockIdx.x;
	float mine = -3.4e38f;
	int odd = 0;
	each(x, p.vocab, [&](int, float v) {
		mine = fmaxf(mine, v);
		odd |= !(fabsf(v) < 1e30f);
	});
	for (int i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
	if (threadIdx.x == 0) count = 0, found = BINS;
	bool some = threadIdx.x < p.vocab; // has logits at all
	float high = joined(mine, parts.f, [](float a, float b) { return fmaxf(a, b); });
	float low = joined(some ? mine : high, parts.f, [](float a, float b) { return fminf(a, b); });
	odd = __syncthreads_or(odd);
	float scale = high > low ? (BINS - 1) / (high - low) : 0;
	auto bin = [&](float v) { return (int)((high - v) * scale); };
	if (some) atomicAdd(&bins[min(BINS - 1, bin(mine))], 1u);
	__syncthreads();
	// A row shorter than that has too few threads with logits: all are collected.
	int wanted = min((int)MOST, p.vocab);
	bool enough = p.vocab >= 4 * THREADS;
	int end = odd ? 0 : enough ? last(bins, wanted, parts.u, &found) : 0x7fffffff;
	__syncthreads();
	float part = 0;
	if (!odd) each(x, p.vocab, [&](int i, float v) {
		part += __expf(v - high);
		if (bin(v) > end) return;
		int at = atomicAdd(&count, 1);
		if (at < ROOM) kept[at] = (u64)ordered(v) << 32 | (u32)~i;
	});
	nextMayCome();
	double sum = joined((double)part, parts.d, [](double a, double b) { return a + b; });
	__syncthreads();
	if (odd || count > ROOM) {
		if (threadIdx.x == 0) row->count = -1;
		return;
	}
	if (threadIdx.x == 0) row->count = wanted, row->high = high, row->sum = sum;
	// Four threads count how many are better than one.
	int n = count;
	for (int i = threadIdx.x / 4; i < (n + 255) / 256 * 256; i += THREADS / 4) {
		u64 key = i < n ? kept[i] : 0;
		int place = 0;
		for (int k = threadIdx.x % 4; k < n; k += 4) place += kept[k] > key;
		place += __shfl_xor_sync(0xffffffffu, place, 1);
		place += __shfl_xor_sync(0xffffffffu, place, 2);
		if (threadIdx.x % 4 != 0 || i >= n || place >= wanted) continue;
		row->ids[place] = (int)~(u32)key;
		row->logits[place] = unordered((u32)(key >> 32));
	}
}
