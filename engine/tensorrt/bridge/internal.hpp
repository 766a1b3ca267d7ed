// What the C++ files of the bridge share.
#pragma once

#include "bridge.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "NvInfer.h"

// Every exported function is a guard: nothing that C++ throws may reach Go.
#define FT_GUARD(fault, failed, ...)                                                                                   \
	try {                                                                                                              \
		__VA_ARGS__                                                                                                          \
	} catch (std::exception const &e) {                                                                                \
		ft::fail(fault, std::string("C++ exception: ") + e.what());                                                    \
	} catch (...) {                                                                                                    \
		ft::fail(fault, "an unknown C++ exception");                                                                   \
	}                                                                                                                  \
	return failed;

namespace ft {

inline void fail(ft_fault *f, std::string const &text) noexcept {
	if (f) snprintf(f->text, sizeof f->text, "%s", text.c_str());
}
inline void clear(ft_fault *f) noexcept { if (f) f->text[0] = 0; }

// Log keeps the last lines of warnings and errors; TensorRT calls it from any thread.
class Log : public nvinfer1::ILogger {
public:
	void log(Severity severity, char const *text) noexcept override;
	std::string last() noexcept; // and forgets
private:
	std::mutex mu;
	std::vector<std::string> lines;
};

// Keeps what handlers a process has, whatever native code installs meanwhile.
class Signals {
public:
	Signals();
	~Signals();
private:
	struct Saved;
	std::unique_ptr<Saved> saved;
};

struct Library {
	void *handle;
	int32_t version;
	std::string path;
	Log log;
	template <class F> F symbol(char const *name) const { return reinterpret_cast<F>(find(name)); }
	void *find(char const *name) const;
	std::string why(std::string const &what) { auto said = log.last(); return said.empty() ? what : what + ": " + said; }
	void addCreator(); // of the attention plugin, once
	bool creator = false;
};

nvinfer1::DataType typeOf(int type);
int typeFrom(nvinfer1::DataType type);
size_t sizeOf(int type);

nvinfer1::IPluginV3 *attention(ft_attention how);
nvinfer1::IPluginV3 *linear(ft_linear how, bool bias);
nvinfer1::IPluginCreatorInterface &linearCreator();

} // namespace ft

struct ft_library : ft::Library {};
