package gguf_test

import (
	"errors"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf"
)

// Without llama.cpp, or on a processor that cannot run it, the reason is one
// that a ladder passes over.
func TestAvailable(t *testing.T) {
	if err := gguf.Available(); err != nil && !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}
