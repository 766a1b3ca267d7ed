#!/bin/sh
# Finds headers for the bridge, and for the tests a TensorRT that builds engines
# without a card: TensorRT for RTX, its library from a PyPI wheel and its headers
# (those of TensorRT 11 too) from a crate. Both are fetched once, by pip and cargo,
# into the user's cache, and held against pinned SHA-256 sums.
#
#   fetch.sh get        fetch what is missing
#   fetch.sh env [F]    print CGO_CXXFLAGS and TENSORRT_ROOT for `go test -tags tensorrt`;
#                       flavour F is rtx (default) or 11, of which there is no library
#
# For an own TensorRT neither is needed: set TENSORRT_INCLUDE to its headers and
#   eval "$(sh engine/tensorrt/fetch.sh env own)"
set -eu

wheel=onnxruntime-ep-nv-tensorrt-rtx-cu13
wheel_version=0.5.0
wheel_sum=32f575c633d171b4edf4b53d3bb22b72a6c9c0a850d2982ce9a788a5d40d3298
crate=trtx-sys
crate_version=0.9.1+rtx1.7
crate_sum=5480ee056292951daa1bc74532162d6cb75190f091e45d7d97c0c356916ae171

cache=${XDG_CACHE_HOME:-$HOME/.cache}/fabula/tensorrt
library=$cache/$wheel-$wheel_version
headers=$cache/$crate-$crate_version

say() { printf '%s\n' "$*" >&2; }
die() { say "TensorRT: $*"; exit 1; }

sum() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

get_library() {
	[ ! -d "$library" ] || return 0
	[ "$(uname -sm)" = "Linux x86_64" ] || die "the library for tests exists for Linux on x86-64 only"
	python=$(command -v python3 || command -v python) || die "needs Python 3 with pip to fetch its library"
	say "TensorRT: fetching $wheel $wheel_version (146 MB)"
	echo "$wheel==$wheel_version --hash=sha256:$wheel_sum" >"$tmp/pinned.txt"
	"$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.12 --require-hashes -r "$tmp/pinned.txt" -d "$tmp" >&2 ||
		die "pip could not fetch $wheel $wheel_version"
	mkdir "$tmp/lib"
	"$python" - "$tmp" <<-'PYTHON'
		import glob, os, sys, zipfile
		with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as z:
		    for name in z.namelist():
		        if "/libtensorrt_rtx.so" in name or name.endswith("/README.txt"):
		            with open(os.path.join(sys.argv[1], "lib", os.path.basename(name)), "wb") as f:
		                f.write(z.read(name))
	PYTHON
	mv "$tmp/lib" "$library"
}

get_headers() {
	[ ! -d "$headers" ] || return 0
	cargo=$(command -v cargo || ls "$HOME/.cargo/bin/cargo" 2>/dev/null) || die "needs cargo (Debian: apt install cargo) to fetch the headers, or TENSORRT_INCLUDE"
	say "TensorRT: fetching headers by cargo"
	mkdir -p "$tmp/crate/src"
	printf '[package]\nname = "headers"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' "$crate" "${crate_version%+*}" >"$tmp/crate/Cargo.toml"
	echo >"$tmp/crate/src/lib.rs"
	(cd "$tmp/crate" && "$cargo" fetch -q) >&2 || die "cargo could not fetch $crate"
	home=${CARGO_HOME:-$HOME/.cargo}/registry
	archive=$(ls "$home"/cache/*/"$crate-$crate_version.crate" | head -n 1)
	[ "$(sum "$archive")" = "$crate_sum" ] || die "$crate $crate_version has another SHA-256 than the pinned $crate_sum"
	mkdir "$tmp/headers"
	tar -xzf "$archive" -C "$tmp/headers" --strip-components 2 "$crate-$crate_version/TensorRT-Headers"
	mv "$tmp/headers" "$headers"
}

get() {
	mkdir -p "$cache"
	tmp=$(mktemp -d "$cache/tmp.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM HUP
	get_library
	get_headers
}

include() {
	case ${1:-rtx} in
	rtx) echo "$headers/TRT-RTX-1.7" ;;
	11) echo "$headers/TRT-Enterprise-11.4" ;;
	own) echo "${TENSORRT_INCLUDE:?names the folder of NvInfer.h}" ;;
	*) die "no flavour $1: rtx, 11 or own" ;;
	esac
}

case ${1:-} in
get) get ;;
env)
	dir=$(include "${2:-rtx}")
	[ -f "$dir/NvInfer.h" ] || die "no NvInfer.h in $dir: run sh engine/tensorrt/fetch.sh get"
	printf "export CGO_ENABLED=1 CGO_CXXFLAGS='-O2 -I%s'\n" "$dir"
	[ "${2:-rtx}" != rtx ] || printf "export TENSORRT_ROOT='%s'\n" "$library"
	;;
*) die "usage: fetch.sh get | env [rtx | 11 | own]" ;;
esac
