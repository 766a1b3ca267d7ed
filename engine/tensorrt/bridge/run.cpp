//go:build tensorrt

#include "session.hpp"

#include <algorithm>
#include <chrono>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace nvinfer1;

namespace {

bool within(ft_session *s, int slot, int at, int n, ft_fault *f) {
	if (slot >= 0 && slot < s->m.slots && at >= 0 && n > 0 && at + n <= s->m.context) return true;
	ft::fail(f, std::to_string(n) + " tokens after " + std::to_string(at) + " in slot " + std::to_string(slot) + " do not fit");
	return false;
}

int64_t address(ft_session *s, int slot) { return static_cast<int64_t>(s->cache + s->slotBytes * static_cast<size_t>(slot)); }

// tell writes what a step is told and finds how its tokens belong together. Tokens
// that fill up a step have no slot, and our kernels pass over them.
bool tell(ft_session *s, int n, int32_t const *slots, int32_t const *at, int32_t const *ids, cuda::Steps *how, ft_fault *f) {
	ft_control &c = s->stepControl;
	int joined = 0;
	for (int i = 0; i < s->size(n); i++) {
		bool const real = i < n;
		if (real && !within(s, slots[i], at[i], 1, f)) return false;
		if (real && i > 0 && slots[i] == slots[i - 1]) {
			if (!s->fewEngine || at[i] != at[i - 1] + 1) {
				ft::fail(f, "tokens of slot " + std::to_string(slots[i]) + " do not follow each other");
				return false;
			}
			joined++;
		}
		c.at<int64_t>(c.slots)[i] = real ? address(s, slots[i]) : 0;
		c.at<int32_t>(c.past)[i] = c.at<int32_t>(c.pos)[i] = real ? at[i] : 0;
		c.at<int32_t>(c.ids)[i] = real ? ids[i] : 0;
	}
	*how = joined == 0 ? cuda::Steps::apart : joined == n - 1 ? cuda::Steps::oneRun : cuda::Steps::runs;
	return true;
}

class Times : public IProfiler {
public:
	void reportLayerTime(char const *layer, float ms) noexcept override {
		try {
			lines += std::to_string(ms * 1000) + "\t" + layer + "\n";
		} catch (...) {
		}
	}
	std::string lines;
};

} // namespace

ft_session *ft_session_open(ft_library *l, ft_device *d, ft_bytes plan, ft_bytes few, ft_model m, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, nullptr, {
		ft::Signals signals;
		std::unique_ptr<ft_session> s(new ft_session);
		s->library = l;
		s->device = d;
		s->m = m;
		return s->open(plan, few, f) ? s.release() : nullptr;
	})
}

void ft_session_close(ft_session *s) {
	delete s;
#ifdef __GLIBC__
	malloc_trim(0); // TensorRT frees much in small pieces, which the C library keeps otherwise
#endif
}

int64_t ft_heap(void) {
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
	auto const all = mallinfo2();
	return static_cast<int64_t>(all.uordblks + all.hblkhd);
#else
	return 0;
#endif
}

int64_t ft_session_memory(ft_session const *s) { return s->memory; }
bool ft_session_captured(ft_session const *s) {
	bool all = s->captures;
	for (auto const *contexts : {&s->prompts, &s->steps})
		for (auto const &c : *contexts)
			for (auto const &g : c.second.graphs) all = all && !g.second.refused;
	return all;
}
int32_t ft_session_most(ft_session const *s) { return s->most(); }
bool ft_session_runs(ft_session const *s) { return s->fewEngine != nullptr; }

// What fills a prompt up stands behind its end: nothing that counts attends to it, and
// the next tokens overwrite it.
bool ft_prefill(ft_session *s, int slot, int at, int32_t const *ids, int n, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		if (!within(s, slot, at, n, f)) return false;
		if (n > s->m.chunk) {
			ft::fail(f, "a chunk of " + std::to_string(n) + " tokens; the plan takes " + std::to_string(s->m.chunk));
			return false;
		}
		if (!s->ready(f)) return false;
		int filled = n;
		ft_context *context = s->forPrompt(at, &filled, f);
		if (!context) return false;
		ft_control &c = s->promptControl;
		*c.at<int64_t>(c.slots) = address(s, slot);
		*c.at<int32_t>(c.past) = at;
		*c.at<int32_t>(c.last) = n - 1;
		for (int i = 0; i < filled; i++) {
			c.at<int32_t>(c.ids)[i] = ids[std::min(i, n - 1)];
			c.at<int32_t>(c.pos)[i] = at + i;
		}
		if (context != &s->prompts[0]) return s->run(context, &c, 1, cuda::Steps::oneRun, f);
		s->queued = 1;
		return s->queue(context, &c, 1, f);
	})
}

bool ft_step(ft_session *s, int n, int32_t const *slots, int32_t const *at, int32_t const *ids, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		if (n < 1 || n > s->most()) {
			ft::fail(f, std::to_string(n) + " tokens; a step takes 1 to " + std::to_string(s->most()));
			return false;
		}
		cuda::Steps how = cuda::Steps::apart;
		if (!s->ready(f) || !tell(s, n, slots, at, ids, &how, f)) return false;
		ft_context *context = s->forStep(s->size(n), f);
		return context && s->run(context, &s->stepControl, s->size(n), how, f);
	})
}

bool ft_finish(ft_session *s, ft_best const **best, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		if (!s->ready(f)) return false;
		*best = s->hostBests;
		return true;
	})
}

bool ft_logits(ft_session *s, int row, float **logits, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		auto const &api = *s->device->api;
		if (row < 0 || row >= s->most()) {
			ft::fail(f, "logits of row " + std::to_string(row));
			return false;
		}
		size_t const bytes = static_cast<size_t>(s->m.vocab) * 4;
		if (!s->ready(f) ||
			!s->check("copy from the card", api.ToHost(s->hostLogits, s->logits + bytes * static_cast<size_t>(row), bytes, s->device->stream), f) || !s->wait(f))
			return false;
		*logits = s->hostLogits;
		return true;
	})
}

// The cache of a slot is rows of context positions, one for each layer, kind and
// head; so its beginning is one copy of a rectangle.
bool ft_copy(ft_session *s, int from, int to, int n, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		if (n == 0 || from == to) return true;
		if (!within(s, from, 0, n, f) || !within(s, to, 0, n, f) || !s->check("use card", s->device->api->SetCurrent(s->device->context), f)) return false;
		size_t const position = static_cast<size_t>(s->m.size) * static_cast<size_t>(s->m.element);
		cuda::Copy2D c{};
		c.srcType = c.dstType = cuda::onDevice;
		c.srcDevice = static_cast<cuda::Pointer>(address(s, from));
		c.dstDevice = static_cast<cuda::Pointer>(address(s, to));
		c.srcPitch = c.dstPitch = position * static_cast<size_t>(s->m.context);
		c.width = position * static_cast<size_t>(n);
		c.height = size_t{2} * static_cast<size_t>(s->m.layers) * static_cast<size_t>(s->m.key_heads);
		return s->check("copy sequence", s->device->api->Copy(&c, s->device->stream), f);
	})
}

bool ft_loop(ft_session *s, int slot, int at, int32_t id, int steps, int64_t *nanoseconds, ft_fault *f) {
	using clock = std::chrono::steady_clock;
	for (int i = 0; i < steps; i++) {
		auto start = clock::now();
		ft_best const *best = nullptr;
		int32_t where = at + i, which = slot;
		if (!ft_step(s, 1, &which, &where, &id, f) || !ft_finish(s, &best, f)) return false;
		if (best->count < 1) {
			ft::fail(f, "the logits are not numbers");
			return false;
		}
		id = best->ids[0];
		nanoseconds[i] = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start).count();
	}
	return true;
}

bool ft_layers(ft_session *s, int n, int at, char *buf, size_t size, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		Times times;
		std::vector<int32_t> slots(static_cast<size_t>(n)), where(slots.size(), at), ids(slots.size());
		for (int i = 0; i < n; i++) slots[static_cast<size_t>(i)] = i % s->m.slots;
		ft_control &c = s->stepControl;
		int const wide = s->size(n);
		if (!s->ready(f) || !tell(s, n, slots.data(), where.data(), ids.data(), &s->device->kernels.steps, f)) return false;
		ft_context *step = s->forStep(wide, f);
		if (!step) return false;
		step->trt->setProfiler(&times);
		bool ok = s->queue(step, &c, wide, f) && s->wait(f);
		times.lines.clear();
		ok = ok && s->queue(step, &c, wide, f) && s->wait(f);
		step->trt->setProfiler(nullptr);
		snprintf(buf, size, "%s", times.lines.c_str());
		return ok;
	})
}
