//go:build !llama

package gguf

import "fabula/engine/worker"

// Runtime names the llama.cpp that is linked in, "" without one.
func Runtime() string { return "" }

// Open fails: this build has no llama.cpp.
func Open(worker.Load, func(float64)) (worker.Backend, error) { return nil, Available() }

// Devices is empty: this build has no llama.cpp.
func Devices() []Device { return nil }
