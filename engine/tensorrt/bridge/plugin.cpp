//go:build tensorrt

// The attention of attention.cu as a TensorRT plugin. TensorRT sees an operation
// that reads rows of queries, keys and values and writes rows; the cache behind
// the addresses in slots is the bridge's own.

#include "creator.hpp"
#include "launch.hpp"
#include "session.hpp"

using namespace nvinfer1;

namespace ft {

namespace {

// Of the session whose step this thread queues.
thread_local cuda::Driver const *api = nullptr;
thread_local cuda::Kernels const *kernels = nullptr;

constexpr char const *pluginName = "fabula_attention", *pluginVersion = "1";

class Attention : public IPluginV3, public IPluginV3OneCore, public IPluginV3OneBuild, public IPluginV3OneRuntime {
public:
	explicit Attention(ft_attention how) : how(how), field("how", &this->how, PluginFieldType::kUNKNOWN, sizeof how), fields{1, &field} {}

	IPluginCapability *getCapabilityInterface(PluginCapabilityType type) noexcept override {
		if (type == PluginCapabilityType::kBUILD) return static_cast<IPluginV3OneBuild *>(this);
		if (type == PluginCapabilityType::kRUNTIME) return static_cast<IPluginV3OneRuntime *>(this);
		return static_cast<IPluginV3OneCore *>(this);
	}
	IPluginV3 *clone() noexcept override { return new (std::nothrow) Attention(how); }

	AsciiChar const *getPluginName() const noexcept override { return pluginName; }
	AsciiChar const *getPluginVersion() const noexcept override { return pluginVersion; }
	AsciiChar const *getPluginNamespace() const noexcept override { return ""; }

	int32_t configurePlugin(DynamicPluginTensorDesc const *, int32_t, DynamicPluginTensorDesc const *, int32_t) noexcept override { return 0; }
	int32_t getNbOutputs() const noexcept override { return 1; }
	int32_t getOutputDataTypes(DataType *out, int32_t, DataType const *in, int32_t) const noexcept override {
		out[0] = in[0];
		return 0;
	}
	int32_t getOutputShapes(DimsExprs const *in, int32_t, DimsExprs const *, int32_t, DimsExprs *out, int32_t, IExprBuilder &e) noexcept override {
		out[0] = in[0];
		out[0].d[2] = e.constant(int64_t{how.heads} * how.size);
		return 0;
	}
	bool supportsFormatCombination(int32_t pos, DynamicPluginTensorDesc const *all, int32_t inputs, int32_t) noexcept override {
		DataType const kind = how.bf16 ? DataType::kBF16 : DataType::kHALF;
		DataType const want[] = {kind, DataType::kFLOAT, DataType::kFLOAT, DataType::kINT32, DataType::kINT64, kind};
		(void)inputs;
		return all[pos].desc.format == TensorFormat::kLINEAR && all[pos].desc.type == want[pos];
	}

	int32_t onShapeChange(PluginTensorDesc const *, int32_t, PluginTensorDesc const *, int32_t) noexcept override { return 0; }
	IPluginV3 *attachToContext(IPluginResourceContext *) noexcept override { return clone(); }
	PluginFieldCollection const *getFieldsToSerialize() noexcept override { return &fields; }

	int32_t enqueue(PluginTensorDesc const *in, PluginTensorDesc const *, void const *const *inputs, void *const *outputs, void *, cudaStream_t stream) noexcept override {
		if (!kernels) return 0; // a build without kernels; nothing can be launched, nothing is measured
		auto batch = static_cast<unsigned>(in[0].dims.d[0]), tokens = static_cast<unsigned>(in[0].dims.d[1]);
		Attend a{how, inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], outputs[0], batch, tokens};
		return attend(*api, *kernels, a, reinterpret_cast<cuda::Stream>(stream));
	}

private:
	ft_attention how;
	PluginField field;
	PluginFieldCollection fields;
};

} // namespace

void useKernels(cuda::Driver const *a, cuda::Kernels const *k) { api = a, kernels = k; }
cuda::Kernels const *kernelsOf() { return kernels; }
cuda::Driver const *driverOf() { return api; }

IPluginV3 *attention(ft_attention how) { return new Attention(how); }

void Library::addCreator() {
#ifndef TRT_MAJOR_RTX
	if (creator) return;
	static Creator<Attention, ft_attention> ours(pluginName, pluginVersion);
	auto registry = symbol<IPluginRegistry *(*)()>("getPluginRegistry");
	if (registry && registry()) creator = registry()->registerCreator(ours, "") && registry()->registerCreator(linearCreator(), "");
#endif
}

} // namespace ft
