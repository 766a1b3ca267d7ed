//go:build !llama

package gguf

import "fabula/engine/worker"

// Vocabulary is a model's tokeniser without its weights; this build has none.
type Vocabulary struct{ worker.Backend }

// OpenVocabulary fails: this build has no llama.cpp.
func OpenVocabulary(string) (*Vocabulary, error) { return nil, Available() }
