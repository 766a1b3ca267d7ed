// A card, and what runs on it.
#pragma once

#include "cuda.hpp"
#include "internal.hpp"

struct ft_device {
	cuda::Driver const *api = nullptr;
	cuda::Device device = 0;
	cuda::Context context = nullptr;
	cuda::Stream stream = nullptr;
	cuda::Kernels kernels;
};

namespace ft {

// The kernels that plugins launch. A process runs models of one type and head
// size at a time.
void useKernels(cuda::Driver const *api, cuda::Kernels const *k);
cuda::Kernels const *kernelsOf();
cuda::Driver const *driverOf();

} // namespace ft

// One execution context with the shapes that it was last given.
struct ft_context {
	std::unique_ptr<nvinfer1::IExecutionContext> trt;
	int batch = 0, tokens = 0;
};

// Control is what a step is told: the same bytes on the host and the device.
struct ft_control {
	char *host = nullptr;
	cuda::Pointer device = 0;
	size_t slots = 0, past = 0, last = 0, ids = 0, pos = 0, bytes = 0; // offsets and size

	template <class T> T *at(size_t offset) { return reinterpret_cast<T *>(host + offset); }
};

struct ft_session {
	ft_library *library = nullptr;
	ft_device *device = nullptr;
	ft_model m{};
	std::unique_ptr<nvinfer1::IRuntime> runtime;
	std::unique_ptr<nvinfer1::ICudaEngine> engine, singleEngine;
	ft_context prefill, decode, single;
	ft_control promptControl, stepControl;
	std::vector<cuda::Executable> graphs; // by number of sequences
	std::vector<bool> warm;
	bool captures = false;
	cuda::Pointer scratch = 0, cache = 0, bias = 0, logits = 0;
	float *hostLogits = nullptr;
	size_t slotBytes = 0;
	int64_t memory = 0;

	~ft_session();
	bool open(ft_bytes plan, ft_bytes one, ft_fault *f);
	bool read(std::unique_ptr<nvinfer1::ICudaEngine> *into, ft_bytes plan, int profiles, ft_fault *f);
	int64_t need() const;
	bool room(cuda::Pointer *p, size_t bytes, ft_fault *f);
	bool control(ft_control *c, int batch, int tokens, ft_fault *f);
	bool context(ft_context *c, nvinfer1::ICudaEngine *of, int profile, ft_control *from, ft_fault *f);
	ft_context *forStep(int n) { return n == 1 && single.trt ? &single : &decode; }
	bool shape(ft_context *c, int batch, int tokens, ft_fault *f);
	bool queue(ft_context *c, ft_control *from, int logitRows, ft_fault *f);
	bool step(int n, ft_fault *f);
	bool capture(int n, ft_fault *f);
	bool wait(ft_fault *f);
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
