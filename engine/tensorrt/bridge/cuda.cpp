//go:build tensorrt

#include "cuda.hpp"
#include "internal.hpp"
#include "session.hpp"

#include <cstdlib>
#include <dlfcn.h>

namespace cuda {

std::string Driver::why(char const *what, Result r) const {
	char const *name = nullptr;
	if (ErrorName) ErrorName(r, &name);
	return std::string(what) + ": " + (name ? name : "CUDA error " + std::to_string(r));
}

Driver const *driver(std::string *why) {
	static std::mutex mu;
	static Driver d;
	static bool ready = false;
	std::lock_guard<std::mutex> hold(mu);
	if (ready) return &d;
	ft::Signals signals;
	setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0); // as other tools number cards
	void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		char const *said = dlerror();
		*why = std::string("no CUDA driver: ") + (said ? said : "libcuda.so.1 cannot be opened");
		return nullptr;
	}
#define X(name, symbol, ...)                                                                                           \
	d.name = reinterpret_cast<decltype(d.name)>(dlsym(handle, symbol));                                                \
	if (!d.name) {                                                                                                     \
		*why = "the CUDA driver is too old: it has no " symbol;                                                        \
		return nullptr;                                                                                                \
	}
	FT_DRIVER(X)
#undef X
	if (Result r = d.Init(0)) {
		*why = d.why("the CUDA driver does not start", r);
		return nullptr;
	}
	ready = true;
	return &d;
}

} // namespace cuda

bool ft_driver(ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		std::string why;
		if (cuda::driver(&why)) return true;
		ft::fail(f, why);
		return false;
	})
}

int ft_cards(ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, -1, {
		std::string why;
		auto const *d = cuda::driver(&why);
		int n = -1;
		if (!d)
			ft::fail(f, why);
		else if (auto r = d->DeviceGetCount(&n))
			ft::fail(f, d->why("count cards", r)), n = -1;
		return n;
	})
}

ft_device *ft_device_open(int ordinal, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, nullptr, {
		std::string why;
		auto const *api = cuda::driver(&why);
		if (!api) {
			ft::fail(f, why);
			return nullptr;
		}
		ft::Signals signals;
		std::unique_ptr<ft_device> d(new ft_device);
		d->api = api;
		cuda::Result r = api->DeviceGet(&d->device, ordinal);
		if (r == 0) r = api->PrimaryRetain(&d->context, d->device);
		if (r == 0) r = api->SetCurrent(d->context);
		if (r == 0) r = api->StreamCreate(&d->stream, cuda::nonBlocking);
		if (r != 0) {
			ft::fail(f, api->why("open card", r));
			return nullptr;
		}
		return d.release();
	})
}

void ft_device_close(ft_device *d) {
	if (!d) return;
	d->api->SetCurrent(d->context);
	for (auto p : {d->kernels.partial, d->kernels.counters})
		if (p) d->api->MemFree(p);
	for (auto m : {d->kernels.attention, d->kernels.products, d->kernels.fewProducts, d->kernels.bests, d->kernels.codedProducts, d->kernels.codedFew})
		if (m) d->api->ModuleUnload(m);
	if (d->stream) d->api->StreamDestroy(d->stream);
	d->api->PrimaryRelease(d->device);
	delete d;
}

bool ft_device_card(ft_device *d, ft_card *c, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		auto const &api = *d->api;
		*c = ft_card{};
		cuda::Uuid id{};
		size_t all = 0, unused = 0;
		cuda::Result r = api.SetCurrent(d->context);
		if (r == 0) r = api.DeviceGetName(c->name, sizeof c->name, d->device);
		if (r == 0) r = api.DeviceGetUuid(&id, d->device);
		if (r == 0) r = api.DeviceGetAttribute(&c->major, cuda::majorAttribute, d->device);
		if (r == 0) r = api.DeviceGetAttribute(&c->minor, cuda::minorAttribute, d->device);
		if (r == 0) r = api.DeviceGetAttribute(&c->processors, cuda::processorsAttribute, d->device);
		if (r == 0) r = api.DriverGetVersion(&c->driver);
		if (r == 0) r = api.MemGetInfo(&unused, &all);
		if (r != 0) {
			ft::fail(f, api.why("ask card", r));
			return false;
		}
		c->memory = static_cast<int64_t>(all);
		c->free = static_cast<int64_t>(unused);
		for (int i = 0, at = 0; i < 16; i++) {
			if (i == 4 || i == 6 || i == 8 || i == 10) c->uuid[at++] = '-';
			at += snprintf(c->uuid + at, 3, "%02x", static_cast<unsigned char>(id.bytes[i]));
		}
		return true;
	})
}

// Room for the partial results and counters of any step.
constexpr size_t partialBytes = size_t{64} << 20, counterBytes = size_t{1} << 16;

namespace {

struct Named { char const *name; int kind, norm, rows; };
constexpr Named linear[] = {{"plain1", FT_PLAIN, 0, 0}, {"plain2", FT_PLAIN, 0, 1}, {"norm_plain1", FT_PLAIN, 1, 0}, {"norm_plain2", FT_PLAIN, 1, 1},
	{"added1", FT_ADDED, 0, 0}, {"added2", FT_ADDED, 0, 1}, {"norm_gated", FT_GATED, 1, 0}, {"norm_gated", FT_GATED, 1, 1},
	{"norm_wide1", FT_WIDE, 1, 0}, {"norm_wide2", FT_WIDE, 1, 1}};

char const *const decode[] = {"decode1", "decode2", "decode3", "decode4"};
char const *const few[2][4][2] = {{{"few_8_1", "few_8_2"}, {"few_16_1", "few_16_2"}, {"few_32_1", "few_32_2"}, {"few_64_1", "few_64_2"}},
	{{"few_norm_8_1", "few_norm_8_2"}, {"few_norm_16_1", "few_norm_16_2"}, {"few_norm_32_1", "few_norm_32_2"}}};

cuda::Result load(cuda::Driver const &api, cuda::Kernels &k, cuda::Texts const &t) {
	size_t size = 0;
	cuda::Result r = api.ModuleLoad(&k.attention, t.attention);
	if (r == 0) r = api.ModuleLoad(&k.products, t.linear);
	if (r == 0) r = api.ModuleLoad(&k.fewProducts, t.few);
	if (r == 0) r = api.ModuleLoad(&k.bests, t.best);
	if (r == 0) r = api.ModuleLoad(&k.codedProducts, t.linearCodes);
	if (r == 0) r = api.ModuleLoad(&k.codedFew, t.fewCodes);
	auto find = [&](cuda::Function *f, cuda::Module m, char const *name) {
		if (r == 0) r = api.ModuleFunction(f, m, name);
	};
	for (size_t i = 0; i < 4; i++) find(&k.decode[i], k.attention, decode[i]);
	find(&k.append, k.attention, "append");
	find(&k.prefill, k.attention, "prefill");
	find(&k.span, k.attention, "span");
	if (r == 0) r = api.ModuleGlobal(&k.arena, &size, k.attention, "arena");
	for (auto const &n : linear) {
		find(&k.linear[n.kind][n.norm][n.rows], k.products, n.name);
		find(&k.coded[n.kind][n.norm][n.rows], k.codedProducts, n.name);
	}
	for (size_t i = 0; i < 4; i++) find(&k.fewCoded[i], k.codedFew, few[0][i][0]);
	for (size_t norm = 0; norm < 2; norm++)
		for (size_t i = 0; i < 4; i++)
			for (size_t rows = 0; rows < 2; rows++)
				if (few[norm][i][rows]) find(&k.few[norm][i][rows], k.fewProducts, few[norm][i][rows]);
	find(&k.normalise, k.fewProducts, "normalise");
	find(&k.best, k.bests, "best");
	return r;
}

} // namespace

bool ft_kernels(ft_device *d, ft_texts t, bool overlap, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		auto const &api = *d->api;
		auto &k = d->kernels;
		ft::Signals signals;
		cuda::Result r = api.SetCurrent(d->context);
		if (r == 0) r = load(api, k, {t.attention, t.linear, t.few, t.best, t.linear_codes, t.few_codes});
		if (r == 0) r = api.DeviceGetAttribute(&k.processors, cuda::processorsAttribute, d->device);
		if (r == 0) r = api.MemAlloc(&k.partial, partialBytes);
		if (r == 0) r = api.MemAlloc(&k.counters, counterBytes);
		if (r == 0) r = api.MemsetAsync(k.counters, 0, counterBytes, d->stream);
		if (r == 0) r = api.StreamSynchronize(d->stream);
		if (r != 0) {
			ft::fail(f, api.why("load kernels", r));
			return false;
		}
		k.partialSize = partialBytes;
		k.countersSize = counterBytes;
		k.overlap = overlap;
		return true;
	})
}
