//go:build llama

package oracle

/*
#cgo CFLAGS: -std=gnu11
#cgo LDFLAGS: -lllama -lggml -lggml-cpu -lggml-base -lm -lpthread
#cgo linux LDFLAGS: -lstdc++ -ldl
#cgo darwin LDFLAGS: -lc++
#include "ggml.h"

static int expand(int type, const void *raw, float *dst, int64_t n) {
	ggml_to_float_t to_float = ggml_get_type_traits((enum ggml_type)type)->to_float;
	if (!to_float) {
		return 0;
	}
	to_float(raw, dst, n);
	return 1;
}
*/
import "C"

import (
	"fmt"
	"unsafe"

	"fabula/engine/gguf/header"
)

// Quantise stores rows of cols values in a format, as llama.cpp's quantiser does.
func Quantise(t header.Type, values []float32, cols int) ([]byte, error) {
	block, bytes := t.Block()
	if block == 0 || len(values) == 0 || len(values)%cols != 0 || cols%block != 0 {
		return nil, fmt.Errorf("quantise %d values in rows of %d to %s", len(values), cols, t)
	}
	raw := make([]byte, len(values)/block*bytes)
	n := C.ggml_quantize_chunk(C.enum_ggml_type(t), (*C.float)(&values[0]), unsafe.Pointer(&raw[0]), 0,
		C.int64_t(len(values)/cols), C.int64_t(cols), nil)
	if int(n) != len(raw) {
		return nil, fmt.Errorf("quantise to %s: %d bytes, not %d", t, n, len(raw))
	}
	return raw, nil
}

// Expand reads n values from blocks of a format.
func Expand(t header.Type, raw []byte, n int) ([]float32, error) {
	values := make([]float32, n)
	if C.expand(C.int(t), unsafe.Pointer(&raw[0]), (*C.float)(&values[0]), C.int64_t(n)) == 0 {
		return nil, fmt.Errorf("ggml cannot expand %s", t)
	}
	return values, nil
}
