//go:build llama && linux

package gguf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"

	"fabula/engine"
	"fabula/engine/gguf"
)

func TestSupported(t *testing.T) {
	if err := gguf.Supported(func(...cpuid.FeatureID) bool { return true }); err != nil {
		t.Error(err)
	}
	err := gguf.Supported(func(f ...cpuid.FeatureID) bool { return f[0] != cpuid.AVX2 && f[0] != cpuid.BMI2 })
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "lacks AVX2, BMI2") {
		t.Errorf("error %v", err)
	}
}
