//go:build llama

package gguf

import (
	"errors"
	"fmt"
	"io/fs"

	"fabula/engine"
	"fabula/engine/gguf/header"
)

// file is what the header tells of a model before llama.cpp sees it.
type file struct {
	demand
	name      string
	precision string
}

// inspect reads the header and refuses what cannot be a chat model. llama.cpp
// itself refuses architectures that it does not know.
func inspect(path string) (file, error) {
	h, err := header.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return file{}, fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	case err != nil:
		return file{}, fmt.Errorf("%w: %w", engine.ErrIncompatible, err)
	case h.Parts() > 1:
		return file{}, fmt.Errorf("gguf %s: %w: it is one of %d parts; join them first", path, engine.ErrIncompatible, h.Parts())
	case h.Architecture() == "" || len(h.Tensors) == 0:
		return file{}, fmt.Errorf("gguf %s: %w: it holds no model (architecture %q, %d tensors)",
			path, engine.ErrIncompatible, h.Architecture(), len(h.Tensors))
	case h.Vocabulary() == 0:
		return file{}, fmt.Errorf("gguf %s: %w: it holds no vocabulary (architecture %q)", path, engine.ErrIncompatible, h.Architecture())
	}
	return file{
		demand:    demand{weights: h.Size, cell: cell(h), trained: h.Context()},
		name:      h.Name(),
		precision: h.Precision(),
	}, nil
}

// cell is how many bytes of cache a token takes: a key and a value in 16 bits
// for every layer. Models whose layers differ are taken at their largest.
func cell(h *header.Header) int64 {
	value := func(key string, otherwise uint64) uint64 {
		if n, ok := h.Values[h.Architecture()+"."+key].Uint(); ok && n > 0 && n < 1<<20 {
			return n
		}
		return otherwise
	}
	heads := value("attention.head_count", 1)
	size := value("embedding_length", 0) / heads
	width := value("attention.key_length", size) + value("attention.value_length", size)
	return int64(value("block_count", 0) * value("attention.head_count_kv", heads) * width * 2)
}
