package gguf

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"fabula/engine"
)

// Available says why models cannot run here, nil if they can. The errors wrap
// engine.ErrUnavailable.
func Available() error {
	if Runtime() == "" {
		return fmt.Errorf("%w: this build has no llama.cpp: run make build", engine.ErrUnavailable)
	}
	if runtime.GOARCH != "amd64" {
		return nil // built on the machine it runs on
	}
	return supported(cpuid.CPU.Supports)
}

// needs are the instructions that the libraries were compiled to use; the
// first one that a processor lacks would end the process.
var needs = [...]cpuid.FeatureID{cpuid.AVX2, cpuid.FMA3, cpuid.F16C, cpuid.BMI2}

// supported names the instructions that has does not report.
func supported(has func(...cpuid.FeatureID) bool) error {
	var missing []string
	for _, f := range needs {
		if !has(f) {
			missing = append(missing, f.String())
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("%w: this processor lacks %s, which the llama.cpp of this build needs (x86-64-v3, most processors since 2013)",
		engine.ErrUnavailable, strings.Join(missing, ", "))
}
