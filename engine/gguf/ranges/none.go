//go:build !llama

package ranges

import (
	"context"
	"fmt"

	"fabula/engine"
)

// Observe fails: this build has no llama.cpp.
func Observe(context.Context, string, [][]int32) (map[string][]float32, Counted, error) {
	return nil, Counted{}, fmt.Errorf("ranges: %w: this build has no llama.cpp", engine.ErrUnavailable)
}
