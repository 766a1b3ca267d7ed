#!/bin/sh
# Builds llama.cpp from its pinned source into the user's cache and says where it is.
#
#   build.sh lib        build the static libraries when they are not cached
#   build.sh bench      build llama-bench from the same source, for comparison
#   build.sh env        print CGO_CFLAGS and CGO_LDFLAGS for `go build -tags llama`
#   build.sh where      print the folder of the libraries, built or not
#   build.sh bench-bin  print the path of llama-bench, built or not
#
# LLAMA_CPP_DIR names a llama.cpp checkout to use instead of the pinned source.
# GGML=vulkan|metal|cuda adds that backend to the processor's, which is always
# there; it needs that maker's tools (Debian for vulkan: libvulkan-dev glslc
# spirv-headers). CUDA_ARCH=90 compiles for one card instead of those in here.
# The cache key covers source, flags, compiler and machine, so nothing stale is
# ever linked; a build happens in a temporary folder and appears by one rename.
set -eu

package=llama-cpp-python
version=0.3.36
sum=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
commit=0c1e57098
layout=1 # of the cache folder; raise it when this script puts other files there

cache=${XDG_CACHE_HOME:-$HOME/.cache}/fabula/llama

ggml=${GGML:-cpu}

say() { printf '%s\n' "$*" >&2; }
die() { say "llama.cpp: $*"; exit 1; }

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum "$@"; else shasum -a 256 "$@"; fi | cut -d' ' -f1
}

machine() {
	case $(uname -m) in
	x86_64 | amd64) echo x86-64-v3 ;;
	arm64 | aarch64) echo arm64-native ;;
	*) die "no build is known for $(uname -m) processors (x86-64 and arm64 are)" ;;
	esac
}

# flags prints the CMake options of a target, one a line.
flags() {
	cat <<-FLAGS
		-DCMAKE_BUILD_TYPE=Release
		-DBUILD_SHARED_LIBS=OFF
		-DCMAKE_POSITION_INDEPENDENT_CODE=ON
		-DGGML_OPENMP=OFF
		-DGGML_METAL=$([ "$ggml" = metal ] && echo ON || echo OFF)
		-DGGML_BLAS=OFF
		-DGGML_ACCELERATE=OFF
		-DGGML_LLAMAFILE=OFF
		-DLLAMA_OPENSSL=OFF
		-DLLAMA_BUILD_TESTS=OFF
		-DLLAMA_BUILD_EXAMPLES=OFF
		-DLLAMA_BUILD_SERVER=OFF
		-DLLAMA_BUILD_APP=OFF
		-DLLAMA_BUILD_UI=OFF
		-DLLAMA_BUILD_NUMBER=0
		-DLLAMA_BUILD_COMMIT=$commit
	FLAGS
	case $(machine) in
	x86-64-v3)
		for f in GGML_NATIVE=OFF GGML_AVX2=ON GGML_FMA=ON GGML_F16C=ON GGML_BMI2=ON; do echo "-D$f"; done
		;;
	*) echo -DGGML_NATIVE=ON ;;
	esac
	case $ggml in
	cpu) ;;
	vulkan) echo -DGGML_VULKAN=ON ;;
	metal) echo -DGGML_METAL_EMBED_LIBRARY=ON ;;
	cuda) for f in GGML_CUDA=ON GGML_CUDA_NCCL=OFF CMAKE_CUDA_ARCHITECTURES="${CUDA_ARCH:-native}"; do echo "-D$f"; done ;;
	esac
	if [ "$1" = bench ]; then
		echo -DLLAMA_BUILD_COMMON=ON
		echo -DLLAMA_BUILD_TOOLS=ON
	else
		echo -DLLAMA_BUILD_COMMON=OFF
		echo -DLLAMA_BUILD_TOOLS=OFF
	fi
}

# source_id names the source: the pinned sum, or the content of a checkout.
source_id() {
	if [ -z "${LLAMA_CPP_DIR:-}" ]; then
		echo "$sum"
		return
	fi
	[ -f "$LLAMA_CPP_DIR/include/llama.h" ] || die "LLAMA_CPP_DIR=$LLAMA_CPP_DIR holds no include/llama.h"
	(cd "$LLAMA_CPP_DIR" && find CMakeLists.txt cmake common ggml include src tools/llama-bench vendor -type f -exec cksum {} + | sort | sha256)
}

compiler() { "${CXX:-c++}" --version 2>/dev/null | head -n 1; }

place() {
	key=$({ source_id; flags "$1"; compiler; uname -sm; echo "$layout"; } | sha256 | cut -c1-16)
	echo "$cache/$1-$key"
}

# runtime is what `fabula version` and every recorded reply say was linked.
runtime() {
	rev=$commit
	if [ -n "${LLAMA_CPP_DIR:-}" ]; then
		rev=$(git -C "$LLAMA_CPP_DIR" describe --always --dirty 2>/dev/null || echo local)
	fi
	echo "llama.cpp $rev $(machine)$([ "$ggml" = cpu ] || echo " $ggml")"
}

python() {
	for p in python3 python; do
		if command -v "$p" >/dev/null 2>&1 && "$p" -m pip --version >/dev/null 2>&1; then
			echo "$p"
			return
		fi
	done
	die "needs Python 3 with pip to fetch its source (Debian: apt install python3-pip python3-venv), or LLAMA_CPP_DIR"
}

# fetch unpacks the source into $1/source. The sum is checked by pip before it
# looks into the archive, and by us before we do.
fetch() {
	if [ -n "${LLAMA_CPP_DIR:-}" ]; then
		ln -s "$(cd "$LLAMA_CPP_DIR" && pwd)" "$1/source"
		return
	fi
	py=$(python)
	quiet=-q
	[ ! -t 2 ] || quiet=
	say "llama.cpp: fetching $package $version (77 MB)"
	echo "$package==$version --hash=sha256:$sum" >"$1/pinned.txt"
	$py -m pip download $quiet --disable-pip-version-check --no-deps --no-binary "$package" \
		--require-hashes -r "$1/pinned.txt" -d "$1" >&2 ||
		die "pip could not fetch $package $version; check the network, or point LLAMA_CPP_DIR at a checkout"
	archive=$(ls "$1"/llama_cpp_python-*.tar.gz)
	[ "$(sha256 "$archive")" = "$sum" ] || die "the fetched source has another SHA-256 than the pinned $sum"
	say "llama.cpp: unpacking"
	tar -xzf "$archive" -C "$1"
	mv "$1"/llama_cpp_python-*/vendor/llama.cpp "$1/source"
	rm -rf "$archive" "$1"/llama_cpp_python-*
}

# tools says what is missing for a backend before half of it is compiled.
tools() {
	case $ggml in
	vulkan)
		command -v glslc >/dev/null 2>&1 || die "GGML=vulkan needs glslc (Debian: apt install libvulkan-dev glslc spirv-headers)"
		older_vulkan "$1"
		;;
	metal) [ "$(uname -s)" = Darwin ] || die "GGML=metal needs macOS" ;;
	cuda) command -v nvcc >/dev/null 2>&1 || die "GGML=cuda needs nvcc in PATH, of CUDA 12 or later" ;;
	esac
}

# older_vulkan takes out of the pinned source what Vulkan headers before 1.3.272
# (Debian 12 has 1.3.239) have no names for: the settings of a validation layer,
# which is there for debugging only.
older_vulkan() {
	printf '#include <vulkan/vulkan_core.h>\n#ifndef VK_EXT_layer_settings\n#error\n#endif\n' | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1 && return
	[ -z "${LLAMA_CPP_DIR:-}" ] || die "the Vulkan headers are older than 1.3.272, which this llama.cpp needs"
	at=$1/source/ggml/src/ggml-vulkan/ggml-vulkan.cpp
	sed -e '/std::vector<vk::LayerSettingEXT> settings/,/LayerSettingsCreateInfoEXT layer_setting_info/d' \
		-e 's/, &layer_setting_info)/)/' "$at" >"$at.new" && mv "$at.new" "$at"
}

# cmake_path prints the cmake to use; pip's, in a private venv, when there is none.
cmake_path() {
	if command -v cmake >/dev/null 2>&1; then
		command -v cmake
		return
	fi
	venv=$cache/cmake-venv
	if [ ! -x "$venv/bin/cmake" ]; then
		py=$(python)
		say "llama.cpp: no cmake here, fetching one by pip"
		rm -rf "$venv"
		$py -m venv "$venv" >&2 || die "python cannot make a venv (Debian: apt install python3-venv), or install cmake"
		"$venv/bin/pip" install -q --disable-pip-version-check cmake==4.4.5 >&2 || {
			rm -rf "$venv"
			die "pip could not fetch cmake; install cmake yourself"
		}
	fi
	echo "$venv/bin/cmake"
}

cores() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# progress turns the build's output into one line on a terminal, ten lines elsewhere.
progress() {
	last=-1
	while IFS= read -r line; do
		printf '%s\n' "$line" >>"$2"
		case $line in
		*vulkan-shaders-gen*) continue ;; # a build inside the build, with a count of its own
		"["*%"]"*) ;;
		*) continue ;;
		esac
		pct=${line#[}
		pct=${pct%%\%*}
		pct=$((pct))
		if [ -t 2 ]; then
			printf '\rllama.cpp: compiling %3d%%' "$pct" >&2
		elif [ $((pct / 10)) -gt "$last" ]; then
			last=$((pct / 10))
			say "llama.cpp: compiling $pct%"
		fi
	done
	[ ! -t 2 ] || printf '\n' >&2
}

# compile builds target $2 in $1/build. The jobserver of an outer make is left
# out, since that make waits for this script alone.
compile() {
	log=$1/build.log
	cmake=$(cmake_path)
	opts=$(flags "$3")
	map="-ffile-prefix-map=$1/source=llama.cpp"
	unset MAKEFLAGS MFLAGS MAKELEVEL || true
	# shellcheck disable=SC2086 # one option a word is wanted
	"$cmake" -S "$1/source" -B "$1/build" $opts -DCMAKE_C_FLAGS="$map" -DCMAKE_CXX_FLAGS="$map" >"$log" 2>&1 ||
		failed "$log" "cmake could not configure the build"
	{ "$cmake" --build "$1/build" --target "$2" -j "$(cores)" 2>&1 || echo "$2" >"$1/failed"; } | progress "$1" "$log"
	[ ! -e "$1/failed" ] || failed "$log" "the build failed"
}

failed() {
	tail -n 30 "$1" >&2
	die "$2 (its last lines are above)"
}

collect_lib() {
	mkdir -p "$1/out/include" "$1/out/lib"
	cp "$1"/source/include/*.h "$1"/source/ggml/include/*.h "$1/out/include/"
	find "$1/build" -name 'lib*.a' -exec cp {} "$1/out/lib/" \;
	cp "$1/source/LICENSE" "$1/out/"
	printf '#define FABULA_LLAMA_RUNTIME "%s"\n' "$(runtime)" >"$1/out/include/fabula_runtime.h"
	for l in llama ggml ggml-cpu ggml-base; do
		[ -s "$1/out/lib/lib$l.a" ] || die "the build made no lib$l.a"
	done
	[ "$ggml" = cpu ] || merge "$1/out/lib"
}

# merge puts the backend into libggml.a, which registers it: whoever links that
# has it, whatever it is.
merge() {
	if [ "$(uname -s)" = Darwin ]; then
		libtool -static -o "$1/merged.a" "$1/libggml.a" "$1/libggml-$ggml.a"
	else
		printf 'create %s/merged.a\naddlib %s/libggml.a\naddlib %s/libggml-%s.a\nsave\nend\n' "$1" "$1" "$1" "$ggml" | ar -M
	fi || die "the libraries of $ggml could not be merged"
	mv "$1/merged.a" "$1/libggml.a"
	rm "$1/libggml-$ggml.a"
}

# shared prints what the backend itself links with.
shared() {
	case $ggml in
	vulkan) echo ' -Wl,--no-as-needed -lvulkan' ;;
	metal) echo ' -framework Foundation -framework Metal -framework MetalKit' ;;
	cuda)
		home=$(dirname "$(dirname "$(command -v nvcc)")")
		echo " -Wl,--no-as-needed -L$home/lib64 -L$home/lib64/stubs -lcudart -lcublas -lcublasLt -lcuda"
		;;
	esac
}

collect_bench() {
	mkdir -p "$1/out/bin"
	cp "$1/build/bin/llama-bench" "$1/out/bin/"
}

# build makes one cached folder: lib or bench.
build() {
	dir=$(place "$1")
	if [ -d "$dir" ]; then
		return
	fi
	command -v "${CXX:-c++}" >/dev/null 2>&1 || die "needs a C and C++ compiler (Debian: apt install build-essential)"
	mkdir -p "$cache"
	find "$cache" -maxdepth 1 -name 'tmp.*' -mtime +0 -exec rm -rf {} + # of a build that was killed
	tmp=$(mktemp -d "$cache/tmp.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM HUP
	fetch "$tmp"
	tools "$tmp"
	case $1 in
	lib) compile "$tmp" llama lib && collect_lib "$tmp" ;;
	bench) compile "$tmp" llama-bench bench && collect_bench "$tmp" ;;
	esac
	cp "$tmp/build.log" "$tmp/out/"
	[ -d "$dir" ] || mv "$tmp/out" "$dir" # another build may have been first
	say "llama.cpp: ready in $dir"
}

env_lines() {
	dir=$(place lib)
	[ -d "$dir" ] || die "not built yet: run make llama$([ "$ggml" = cpu ] || echo " GGML=$ggml")"
	printf "export CGO_ENABLED=1 CGO_CFLAGS='-O2 -I%s/include' CGO_LDFLAGS='-L%s/lib%s'\n" "$dir" "$dir" "$(shared)"
}

case $ggml in
cpu | vulkan | metal | cuda) ;;
*) die "GGML=$ggml is no backend that this script builds: cpu, vulkan, metal and cuda are" ;;
esac

case ${1:-} in
lib | bench) build "$1" ;;
env) env_lines ;;
where) place lib ;;
bench-bin) echo "$(place bench)/bin/llama-bench" ;;
*) die "usage: build.sh lib | bench | env | where | bench-bin" ;;
esac
