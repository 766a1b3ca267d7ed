//go:build tensorrt

#include "internal.hpp"

#include <csignal>
#include <dlfcn.h>
#include <link.h>

namespace ft {

void Log::log(Severity severity, char const *text) noexcept {
	if (severity > Severity::kWARNING) return;
	try {
		std::lock_guard<std::mutex> hold(mu);
		if (lines.size() >= 12) lines.erase(lines.begin());
		lines.push_back((severity == Severity::kWARNING ? "warning: " : "") + std::string(text).substr(0, 400));
	} catch (...) {
	}
}

std::string Log::last() noexcept {
	try {
		std::lock_guard<std::mutex> hold(mu);
		std::string all, warned;
		for (auto const &line : lines) {
			auto &into = line.compare(0, 9, "warning: ") == 0 ? warned : all;
			into += (into.empty() ? "" : "; ") + line;
		}
		lines.clear();
		return all.empty() ? warned : all;
	} catch (...) {
		return "";
	}
}

namespace {
constexpr int kept[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE, SIGURG, SIGPROF, SIGCHLD, SIGWINCH, SIGUSR1, SIGUSR2};
constexpr int count = sizeof kept / sizeof kept[0];
}

struct Signals::Saved { struct sigaction actions[count]; };

Signals::Signals() : saved(new Saved) {
	for (int i = 0; i < count; i++) sigaction(kept[i], nullptr, &saved->actions[i]);
}

// A handler that was there comes back. One that is new stays, but on Go's
// alternate stack, as Go asks of foreign code.
Signals::~Signals() {
	for (int i = 0; i < count; i++) {
		struct sigaction now;
		if (sigaction(kept[i], nullptr, &now) != 0) continue;
		auto &then = saved->actions[i];
		bool had = then.sa_handler != SIG_DFL && then.sa_handler != SIG_IGN;
		if (had && now.sa_sigaction != then.sa_sigaction) {
			sigaction(kept[i], &then, nullptr);
		} else if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN && !(now.sa_flags & SA_ONSTACK)) {
			now.sa_flags |= SA_ONSTACK;
			sigaction(kept[i], &now, nullptr);
		}
	}
}

void *Library::find(char const *name) const { return dlsym(handle, name); }

nvinfer1::DataType typeOf(int type) {
	using nvinfer1::DataType;
	switch (type) {
	case FT_F16: return DataType::kHALF;
	case FT_BF16: return DataType::kBF16;
	case FT_I32: return DataType::kINT32;
	case FT_I64: return DataType::kINT64;
	case FT_I8: return DataType::kINT8;
	}
	return DataType::kFLOAT;
}

int typeFrom(nvinfer1::DataType type) {
	for (int t : {FT_F32, FT_F16, FT_BF16, FT_I32, FT_I64, FT_I8})
		if (typeOf(t) == type) return t;
	return -1;
}

size_t sizeOf(int type) { return type == FT_I64 ? 8 : type == FT_F16 || type == FT_BF16 ? 2 : type == FT_I8 ? 1 : 4; }

} // namespace ft

int32_t ft_header_version(void) { return NV_TENSORRT_MAJOR * 10000 + NV_TENSORRT_MINOR * 100 + NV_TENSORRT_PATCH; }

bool ft_header_rtx(void) {
#ifdef TRT_MAJOR_RTX
	return true;
#else
	return false;
#endif
}

bool ft_has_plugins(void) { return !ft_header_rtx(); }

// What is opened is never closed: TensorRT's own libraries do not survive it.
ft_library *ft_library_open(char const *path, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, nullptr, {
		ft::Signals signals;
		void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!handle) {
			char const *why = dlerror();
			ft::fail(f, why ? why : "it cannot be opened");
			return nullptr;
		}
		std::unique_ptr<ft_library> l(new ft_library);
		l->handle = handle;
		auto version = l->symbol<int32_t (*)()>("getInferLibVersion");
		if (!version) {
			ft::fail(f, std::string(path) + " is no TensorRT library: it has no getInferLibVersion");
			return nullptr;
		}
		l->version = version();
		struct link_map *map = nullptr;
		l->path = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map ? map->l_name : path;
		auto look = l->symbol<void (*)(char const *)>("setInternalLibraryPath");
		auto slash = l->path.rfind('/');
		if (look && slash != std::string::npos) look(l->path.substr(0, slash).c_str());
		return l.release();
	})
}

int32_t ft_library_version(ft_library const *l) { return l->version; }

void ft_library_path(ft_library const *l, char *buf, size_t size) { snprintf(buf, size, "%s", l->path.c_str()); }
