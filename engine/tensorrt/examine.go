//go:build tensorrt

package tensorrt

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fabula/engine/tensorrt/bridge"
)

// Examine looks for everything that building and running plans needs.
func Examine(root string) []Finding {
	need, _ := bridge.Headers()
	var list []Finding
	library, err := bridge.OpenLibrary(root)
	if err != nil {
		list = append(list, Finding{Name: "tensorrt", What: err.Error(), Do: "install " + need.String() + ", or set TENSORRT_ROOT to its folder"})
	} else {
		list = append(list, Finding{Name: "tensorrt", OK: true, What: fmt.Sprintf("%s, %s, built with headers of %s", library.Version(), library.Path(), need)}, builder(library))
	}
	if !bridge.Plugins() {
		list = append(list, Finding{Name: "engines", What: need.String() + " builds engines, but this version does not run them", Do: otherFlavour})
	}
	cards, err := bridge.Driver()
	if err == nil && cards == 0 {
		err = fmt.Errorf("the CUDA driver sees no card")
	}
	if err != nil {
		return append(list, Finding{Name: "driver", What: err.Error(), Do: "install NVIDIA's driver; the CPU engine serves meanwhile"})
	}
	for i := range cards {
		list = append(list, examineCard(i))
	}
	return list
}

// builder looks for the files that the library builds with, beside it.
func builder(l *bridge.Library) Finding {
	if l.Version().RTX {
		return Finding{Name: "builder", OK: true, What: "within the library"}
	}
	files, _ := fs.Glob(os.DirFS(filepath.Dir(l.Path())), "libnvinfer_builder_resource*.so*") // the pattern is well-formed
	if files == nil {
		return Finding{Name: "builder", What: "no libnvinfer_builder_resource beside the library: engines run, but none can be built", Do: "install the builder resource of your card's compute capability"}
	}
	return Finding{Name: "builder", OK: true, What: strings.Join(files, ", ")}
}

func examineCard(ordinal int) Finding {
	d, err := bridge.OpenDevice(ordinal)
	if err != nil {
		return Finding{Name: "card", What: err.Error()}
	}
	defer d.Close()
	c, err := d.Card()
	if err != nil {
		return Finding{Name: "card", What: err.Error()}
	}
	return Finding{Name: "card", OK: true, What: fmt.Sprintf("%d: %s, compute capability %d.%d, %d MiB of %d MiB free, CUDA %d.%d, %s",
		ordinal, c.Name, c.Major, c.Minor, c.Free>>20, c.Memory>>20, c.Driver/1000, c.Driver%1000/10, c.UUID)}
}
