package bridge

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Names gives what to hand to the loader for a library of these headers, best
// first: files below root if one is named, else the loader's default and the
// prefixes where packages install it.
func Names(need Version, root string) []string {
	name := fmt.Sprintf("libnvinfer.so.%d", need.Major)
	if need.RTX {
		name = fmt.Sprintf("libtensorrt_rtx.so.%d", need.Major)
	}
	if root != "" {
		return below(root, name)
	}
	names := []string{name}
	for _, prefix := range []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/tensorrt", "/opt/tensorrt", "/usr/local/cuda"} {
		names = append(names, below(prefix, name)...)
	}
	return names
}

// below finds files of a library in a folder as archives, packages and wheels
// lay them out, with and without the rest of the version in the name.
func below(root, name string) []string {
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return []string{root}
	}
	var found []string
	for _, sub := range []string{"", "lib", "lib64", "tensorrt_libs", "targets/x86_64-linux-gnu/lib"} {
		for _, pattern := range []string{name, name + ".*"} {
			dir := filepath.Join(root, sub)
			files, _ := fs.Glob(os.DirFS(dir), pattern)   // the pattern is well-formed
			for _, file := range slices.Backward(files) { // the newest of several
				found = append(found, filepath.Join(dir, file))
			}
		}
	}
	return found
}
