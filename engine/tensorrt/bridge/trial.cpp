//go:build tensorrt && device

// Calls of single kernels for tests and timing on a card.

#include "launch.hpp"
#include "session.hpp"
#include "trial.h"

#include <chrono>

namespace {

// Room is memory on the card that goes when the trial ends.
struct Room {
	ft_device *d;
	std::vector<cuda::Pointer> all;
	cuda::Result r = 0;

	explicit Room(ft_device *d) : d(d) { r = d->api->SetCurrent(d->context); }
	~Room() {
		d->api->StreamSynchronize(d->stream);
		for (auto p : all) d->api->MemFree(p);
	}
	cuda::Pointer take(size_t size) {
		cuda::Pointer p = 0;
		if (r == 0) r = d->api->MemAlloc(&p, size + 256);
		if (r == 0) all.push_back(p);
		if (r == 0) r = d->api->MemsetAsync(p, 0xff, size + 256, d->stream); // NaN: what is read unset shows
		return p;
	}
	void *with(ft_bytes b) {
		if (b.size == 0) return nullptr;
		cuda::Pointer p = take(b.size);
		if (r == 0) r = d->api->ToDevice(p, b.data, b.size, d->stream);
		return reinterpret_cast<void *>(p);
	}
	void back(ft_bytes b, void const *from) {
		if (r == 0) r = d->api->ToHost(const_cast<void *>(b.data), reinterpret_cast<cuda::Pointer>(from), b.size, d->stream);
		if (r == 0) r = d->api->StreamSynchronize(d->stream);
	}
};

// timed captures calls and gives the microseconds of one.
template <class F> cuda::Result timed(ft_device *d, int calls, int repeats, double *us, F call) {
	if (repeats == 0) return 0;
	auto const &api = *d->api;
	cuda::Graph graph = nullptr;
	cuda::Executable run = nullptr;
	cuda::Result r = api.BeginCapture(d->stream, cuda::threadLocal);
	for (int i = 0; i < calls && r == 0; i++) r = call(i);
	if (auto e = api.EndCapture(d->stream, &graph); r == 0) r = e;
	if (r == 0) r = api.GraphInstantiate(&run, graph, 0);
	for (int i = 0; i < 2 && r == 0; i++) r = api.GraphLaunch(run, d->stream);
	if (r == 0) r = api.StreamSynchronize(d->stream);
	auto start = std::chrono::steady_clock::now();
	for (int i = 0; i < repeats && r == 0; i++) r = api.GraphLaunch(run, d->stream);
	if (r == 0) r = api.StreamSynchronize(d->stream);
	*us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / repeats / calls;
	if (run) api.ExecutableDestroy(run);
	if (graph) api.GraphDestroy(graph);
	return r;
}

bool ended(ft_device *d, char const *what, cuda::Result r, ft_fault *f) {
	if (r != 0) ft::fail(f, d->api->why(what, r));
	return r == 0;
}

} // namespace

bool ft_try_product(ft_device *d, ft_linear how, int tokens, ft_product_trial t, int repeats, double *us, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		Room room(d);
		// Copies of the weights that do not fit into the cache of the card together.
		int const copies = repeats ? static_cast<int>(std::max<size_t>(8, (size_t{256} << 20) / t.weight.size)) : 1;
		cuda::Pointer weights = room.take(t.weight.size * static_cast<size_t>(copies));
		for (int i = 0; i < copies && room.r == 0; i++)
			room.r = d->api->ToDevice(weights + t.weight.size * static_cast<size_t>(i), t.weight.data, t.weight.size, d->stream);
		ft::Product p{how, room.with(t.x), nullptr, room.with(t.scales), room.with(t.gamma), room.with(t.bias), room.with(t.residual), reinterpret_cast<void *>(room.take(t.out.size)), tokens,
			reinterpret_cast<void *>(room.take(ft::scratchOf(how, tokens)))};
		auto call = [&](int i) {
			p.weight = reinterpret_cast<void *>(weights + t.weight.size * static_cast<size_t>(i));
			return ft::multiply(*d->api, d->kernels, p, d->stream);
		};
		if (room.r == 0) room.r = call(0);
		room.back(t.out, p.out);
		if (room.r == 0) room.r = timed(d, copies, repeats, us, call);
		return ended(d, "product", room.r, f);
	})
}

bool ft_try_attention(ft_device *d, ft_attention how, ft_attention_trial t, int repeats, double *us, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		Room room(d);
		auto const cache = reinterpret_cast<cuda::Pointer>(room.with(t.cache));
		cuda::Pointer const arena[2] = {cache, cache + t.cache.size};
		if (room.r == 0) room.r = d->api->ToDevice(d->kernels.arena, arena, sizeof arena, d->stream);
		std::vector<int64_t> slots;
		for (size_t i = 0; i < t.slots.size / 4; i++) {
			int const slot = static_cast<int32_t const *>(t.slots.data)[i];
			slots.push_back(slot < 0 ? 0 : static_cast<int64_t>(cache + t.cache.size / static_cast<size_t>(t.sequences) * static_cast<size_t>(slot)));
		}
		ft::Attend a{how, room.with(t.qkv), room.with(t.cos), room.with(t.sin), room.with(t.past), room.with({slots.data(), slots.size() * 8}),
			reinterpret_cast<void *>(room.take(t.out.size)), t.batch, t.tokens};
		d->kernels.steps = static_cast<cuda::Steps>(t.steps);
		auto call = [&](int) { return ft::attend(*d->api, d->kernels, a, d->stream); };
		if (room.r == 0) room.r = call(0);
		room.back(t.out, a.out);
		room.back(t.cache, reinterpret_cast<void *>(cache));
		if (room.r == 0) room.r = timed(d, 30, repeats, us, call);
		return ended(d, "attention", room.r, f);
	})
}

bool ft_try_best(ft_device *d, ft_bytes logits, int rows, int vocab, ft_best *out, int repeats, double *us, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		Room room(d);
		auto const from = reinterpret_cast<cuda::Pointer>(room.with(logits));
		ft_bytes to{out, static_cast<size_t>(rows) * sizeof(ft_best)};
		auto const result = room.take(to.size);
		auto call = [&](int) { return ft::best(*d->api, d->kernels, from, result, rows, vocab, d->stream); };
		if (room.r == 0) room.r = call(0);
		room.back(to, reinterpret_cast<void *>(result));
		if (room.r == 0) room.r = timed(d, 10, repeats, us, call);
		return ended(d, "best", room.r, f);
	})
}
