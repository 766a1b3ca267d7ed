//go:build tensorrt

// The products of linear.cu and few.cu as a TensorRT plugin, for steps of a few
// tokens. Operands: x, weight, the scales of its rows where it holds codes, and as the
// kind asks for them the norm's gamma, a bias, the residual stream.

#include "creator.hpp"
#include "launch.hpp"
#include "session.hpp"

using namespace nvinfer1;

namespace ft {

namespace {

constexpr char const *pluginName = "fabula_linear", *pluginVersion = "1";

// How is what a plan keeps of the plugin.
struct How {
	ft_linear linear;
	int32_t bias;
	bool norm() const { return linear.kind == FT_GATED || linear.kind == FT_WIDE || linear.eps > 0; }
	bool codes() const { return linear.flags & FT_OF_CODES; }
	int operands() const { return 2 + codes() + norm() + bias + (linear.kind == FT_ADDED); }
};

class Linear : public IPluginV3, public IPluginV3OneCore, public IPluginV3OneBuild, public IPluginV3OneRuntime {
public:
	explicit Linear(How how) : how(how), field("how", &this->how, PluginFieldType::kUNKNOWN, sizeof how), fields{1, &field} {}

	IPluginCapability *getCapabilityInterface(PluginCapabilityType type) noexcept override {
		if (type == PluginCapabilityType::kBUILD) return static_cast<IPluginV3OneBuild *>(this);
		if (type == PluginCapabilityType::kRUNTIME) return static_cast<IPluginV3OneRuntime *>(this);
		return static_cast<IPluginV3OneCore *>(this);
	}
	IPluginV3 *clone() noexcept override { return new (std::nothrow) Linear(how); }

	AsciiChar const *getPluginName() const noexcept override { return pluginName; }
	AsciiChar const *getPluginVersion() const noexcept override { return pluginVersion; }
	AsciiChar const *getPluginNamespace() const noexcept override { return ""; }

	int32_t configurePlugin(DynamicPluginTensorDesc const *, int32_t, DynamicPluginTensorDesc const *, int32_t) noexcept override { return 0; }
	int32_t getNbOutputs() const noexcept override { return 1; }
	int32_t getOutputDataTypes(DataType *out, int32_t, DataType const *, int32_t) const noexcept override {
		out[0] = result();
		return 0;
	}
	int32_t getOutputShapes(DimsExprs const *in, int32_t, DimsExprs const *, int32_t, DimsExprs *out, int32_t, IExprBuilder &e) noexcept override {
		out[0] = in[0];
		out[0].d[out[0].nbDims - 1] = e.constant(how.linear.rows);
		return 0;
	}
	bool supportsFormatCombination(int32_t pos, DynamicPluginTensorDesc const *all, int32_t inputs, int32_t) noexcept override {
		return all[pos].desc.format == TensorFormat::kLINEAR && all[pos].desc.type == (pos == inputs ? result() : operand(pos));
	}

	size_t getWorkspaceSize(DynamicPluginTensorDesc const *in, int32_t, DynamicPluginTensorDesc const *, int32_t) const noexcept override {
		return how.norm() ? scratchOf(how.linear, tokens(in[0].max)) : 0;
	}

	int32_t onShapeChange(PluginTensorDesc const *, int32_t, PluginTensorDesc const *, int32_t) noexcept override { return 0; }
	IPluginV3 *attachToContext(IPluginResourceContext *) noexcept override { return clone(); }
	PluginFieldCollection const *getFieldsToSerialize() noexcept override { return &fields; }

	int32_t enqueue(PluginTensorDesc const *in, PluginTensorDesc const *, void const *const *inputs, void *const *outputs, void *scratch, cudaStream_t stream) noexcept override {
		auto const *k = kernelsOf();
		if (!k) return 0; // a build without kernels
		auto const &l = how.linear;
		int next = 2;
		void const *scales = how.codes() ? inputs[next++] : nullptr;
		void const *gamma = how.norm() ? inputs[next++] : nullptr, *bias = how.bias ? inputs[next++] : nullptr;
		Product p{l, inputs[0], inputs[1], scales, gamma, bias, l.kind == FT_ADDED ? inputs[next] : nullptr, outputs[0], static_cast<int>(tokens(in[0].dims)), scratch};
		return multiply(*driverOf(), *k, p, reinterpret_cast<cuda::Stream>(stream));
	}

private:
	static int64_t tokens(Dims const &x) {
		int64_t n = 1;
		for (int i = 0; i + 1 < x.nbDims; i++) n *= x.d[i];
		return n;
	}
	DataType element() const { return how.linear.flags & FT_OF_BF16 ? DataType::kBF16 : DataType::kHALF; }
	DataType result() const { return how.linear.kind == FT_ADDED || how.linear.kind == FT_WIDE ? DataType::kFLOAT : element(); }
	DataType operand(int pos) const {
		if (pos == 0) return how.norm() ? DataType::kFLOAT : element();
		if (pos == 1 && how.codes()) return DataType::kINT8;
		if (pos == 2 + how.codes() && how.norm()) return DataType::kFLOAT;
		if (how.linear.kind == FT_ADDED && pos == how.operands() - 1) return DataType::kFLOAT;
		return element();
	}

	How how;
	PluginField field;
	PluginFieldCollection fields;
};

} // namespace

IPluginV3 *linear(ft_linear how, bool bias) { return new Linear(How{how, bias}); }

IPluginCreatorInterface &linearCreator() {
	static Creator<Linear, How> ours(pluginName, pluginVersion);
	return ours;
}

} // namespace ft
