package tiny

import (
	"fmt"
	"slices"

	"fabula/engine/tensorrt/graph"
)

// Recipe quantises a graph by a scheme as if every channel of every product's input
// ranged over input, and every column of every weight over weight.
func Recipe(g *graph.Graph, scheme graph.Scheme, input, weight float32) graph.Recipe {
	r := graph.Recipe{Scheme: scheme, Alpha: 0.5, Ranges: map[string][]float32{}}
	for name, n := range g.Channels() {
		r.Ranges[name] = slices.Repeat([]float32{input}, n)
	}
	r.Columns = func(constant string) ([]float32, error) {
		id, ok := g.Lookup(constant)
		if !ok {
			return nil, fmt.Errorf("no constant %s", constant)
		}
		return slices.Repeat([]float32{weight}, int(g.Tensor(id).Dims[1])), nil
	}
	return r
}
