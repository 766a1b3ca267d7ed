//go:build llama && linux

package gguf_test

import (
	"errors"
	"os"
	"path/filepath"
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

func TestPlan(t *testing.T) {
	const mib = 1 << 20
	tests := []struct {
		name              string
		weights, cell     int64
		trained, asked    int
		free              int64
		window, sequences int
		is                error
		says              string
	}{
		{name: "toy with room", weights: 98 * mib, cell: 23040, trained: 8192, free: 8192 * mib, window: 4096, sequences: 4},
		{name: "unknown memory", weights: 98 * mib, cell: 23040, trained: 8192, window: 4096, sequences: 4},
		{name: "trained for less", weights: 98 * mib, cell: 23040, trained: 2048, free: 8192 * mib, window: 2048, sequences: 4},
		{name: "donors go first", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 5500 * mib, window: 4096, sequences: 2},
		{name: "then the window", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 4700 * mib, window: 2048, sequences: 1},
		{name: "too big", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 2048 * mib, is: engine.ErrUnavailable, says: "weights 4096 MiB"},
		{name: "asked for is kept", weights: 4096 * mib, cell: 128 << 10, trained: 8192, asked: 8192, free: 4700 * mib, is: engine.ErrUnavailable, says: "for 8192 tokens"},
		{name: "asked beyond training", weights: 98 * mib, cell: 23040, trained: 8192, asked: 16384, is: engine.ErrIncompatible, says: "trained for 8192"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			window, sequences, err := gguf.Plan(tt.weights, tt.cell, tt.trained, tt.asked, tt.free)
			if window != tt.window || sequences != tt.sequences || !errors.Is(err, tt.is) {
				t.Errorf("window %d, sequences %d, error %v", window, sequences, err)
			}
			if tt.is != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v does not say %q", err, tt.says)
			}
		})
	}
}

func TestGroupLeft(t *testing.T) {
	tests := []struct {
		name string
		max  string
		left int64
	}{
		{"no limit", "max", 0},
		{"limit", "1000", 700}, // 600 used, of which 300 are file cache
		{"spent", "100", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"memory.max": tt.max + "\n", "memory.current": "600\n", "memory.stat": "anon 300\nfile 300\nfile_mapped 5\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if left := gguf.GroupLeft(dir); left != tt.left {
				t.Errorf("left %d, want %d", left, tt.left)
			}
		})
	}
}
