//go:build tensorrt

#include "launch.hpp"
#include "session.hpp"

using namespace nvinfer1;

namespace {

size_t rounded(size_t n) { return (n + 255) / 256 * 256; }

Dims shaped(std::initializer_list<int64_t> list) {
	Dims d{};
	for (auto n : list) d.d[d.nbDims++] = n;
	return d;
}

} // namespace

ft_session::~ft_session() {
	if (!device) return;
	auto const &api = *device->api;
	api.SetCurrent(device->context);
	if (device->stream) api.StreamSynchronize(device->stream);
	for (auto *all : {&prompts, &steps})
		for (auto const &c : *all)
			for (auto const &g : c.second.graphs)
				if (g.second.graph) api.ExecutableDestroy(g.second.graph);
	prompts.clear();
	steps.clear();
	engine.reset();
	fewEngine.reset();
	runtime.reset();
	if (device->kernels.arena) {
		cuda::Pointer nowhere[2] = {0, 0};
		api.ToDevice(device->kernels.arena, nowhere, sizeof nowhere, device->stream);
		api.StreamSynchronize(device->stream);
	}
	for (auto p : {scratch, cache, bias, logits, bests, promptControl.device, stepControl.device})
		if (p) api.MemFree(p);
	for (auto p : {static_cast<void *>(hostLogits), static_cast<void *>(hostBests), static_cast<void *>(promptControl.host), static_cast<void *>(stepControl.host)})
		if (p) api.HostFree(p);
}

bool ft_session::room(cuda::Pointer *p, size_t bytes, ft_fault *f) {
	if (!check(("allocate " + std::to_string(bytes >> 20) + " MiB on the card").c_str(), device->api->MemAlloc(p, std::max<size_t>(bytes, 256)), f)) return false;
	memory += static_cast<int64_t>(bytes);
	return check("clear memory", device->api->MemsetAsync(*p, 0, bytes, device->stream), f);
}

bool ft_session::control(ft_control *c, int batch, int tokens, ft_fault *f) {
	size_t const each = rounded(static_cast<size_t>(batch) * 4), wide = rounded(static_cast<size_t>(batch) * static_cast<size_t>(tokens) * 4);
	c->past = rounded(static_cast<size_t>(batch) * 8);
	c->last = c->past + each;
	c->ids = c->last + each;
	c->pos = c->ids + wide;
	c->bytes = c->pos + wide;
	void *host = nullptr;
	if (!room(&c->device, c->bytes, f) || !check("allocate host memory", device->api->HostAlloc(&host, c->bytes, 0), f)) return false;
	c->host = static_cast<char *>(host);
	memset(host, 0, c->bytes);
	return true;
}

bool ft_session::read(std::unique_ptr<ICudaEngine> *into, ft_bytes plan, int profiles, ft_fault *f) {
	into->reset(runtime->deserializeCudaEngine(plan.data, plan.size));
	if (!*into) return say(f, "the plan is refused");
	return (*into)->getNbOptimizationProfiles() == profiles || say(f, "the plan has other profiles");
}

// need is the scratch that any of the contexts takes; they never run together.
int64_t ft_session::need() const {
	int64_t n = 0;
	for (auto const *e : {engine.get(), fewEngine.get()})
		for (int i = 0; e && i < e->getNbOptimizationProfiles(); i++) n = std::max(n, static_cast<int64_t>(e->getDeviceMemorySizeForProfileV2(i)));
	return n;
}

bool ft_session::open(ft_bytes plan, ft_bytes few, ft_fault *f) {
	auto create = library->symbol<void *(*)(void *, int32_t)>("createInferRuntime_INTERNAL");
	if (!create) return say(f, "the library has no run time");
	library->addCreator();
	if (!check("use card", device->api->SetCurrent(device->context), f)) return false;
	runtime.reset(static_cast<IRuntime *>(create(&library->log, NV_TENSORRT_VERSION)));
	if (!runtime) return say(f, "the library makes no run time");
	if (!read(&engine, plan, few.size > 0 ? 1 : 2, f) || (few.size > 0 && !read(&fewEngine, few, 2, f)) || !buffers(f)) return false;
	captures = m.graphs;
	return wait(f);
}

// Prompts are filled up to multiples of this, so that there are few contexts, each of
// which adds up to half a second to the load, made beside each other or not; PromptPiece
// of kernels.go.
constexpr int promptPiece = 256;

// forStep gives the context for steps of n tokens, one of the sizes.
ft_context *ft_session::forStep(int n, ft_fault *f) {
	auto &c = steps[n];
	bool const made = c.trt || (fewEngine ? context(&c, fewEngine.get(), n > 1, &stepControl, f) : context(&c, engine.get(), 1, &stepControl, f));
	return made && shape(&c, n, 1, f) ? &c : nullptr;
}

// forPrompt gives the context for a prompt of n tokens behind at, and how many it takes
// them for. Where the window has no room for more than n, it is the one for any number.
ft_context *ft_session::forPrompt(int at, int *n, ft_fault *f) {
	int const filled = std::min((*n + promptPiece - 1) / promptPiece * promptPiece, m.chunk);
	bool const fits = at + filled <= m.context;
	if (fits) *n = filled;
	auto &c = prompts[fits ? filled : 0];
	bool const made = c.trt || context(&c, engine.get(), 0, &promptControl, f);
	return made && shape(&c, 1, *n, f) ? &c : nullptr;
}

// buffers makes room for caches, scratch and what goes in and comes out.
bool ft_session::buffers(ft_fault *f) {
	auto const &api = *device->api;
	size_t const rows = static_cast<size_t>(most()), vocabulary = static_cast<size_t>(m.vocab) * 4;
	size_t const slots = static_cast<size_t>(m.slots), biased = fewEngine ? 1 : rows; // steps of few tokens take no bias
	slotBytes = rounded(size_t{2} * static_cast<size_t>(m.layers) * static_cast<size_t>(m.key_heads) * static_cast<size_t>(m.context) *
		static_cast<size_t>(m.size) * static_cast<size_t>(m.element));
	if (!room(&cache, slotBytes * slots, f) || !room(&scratch, static_cast<size_t>(need()), f) || !room(&bias, biased * vocabulary, f) ||
		!room(&logits, rows * vocabulary, f) || !room(&bests, rows * sizeof(ft_best), f))
		return false;
	void *host[2] = {};
	if (!check("allocate host memory", api.HostAlloc(&host[0], vocabulary, 0), f)) return false;
	hostLogits = static_cast<float *>(host[0]);
	if (!check("allocate host memory", api.HostAlloc(&host[1], rows * sizeof(ft_best), 0), f)) return false;
	hostBests = static_cast<ft_best *>(host[1]);
	cuda::Pointer arena[2] = {cache, cache + slotBytes * slots};
	if (device->kernels.arena && !check("name the cache", api.ToDevice(device->kernels.arena, arena, sizeof arena, device->stream), f)) return false;
	return control(&promptControl, 1, m.chunk, f) && control(&stepControl, most(), 1, f);
}

bool ft_session::context(ft_context *c, ICudaEngine *of, int profile, ft_control *from, ft_fault *f) {
	c->trt.reset(of->createExecutionContext(ExecutionContextAllocationStrategy::kUSER_MANAGED));
	if (!c->trt) return say(f, "no execution context could be made");
	if (!c->trt->setOptimizationProfileAsync(profile, reinterpret_cast<cudaStream_t>(device->stream))) return say(f, "the profile is refused");
	c->trt->setDeviceMemoryV2(reinterpret_cast<void *>(scratch), need());
	struct { char const *name; cuda::Pointer address; } const known[] = {{"ids", from->device + from->ids}, {"pos", from->device + from->pos},
		{"past", from->device + from->past}, {"last", from->device + from->last}, {"slots", from->device + from->slots}, {"bias", bias}, {"logits", logits}};
	for (int i = 0; i < of->getNbIOTensors(); i++) {
		std::string const name = of->getIOTensorName(i);
		bool bound = false;
		for (auto const &k : known)
			if (name == k.name) bound = c->trt->setTensorAddress(k.name, reinterpret_cast<void *>(k.address));
		if (!bound) return say(f, "the plan asks for " + name);
	}
	return true;
}

bool ft_session::shape(ft_context *c, int batch, int tokens, ft_fault *f) {
	if (c->batch == batch && c->tokens == tokens) return true;
	bool ok = true;
	auto const &of = c->trt->getEngine();
	for (int i = 0; i < of.getNbIOTensors(); i++) {
		char const *name = of.getIOTensorName(i);
		if (of.getTensorIOMode(name) != TensorIOMode::kINPUT) continue;
		bool const wide = strcmp(name, "ids") == 0 || strcmp(name, "pos") == 0, vocabulary = strcmp(name, "bias") == 0;
		ok = ok && c->trt->setInputShape(name, wide ? shaped({batch, tokens}) : vocabulary ? shaped({batch, m.vocab}) : shaped({batch}));
	}
	c->batch = ok ? batch : 0;
	c->tokens = tokens;
	return ok || say(f, "the plan does not take " + std::to_string(batch) + " sequences of " + std::to_string(tokens) + " tokens");
}

// queue puts one step on the stream: control in, network, the best of rows out.
bool ft_session::queue(ft_context *c, ft_control *from, int rows, ft_fault *f) {
	auto const &api = *device->api;
	if (!check("copy to the card", api.ToDevice(from->device, from->host, from->bytes, device->stream), f)) return false;
	ft::useKernels(&api, &device->kernels);
	bool const queued = c->trt->enqueueV3(reinterpret_cast<cudaStream_t>(device->stream));
	ft::useKernels(nullptr, nullptr);
	if (!queued) return say(f, "the step is refused");
	if (rows == 0) return true;
	return check("find the best", ft::best(api, device->kernels, logits, bests, rows, m.vocab, device->stream), f) &&
		check("copy from the card", api.ToHost(hostBests, bests, static_cast<size_t>(rows) * sizeof(ft_best), device->stream), f);
}

bool ft_session::wait(ft_fault *f) { return check("the step failed", device->api->StreamSynchronize(device->stream), f); }

// ready waits for what is still queued, which reads what the host tells the card.
bool ft_session::ready(ft_fault *f) {
	if (!check("use card", device->api->SetCurrent(device->context), f)) return false;
	bool const waits = queued > 0;
	queued = 0;
	return !waits || wait(f);
}

// run queues what a context is told: first as it is, which settles whatever is settled
// late; from then on as a graph.
bool ft_session::run(ft_context *c, ft_control *from, int rows, cuda::Steps how, ft_fault *f) {
	queued = rows;
	auto &captured = c->graphs[how];
	if (!captured.graph) device->kernels.steps = how;
	if (!captured.graph && captured.warm && captures && !captured.refused && !capture(&captured, c, from, rows, f)) {
		captured.refused = true; // it runs without as well
		ft::clear(f);
	}
	captured.warm = true;
	if (captured.graph) return check("launch step", device->api->GraphLaunch(captured.graph, device->stream), f);
	return queue(c, from, rows, f);
}

bool ft_session::capture(ft_captured *into, ft_context *c, ft_control *from, int rows, ft_fault *f) {
	auto const &api = *device->api;
	cuda::Graph graph = nullptr;
	if (!check("capture", api.BeginCapture(device->stream, cuda::threadLocal), f)) return false;
	bool queued = queue(c, from, rows, f);
	bool ended = check("capture", api.EndCapture(device->stream, &graph), f);
	bool made = queued && ended && check("make graph", api.GraphInstantiate(&into->graph, graph, 0), f);
	if (graph) api.GraphDestroy(graph);
	return made;
}
