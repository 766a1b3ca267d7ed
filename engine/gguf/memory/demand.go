// Package memory tells before a model is loaded how much memory it will take
// and which context fits into what is free. It is plain Go: the catalogue asks
// it without any model runtime.
//
// The figures are an upper bound for llama.cpp's layout: the whole file, a key
// and a value of 16 bits for every layer and token, and a fixed rest. Non-goals:
// memory of other backends, measuring what a running model takes.
package memory

import "fabula/engine/gguf/header"

// Demand are the figures of a model that decide how much memory it takes.
type Demand struct {
	Weights int64 // bytes of the file
	Cell    int64 // bytes of cache a token takes, all layers together
	Trained int   // window that the model was trained for in tokens, 0 = unknown
	Layers  int   // blocks, each of which can be put onto a graphics card; 0 = unknown
}

// Of reads the figures from a file's header.
func Of(h *header.Header) Demand {
	return Demand{Weights: h.Size, Cell: cell(h), Trained: h.Context(), Layers: int(value(h, "block_count", 0))}
}

// cell is how many bytes of cache a token takes: a key and a value in 16 bits
// for every layer. Models whose layers differ are taken at their largest.
func cell(h *header.Header) int64 {
	heads := value(h, "attention.head_count", 1)
	size := value(h, "embedding_length", 0) / heads
	width := value(h, "attention.key_length", size) + value(h, "attention.value_length", size)
	return int64(value(h, "block_count", 0) * value(h, "attention.head_count_kv", heads) * width * 2)
}

// value reads a number of the architecture; files that state nonsense get what
// is usual otherwise.
func value(h *header.Header, key string, otherwise uint64) uint64 {
	if n, ok := h.Values[h.Architecture()+"."+key].Uint(); ok && n > 0 && n < 1<<20 {
		return n
	}
	return otherwise
}
