//go:build llama

package gguf

import (
	"errors"
	"fmt"
	"io/fs"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/memory"
)

// file is what the header tells of a model before llama.cpp sees it.
type file struct {
	memory.Demand
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
		Demand:    memory.Of(h),
		name:      h.Name(),
		precision: h.Precision(),
	}, nil
}
