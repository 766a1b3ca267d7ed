// Making plugins anew from what a plan keeps of them.
#pragma once

#include "internal.hpp"

namespace ft {

// Creator remakes a Plugin from its How, the bytes of the one field that a plan
// keeps. Name and version are those by which the plan asks for it.
template <class Plugin, class How> class Creator : public nvinfer1::IPluginCreatorV3One {
public:
	Creator(char const *name, char const *version) : name(name), version(version) {}
	nvinfer1::IPluginV3 *createPlugin(nvinfer1::AsciiChar const *, nvinfer1::PluginFieldCollection const *fc,
		nvinfer1::TensorRTPhase) noexcept override {
		if (!fc || fc->nbFields != 1 || fc->fields[0].length != static_cast<int32_t>(sizeof(How))) return nullptr;
		How how;
		memcpy(&how, fc->fields[0].data, sizeof how);
		return new (std::nothrow) Plugin(how);
	}
	nvinfer1::PluginFieldCollection const *getFieldNames() noexcept override { return &none; }
	nvinfer1::AsciiChar const *getPluginName() const noexcept override { return name; }
	nvinfer1::AsciiChar const *getPluginVersion() const noexcept override { return version; }
	nvinfer1::AsciiChar const *getPluginNamespace() const noexcept override { return ""; }

private:
	char const *name, *version;
	nvinfer1::PluginFieldCollection none{0, nullptr};
};

} // namespace ft
