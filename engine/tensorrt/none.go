//go:build !tensorrt

package tensorrt

import (
	"context"
	"fmt"

	"fabula/engine"
	"fabula/engine/worker"
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

// LoaderFinds fails: this build has no TensorRT.
func LoaderFinds(string) error { return Available() }

// Open fails: this build has no TensorRT.
func Open(OpenOptions) worker.Open {
	return func(worker.Load, func(float64)) (worker.Backend, error) { return nil, Available() }
}

// Verify fails: this build has no TensorRT.
func Verify(context.Context, OpenOptions, string, string, func(Progress)) (*SelfTest, error) {
	return nil, Available()
}

// Measure fails: this build has no TensorRT.
func Measure(context.Context, MeasureOptions) (*Report, error) { return nil, Available() }

// MeasureShape fails: this build has no TensorRT.
func MeasureShape(context.Context, MeasureOptions, string, BuildOptions) (*Report, error) {
	return nil, Available()
}

// Examine says that this build has no TensorRT.
func Examine(string) []Finding {
	return []Finding{{Name: "tensorrt", What: "this build has none: the CPU engine serves", Do: "see 'Use your NVIDIA card' in the README"}}
}
