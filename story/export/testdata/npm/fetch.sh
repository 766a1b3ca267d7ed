#!/bin/sh
# Installs the pinned npm packages that check exports into the cache, once for
# each lock file, and prints the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for tool in node npm dot; do
	command -v "$tool" >/dev/null || {
		echo "make test-export: $tool is missing; it needs Node.js with npm, and Graphviz (Debian: nodejs npm graphviz)" >&2
		exit 1
	}
done
key=$(cat "$here/package.json" "$here/package-lock.json" | sha256sum | cut -c1-16)
dir=${XDG_CACHE_HOME:-$HOME/.cache}/fabula/npm-$key
if [ ! -d "$dir/node_modules" ]; then
	mkdir -p "$(dirname "$dir")"
	part=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$part"' EXIT
	cp "$here/package.json" "$here/package-lock.json" "$part/"
	(cd "$part" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2
	mv -T "$part" "$dir" 2>/dev/null || [ -d "$dir/node_modules" ]
fi
echo "$dir"
