// A card, and what runs on it.
#pragma once

#include "cuda.hpp"
#include "internal.hpp"

#include <algorithm>
#include <map>

struct ft_device {
	cuda::Driver const *api = nullptr;
	cuda::Device device = 0;
	cuda::Context context = nullptr;
	cuda::Stream stream = nullptr;
	cuda::Kernels kernels;
};

namespace ft {

// The kernels that plugins launch when this thread queues a network; null while one is
// built. Sessions of a process have each their own.
void useKernels(cuda::Driver const *api, cuda::Kernels const *k);
cuda::Kernels const *kernelsOf();
cuda::Driver const *driverOf();

} // namespace ft


// Control is what a step is told: the same bytes on the host and the device.
struct ft_control {
	char *host = nullptr;
	cuda::Pointer device = 0;
	size_t slots = 0, past = 0, last = 0, ids = 0, pos = 0, bytes = 0; // offsets and size

	template <class T> T *at(size_t offset) { return reinterpret_cast<T *>(host + offset); }
};

// A graph of a step or a prompt, or what is to become one.
struct ft_captured {
	cuda::Executable graph = nullptr;
	bool warm = false, refused = false; // ran once as it is; cannot be captured
};

// One execution context with the dimensions that it was last given, and the graphs of
// what it runs. A graph holds only as long as its context keeps them, and a context
// takes 6 to 10 ms to settle on new ones: so there is one for each.
struct ft_context {
	std::unique_ptr<nvinfer1::IExecutionContext> trt;
	int batch = 0, tokens = 0;
	std::map<cuda::Steps, ft_captured> graphs;
};

struct ft_session {
	ft_library *library = nullptr;
	ft_device *device = nullptr;
	ft_model m{};
	std::unique_ptr<nvinfer1::IRuntime> runtime;
	std::unique_ptr<nvinfer1::ICudaEngine> engine, fewEngine;
	std::map<int, ft_context> prompts, steps; // by tokens; prompts[0] is for any number and has no graphs
	ft_control promptControl, stepControl;
	bool captures = false;
	int queued = 0; // rows of best that finish waits for
	cuda::Pointer scratch = 0, cache = 0, bias = 0, logits = 0, bests = 0;
	float *hostLogits = nullptr;
	ft_best *hostBests = nullptr;
	size_t slotBytes = 0;
	int64_t memory = 0;

	~ft_session();
	bool open(ft_bytes plan, ft_bytes few, ft_fault *f);
	bool buffers(ft_fault *f);
	bool read(std::unique_ptr<nvinfer1::ICudaEngine> *into, ft_bytes plan, int profiles, ft_fault *f);
	int64_t need() const;
	bool room(cuda::Pointer *p, size_t bytes, ft_fault *f);
	bool control(ft_control *c, int batch, int tokens, ft_fault *f);
	bool context(ft_context *c, nvinfer1::ICudaEngine *of, int profile, ft_control *from, ft_fault *f);
	ft_context *forStep(int n, ft_fault *f);
	ft_context *forPrompt(int at, int *n, ft_fault *f);
	int most() const { return fewEngine ? cuda::mostFew : m.batch; } // tokens of a step
	// size is how many tokens a step of n is run for.
	int size(int n) const {
		int k = 1;
		while (k < n) k *= 2;
		return std::min(k, most());
	}
	bool shape(ft_context *c, int batch, int tokens, ft_fault *f);
	bool queue(ft_context *c, ft_control *from, int rows, ft_fault *f);
	bool run(ft_context *c, ft_control *from, int rows, cuda::Steps how, ft_fault *f);
	bool capture(ft_captured *into, ft_context *c, ft_control *from, int rows, ft_fault *f);
	bool wait(ft_fault *f);
	bool ready(ft_fault *f);
	bool check(char const *what, cuda::Result r, ft_fault *f) {
		if (r == 0) return true;
		ft::fail(f, device->api->why(what, r));
		return false;
	}
	bool say(ft_fault *f, std::string const &what) {
		ft::fail(f, library->why(what));
		return false;
	}
};
