//go:build !llama

package gguf_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/worker"
)

func TestNotLinked(t *testing.T) {
	_, err := gguf.Open(worker.Load{Model: "m.gguf"}, func(float64) {})
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v", err)
	}
}
