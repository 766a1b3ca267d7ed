// The part of the CUDA driver that the bridge calls, opened at run time. Types
// and numbers are those of the driver's documented interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct CUstream_st; // TensorRT's headers name it too

namespace cuda {

using Result = int;
using Device = int;
using Context = struct CUctx_st *;
using Stream = struct CUstream_st *;
using Event = struct CUevent_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using Graph = struct CUgraph_st *;
using Executable = struct CUgraphExec_st *;
using Pointer = unsigned long long;

struct Uuid { char bytes[16]; };

// Copy2D is the driver's CUDA_MEMCPY2D.
struct Copy2D {
	size_t srcX, srcY;
	unsigned srcType;
	void const *srcHost;
	Pointer srcDevice;
	void *srcArray;
	size_t srcPitch;
	size_t dstX, dstY;
	unsigned dstType;
	void *dstHost;
	Pointer dstDevice;
	void *dstArray;
	size_t dstPitch;
	size_t width, height;
};

// Attribute and Config are the driver's CUlaunchAttribute and CUlaunchConfig.
struct Attribute {
	int id;
	char pad[8 - sizeof(int)];
	union { char room[64]; int allowed; } value;
};

struct Config {
	unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
	Stream stream;
	Attribute *attributes;
	unsigned count;
};

constexpr int overlapAttribute = 6;        // a kernel may start before the one before it ends
constexpr unsigned onDevice = 2;           // of Copy2D
constexpr unsigned nonBlocking = 1;        // of streams
constexpr unsigned threadLocal = 1;        // of captures
constexpr int majorAttribute = 75, minorAttribute = 76, processorsAttribute = 16;

#define FT_DRIVER(X)                                                                                                   \
	X(Init, "cuInit", unsigned)                                                                                        \
	X(DriverGetVersion, "cuDriverGetVersion", int *)                                                                   \
	X(DeviceGetCount, "cuDeviceGetCount", int *)                                                                       \
	X(DeviceGet, "cuDeviceGet", Device *, int)                                                                         \
	X(DeviceGetName, "cuDeviceGetName", char *, int, Device)                                                           \
	X(DeviceGetUuid, "cuDeviceGetUuid", Uuid *, Device)                                                                \
	X(DeviceGetAttribute, "cuDeviceGetAttribute", int *, int, Device)                                                  \
	X(DeviceTotalMem, "cuDeviceTotalMem_v2", size_t *, Device)                                                         \
	X(PrimaryRetain, "cuDevicePrimaryCtxRetain", Context *, Device)                                                    \
	X(PrimaryRelease, "cuDevicePrimaryCtxRelease_v2", Device)                                                          \
	X(SetCurrent, "cuCtxSetCurrent", Context)                                                                          \
	X(MemGetInfo, "cuMemGetInfo_v2", size_t *, size_t *)                                                               \
	X(MemAlloc, "cuMemAlloc_v2", Pointer *, size_t)                                                                    \
	X(MemFree, "cuMemFree_v2", Pointer)                                                                                \
	X(HostAlloc, "cuMemHostAlloc", void **, size_t, unsigned)                                                          \
	X(HostFree, "cuMemFreeHost", void *)                                                                               \
	X(MemsetAsync, "cuMemsetD8Async", Pointer, unsigned char, size_t, Stream)                                          \
	X(ToDevice, "cuMemcpyHtoDAsync_v2", Pointer, void const *, size_t, Stream)                                         \
	X(ToHost, "cuMemcpyDtoHAsync_v2", void *, Pointer, size_t, Stream)                                                 \
	X(Copy, "cuMemcpy2DAsync_v2", Copy2D const *, Stream)                                                              \
	X(StreamCreate, "cuStreamCreate", Stream *, unsigned)                                                              \
	X(StreamDestroy, "cuStreamDestroy_v2", Stream)                                                                     \
	X(StreamSynchronize, "cuStreamSynchronize", Stream)                                                                \
	X(BeginCapture, "cuStreamBeginCapture_v2", Stream, unsigned)                                                       \
	X(EndCapture, "cuStreamEndCapture", Stream, Graph *)                                                               \
	X(GraphInstantiate, "cuGraphInstantiateWithFlags", Executable *, Graph, unsigned long long)                        \
	X(GraphLaunch, "cuGraphLaunch", Executable, Stream)                                                                \
	X(GraphDestroy, "cuGraphDestroy", Graph)                                                                           \
	X(ExecutableDestroy, "cuGraphExecDestroy", Executable)                                                             \
	X(GraphNodes, "cuGraphGetNodes", Graph, void *, size_t *)                                                          \
	X(ModuleLoad, "cuModuleLoadData", Module *, void const *)                                                          \
	X(ModuleUnload, "cuModuleUnload", Module)                                                                          \
	X(ModuleFunction, "cuModuleGetFunction", Function *, Module, char const *)                                         \
	X(ModuleGlobal, "cuModuleGetGlobal_v2", Pointer *, size_t *, Module, char const *)                                 \
	X(Launch, "cuLaunchKernelEx", Config const *, Function, void **, void **)                                          \
	X(ErrorName, "cuGetErrorName", Result, char const **)

// Driver is libcuda. It is opened once and stays.
struct Driver {
#define X(name, symbol, ...) Result (*name)(__VA_ARGS__) = nullptr;
	FT_DRIVER(X)
#undef X
	std::string why(char const *what, Result r) const;
};

// driver opens libcuda; NULL and a reason if there is none or it is too old.
Driver const *driver(std::string *why);

// Texts are the PTX of the files of kernels, in one type.
struct Texts { char const *attention, *linear, *few, *best, *linearCodes, *fewCodes; };

// Steps says how the tokens of a step belong together. A graph of a step is made for
// one of them.
enum class Steps { apart, oneRun, runs }; // each of a sequence of its own; all of one sequence; otherwise

// Kernels are the functions of attention.cu, linear.cu and few.cu in one type and, of
// the first, one head size, and that of best.cu.
struct Kernels {
	Module attention = nullptr, products = nullptr, fewProducts = nullptr, bests = nullptr, codedProducts = nullptr, codedFew = nullptr;
	Function linear[4][2][2] = {}; // by kind, without and with a norm, one and two rows
	Function few[2][4][2] = {};    // without and with a norm, for 8, 16, 32 and 64 tokens, 16 and 32 rows
	Function coded[4][2][2] = {};  // linear for weights of codes
	Function fewCoded[4] = {};     // few for them, without a norm and for 16 rows
	Function decode[4] = {}, append = nullptr, prefill = nullptr, span = nullptr, normalise = nullptr, best = nullptr;
	Pointer arena = 0, partial = 0, counters = 0;
	size_t partialSize = 0, countersSize = 0;
	bool overlap = false; // kernels wait for each other themselves
	int processors = 0;
	Steps steps = Steps::apart;
};

// mostFew is how many tokens of a step our own products take.
constexpr int mostFew = 64;

struct Size { unsigned x, y, z; };

// launch queues a kernel; waits says that it waits for the one before it itself.
inline Result launch(Driver const &d, Function f, Size grid, unsigned threads, unsigned shared, bool waits, Stream stream, void *params) {
	Attribute overlap{};
	overlap.id = overlapAttribute;
	overlap.value.allowed = 1;
	Config c{grid.x, grid.y, grid.z, threads, 1, 1, shared, stream, &overlap, waits ? 1u : 0u};
	void *args[] = {params};
	return d.Launch(&c, f, args, nullptr);
}

} // namespace cuda
