//go:build !tensorrt

package tensorrt

import (
	"context"
	"fmt"

	"fabula/engine"
)

// Available says whether this build can make and run plans, without opening
// anything. nil if it can.
func Available() error {
	return fmt.Errorf("%w: this build has no TensorRT: see 'Use your NVIDIA card' in the README", engine.ErrUnavailable)
}

// Build fails: this build has no TensorRT.
func Build(context.Context, BuildOptions, func(Progress)) (string, *Manifest, error) {
	return "", nil, Available()
}
