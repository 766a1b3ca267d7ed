//go:build tensorrt

#include "launch.hpp"

#include <algorithm>

namespace ft {

namespace {

// ProductParams is the parameter of linear.cu and few.cu, field by field; scales only of
// their variants for codes, which the others, being shorter, do not see.
struct ProductParams {
	void const *x, *weight, *gamma, *bias, *residual;
	void *out;
	int32_t in, rows;
	float eps;
	int32_t tokens, kind;
	void const *scales;
};

// AttentionParams is that of attention.cu.
struct AttentionParams {
	void const *qkv, *cos, *sin, *past, *slots;
	void *out;
	cuda::Pointer partial, counters;
	int32_t heads, keyHeads, rotary, layer, context, tokens, splits, append;
	float scale;
};

struct BestParams {
	cuda::Pointer logits, out;
	int32_t vocab;
};

bool large(ft_linear const &l) { return int64_t{l.rows} * l.in > (int64_t{4} << 20); }

// within says whether each block normalises the tokens itself: a small matrix has few
// blocks, and another kernel would cost more than that.
bool within(ft_linear const &l, int tokens) { return !large(l) && l.in <= 1024 && tokens <= 32 && tokens * l.in <= (20 << 10); }

// together gives a number of blocks that run at once and share the work of a number of
// them most evenly.
unsigned together(unsigned needed, int processors) {
	auto const all = static_cast<unsigned>(std::max(1, processors));
	if (needed <= 8 * all) return needed;
	unsigned best = 8, least = ~0u;
	for (unsigned blocks = 8; blocks >= 4; blocks--) {
		unsigned const load = blocks * ((needed + blocks * all - 1) / (blocks * all));
		if (load < least) best = blocks, least = load;
	}
	return best * all;
}

unsigned parts(int n, int each) { return static_cast<unsigned>((n + each - 1) / each); }

cuda::Result one(cuda::Driver const &api, cuda::Kernels const &k, Product const &p, ProductParams &params, cuda::Stream stream) {
	auto const &l = p.how;
	// Two rows a warp share the token; a small matrix needs the warps more.
	int const wide = l.kind != FT_GATED && large(l);
	auto const &kernels = l.flags & FT_OF_CODES ? k.coded : k.linear;
	return cuda::launch(api, kernels[l.kind][p.gamma != nullptr][wide], {together(parts(l.rows, 4 * (1 + wide)), k.processors), 1, 1}, 128,
		static_cast<unsigned>(l.in) * (p.gamma ? 6 : 2), k.overlap, stream, &params);
}

cuda::Result several(cuda::Driver const &api, cuda::Kernels const &k, Product const &p, ProductParams &params, cuda::Stream stream) {
	auto const &l = p.how;
	bool const codes = l.flags & FT_OF_CODES;
	if (p.gamma && (codes || !within(l, p.tokens))) {
		ProductParams norm = params;
		norm.out = p.scratch;
		if (auto r = cuda::launch(api, k.normalise, {static_cast<unsigned>(p.tokens), 1, 1}, 256, 0, k.overlap, stream, &norm)) return r;
		params.x = p.scratch;
		params.gamma = nullptr;
	}
	int size = 0;
	while ((8 << size) < p.tokens) size++;
	bool const norm = params.gamma, gated = l.kind == FT_GATED;
	// Two tiles of rows share the tokens; of a small gated unit all blocks then run at once.
	int const rows = codes ? 1 : large(l) || (gated && norm && p.tokens > 8) ? 2 : 1, warps = size == 3 && rows == 2 ? 4 : 8;
	auto const pieces = static_cast<unsigned>(l.in / 8), sums = static_cast<unsigned>(warps * rows * (8 << size) * 16 * 4);
	unsigned const tokens = norm ? static_cast<unsigned>(p.tokens) * (pieces + ((12 - pieces % 8) & 7)) * 16 + static_cast<unsigned>(l.in) * 4 : 0;
	return cuda::launch(api, codes ? k.fewCoded[size] : k.few[norm][size][rows - 1], {parts(l.rows, rows * (gated ? 8 : 16)), 1, 1}, static_cast<unsigned>(warps) * 32,
		std::max(sums, tokens), k.overlap, stream, &params);
}

cuda::Result decode(cuda::Driver const &api, cuda::Kernels const &k, AttentionParams &p, int size, unsigned tokens, cuda::Stream stream) {
	int const group = p.heads / p.keyHeads, wide = std::min(group, 4), split = (group + wide - 1) / wide;
	unsigned const across = static_cast<unsigned>(p.keyHeads * split);
	// Two blocks a processor hide the wait for memory, four where it is read most.
	p.splits = static_cast<int32_t>(std::clamp((tokens > 8 ? 528u : 264u) / std::max(1u, across * tokens), 1u, 32u));
	size_t const partial = size_t{tokens} * static_cast<size_t>(p.heads * p.splits) * static_cast<size_t>(size + 2) * 4;
	if (partial > k.partialSize || size_t{tokens} * across * 4 > k.countersSize) return 1;
	return cuda::launch(api, k.decode[wide - 1], {across, static_cast<unsigned>(p.splits), tokens}, 128, 0, k.overlap, stream, &p);
}

// span attends for tokens of one sequence; the blocks of a head share its keys.
cuda::Result span(cuda::Driver const &api, cuda::Kernels const &k, AttentionParams &p, int size, unsigned tokens, cuda::Stream stream) {
	auto const heads = static_cast<unsigned>(p.heads);
	p.tokens = static_cast<int32_t>(tokens);
	p.splits = static_cast<int32_t>(std::clamp(132u / heads, 1u, 16u));
	if (size_t{heads} * static_cast<size_t>(p.splits) * 64 * static_cast<size_t>(size + 2) * 4 > k.partialSize || size_t{heads} * 4 > k.countersSize) return 1;
	return cuda::launch(api, k.span, {static_cast<unsigned>(p.splits), heads, 1}, 128, 0, k.overlap, stream, &p);
}

} // namespace

size_t scratchOf(ft_linear const &how, int64_t tokens) {
	return tokens < 2 ? 0 : static_cast<size_t>(tokens * how.in) * 2;
}

cuda::Result multiply(cuda::Driver const &api, cuda::Kernels const &k, Product const &p, cuda::Stream stream) {
	if (p.tokens < 1 || p.tokens > cuda::mostFew) return 1;
	ProductParams params{p.x, p.weight, p.gamma, p.bias, p.residual, p.out, p.how.in, p.how.rows, p.how.eps, p.tokens, p.how.kind, p.scales};
	return p.tokens == 1 ? one(api, k, p, params, stream) : several(api, k, p, params, stream);
}

cuda::Result attend(cuda::Driver const &api, cuda::Kernels const &k, Attend const &a, cuda::Stream stream) {
	auto const &how = a.how;
	auto const heads = static_cast<unsigned>(how.heads);
	AttentionParams p{a.qkv, a.cos, a.sin, a.past, a.slots, a.out, k.partial, k.counters, how.heads, how.key_heads, how.rotary, how.layer, how.context,
		static_cast<int32_t>(a.tokens), 1, 0, how.scale * 1.4426950408889634f};
	p.append = a.tokens == 1 && (a.batch == 1 || k.steps == cuda::Steps::apart);
	if (p.append) return decode(api, k, p, how.size, a.batch, stream);
	if (a.tokens == 1 && k.steps == cuda::Steps::oneRun && a.batch <= 64) return span(api, k, p, how.size, a.batch, stream);
	if (auto r = cuda::launch(api, k.append, {a.tokens, a.batch, 1}, 128, 0, a.tokens == 1 && k.overlap, stream, &p)) return r;
	// A few tokens leave most processors idle in the kernel for many.
	if (a.tokens <= 64) return decode(api, k, p, how.size, a.batch * a.tokens, stream);
	return cuda::launch(api, k.prefill, {(a.tokens + 63) / 64, heads, a.batch}, 128, 0, false, stream, &p);
}

cuda::Result best(cuda::Driver const &api, cuda::Kernels const &k, cuda::Pointer logits, cuda::Pointer out, int rows, int vocab, cuda::Stream stream) {
	BestParams p{logits, out, vocab};
	return cuda::launch(api, k.best, {static_cast<unsigned>(rows), 1, 1}, 1024, 0, k.overlap, stream, &p);
}

} // namespace ft
