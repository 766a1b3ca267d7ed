//go:build tensorrt

#include "network.hpp"

#include <cerrno>

using namespace nvinfer1;

namespace {

// Monitor hands events to the ring. Go polls it: it must not be called from
// threads that it does not know.
class Monitor : public IProgressMonitor {
public:
	explicit Monitor(ft_network *n) : n(n) {}
	void phaseStart(char const *phase, char const *parent, int32_t steps) noexcept override { push(1, steps, phase, parent); }
	bool stepComplete(char const *phase, int32_t step) noexcept override {
		push(2, step, phase, nullptr);
		return !n->cancelled.load();
	}
	void phaseFinish(char const *phase) noexcept override { push(3, 0, phase, nullptr); }

private:
	void push(int kind, int32_t steps, char const *phase, char const *parent) noexcept {
		std::unique_lock<std::mutex> hold(n->ring.mu, std::try_to_lock);
		for (int i = 0; !hold && i < 100; i++) hold.try_lock();
		if (!hold || n->ring.count == ft_ring::size) return;
		ft_event &e = n->ring.events[(n->ring.first + n->ring.count++) % ft_ring::size];
		e.kind = kind;
		e.steps = steps;
		snprintf(e.phase, sizeof e.phase, "%s", phase ? phase : "");
		snprintf(e.parent, sizeof e.parent, "%s", parent ? parent : "");
	}
	ft_network *n;
};

#if defined(TRT_MAJOR_RTX) || NV_TENSORRT_MAJOR >= 11
class Writer : public IStreamWriter {
public:
	explicit Writer(FILE *file) : file(file) {}
	int64_t write(void const *data, int64_t bytes) override { return static_cast<int64_t>(fwrite(data, 1, static_cast<size_t>(bytes), file)); }

private:
	FILE *file;
};

bool write(ft_network *n, FILE *file) {
	Writer writer(file);
	return n->builder->buildSerializedNetworkToStream(*n->network, *n->config, writer);
}
#else
bool write(ft_network *n, FILE *file) { // streams came with TensorRT 11
	std::unique_ptr<IHostMemory> plan(n->builder->buildSerializedNetwork(*n->network, *n->config));
	return plan && fwrite(plan->data(), 1, plan->size(), file) == plan->size();
}
#endif

void keepTiming(ft_network *n, char const *path) {
	ITimingCache const *cache = n->config->getTimingCache();
	std::unique_ptr<IHostMemory> bytes(cache ? cache->serialize() : nullptr);
	FILE *file = bytes ? fopen(path, "wb") : nullptr;
	if (!file) return;
	fwrite(bytes->data(), 1, bytes->size(), file);
	fclose(file);
}

} // namespace

int ft_profile(ft_network *n) {
	if (!n->fault.empty()) return -1;
	IOptimizationProfile *p = n->builder->createOptimizationProfile();
	if (!p) {
		n->fault = n->library->why("no profile could be made");
		return -1;
	}
	n->profiles.push_back(p);
	return static_cast<int>(n->profiles.size()) - 1;
}

void ft_profile_input(ft_network *n, int profile, char const *name, int rank, int64_t const *least, int64_t const *tuned, int64_t const *most) {
	if (!n->fault.empty()) return;
	int64_t const *sizes[] = {least, tuned, most};
	OptProfileSelector const which[] = {OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX};
	for (int i = 0; i < 3; i++) {
		Dims d{};
		d.nbDims = rank;
		std::copy(sizes[i], sizes[i] + rank, d.d);
		if (!n->profiles.at(static_cast<size_t>(profile))->setDimensions(name, which[i], d)) {
			n->fault = n->library->why(std::string("the profile does not take dimensions of ") + name);
			return;
		}
	}
}

bool ft_profile_valid(ft_network *n, int profile) { return n->profiles.at(static_cast<size_t>(profile))->isValid(); }

bool ft_build(ft_network *n, ft_options const *o, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, false, {
		if (!n->fault.empty()) {
			ft::fail(f, n->fault);
			return false;
		}
		ft::Signals signals;
		Monitor monitor(n);
		IBuilderConfig &config = *n->config;
		config.setProgressMonitor(&monitor);
		config.setMaxAuxStreams(0);
		config.setProfilingVerbosity(ProfilingVerbosity::kDETAILED);
		if (o->workspace > 0) config.setMemoryPoolLimit(MemoryPoolType::kWORKSPACE, static_cast<size_t>(o->workspace));
		if (o->level >= 0) config.setBuilderOptimizationLevel(o->level);
		for (auto *p : n->profiles) config.addOptimizationProfile(p);
		std::unique_ptr<ITimingCache> timing(config.createTimingCache(o->timing, o->timing_size));
		if (!timing && o->timing_size > 0) timing.reset(config.createTimingCache(nullptr, 0)); // of another version or card
		if (timing) config.setTimingCache(*timing, false);
		FILE *file = fopen(o->plan, "wb");
		if (!file) {
			ft::fail(f, std::string(o->plan) + ": " + strerror(errno));
			return false;
		}
		bool done = write(n, file);
		done = fflush(file) == 0 && done;
		done = fclose(file) == 0 && done;
		config.setProgressMonitor(nullptr);
		if (!done) {
			ft::fail(f, n->cancelled ? "cancelled" : n->library->why("the builder made no plan"));
			return false;
		}
		if (o->timing_path) keepTiming(n, o->timing_path);
		return true;
	})
}

void ft_cancel(ft_network *n) { n->cancelled = true; }

bool ft_next_event(ft_network *n, ft_event *e) {
	std::lock_guard<std::mutex> hold(n->ring.mu);
	if (n->ring.count == 0) return false;
	*e = n->ring.events[n->ring.first];
	n->ring.first = (n->ring.first + 1) % ft_ring::size;
	n->ring.count--;
	return true;
}
