//go:build llama

package gguf

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"unsafe"

	"fabula/engine"
	"fabula/engine/worker"
)

// Vocabulary is a model's tokeniser without its weights, for engines that compute
// elsewhere. Its methods are those of worker.Backend and may be called from any
// goroutine, but for Close.
type Vocabulary struct {
	model
	loaded *C.struct_llama_model
}

// OpenVocabulary reads the tokeniser and the chat template of a GGUF file. Errors
// wrap engine.ErrUnavailable or engine.ErrIncompatible.
func OpenVocabulary(path string) (*Vocabulary, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	file, err := inspect(path)
	if err != nil {
		return nil, err
	}
	C.fabula_log_to_stderr()
	C.fabula_free(C.fabula_new()) // starts llama.cpp
	params := C.llama_model_default_params()
	params.vocab_only = true
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	v := &Vocabulary{loaded: C.llama_model_load_from_file(name, params)}
	if v.loaded == nil {
		return nil, fmt.Errorf("model %s: %w: llama.cpp refuses it: %s", path, engine.ErrIncompatible, lastError())
	}
	v.vocab = C.llama_model_get_vocab(v.loaded)
	v.words()
	v.facts.Model, v.facts.Precision = file.name, file.precision
	v.facts.Template = C.GoString(C.llama_model_chat_template(v.loaded, nil))
	return v, nil
}

// Facts tells what the file says; what only a running model knows is zero.
func (v *Vocabulary) Facts() worker.Facts { return v.facts }

// Close gives the tokeniser's memory back.
func (v *Vocabulary) Close() error {
	C.llama_model_free(v.loaded)
	v.loaded = nil
	return nil
}
