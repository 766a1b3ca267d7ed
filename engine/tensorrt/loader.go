//go:build tensorrt

package tensorrt

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"fabula/engine"
	"fabula/engine/tensorrt/bridge"
)

// LoaderFinds starts this program again where the loader would not find what lies
// beside the library below root: TensorRT 10 asks for its builder's file by name alone,
// and the loader reads LD_LIBRARY_PATH only when a program starts. It comes back when
// there is nothing to do, or with an error.
func LoaderFinds(root string) error {
	library, err := bridge.OpenLibrary(root)
	if err != nil {
		return err
	}
	dir := filepath.Dir(library.Path())
	have := os.Getenv("LD_LIBRARY_PATH")
	if root == "" || library.Version().RTX || slices.Contains(filepath.SplitList(have), dir) {
		return nil
	}
	if have != "" {
		dir += string(filepath.ListSeparator) + have
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Setenv("LD_LIBRARY_PATH", dir) // in the place of the old one, which would count otherwise
	}
	if err == nil {
		err = unix.Exec(self, os.Args, os.Environ())
	}
	return fmt.Errorf("%w: start again with LD_LIBRARY_PATH=%s: %w", engine.ErrUnavailable, dir, err)
}
