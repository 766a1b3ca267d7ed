//go:build llama

package gguf

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unsafe"

	"fabula/engine"
	"fabula/engine/gguf/memory"
	"fabula/engine/worker"
)

// Open implements worker.Open: it refuses what the processor, the memory or
// llama.cpp cannot take, loads the weights, and measures how to run them.
func Open(l worker.Load, progress func(float64)) (worker.Backend, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	file, err := inspect(l.Model)
	if err != nil {
		return nil, err
	}
	devices := Devices()
	plan, err := file.Within(l.Context, Room(devices), l.Memory)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", l.Model, err)
	}
	sum := make(chan hashed, 1)
	go func() { sum <- hash(l) }()
	_ = lastError() // of an earlier model
	layers := 0
	if !l.NoCard {
		layers = file.Offload(plan, cards(devices))
	}
	m, err := opened(l, file, plan, layers, progress)
	if err != nil && layers > 0 { // a card may promise more than it keeps
		refused := err
		if m, err = opened(l, file, plan, 0, progress); err == nil {
			layers, m.facts.Note = 0, "no layer on a card: "+refused.Error()
		}
	}
	if err != nil {
		return nil, err
	}
	m.facts.Runtime += placed(layers, file.Layers+1, devices)
	h := <-sum
	if h.err != nil {
		_ = m.Close()
		return nil, fmt.Errorf("model %s: %w: %w", l.Model, engine.ErrUnavailable, h.err)
	}
	m.facts.BaseHash = h.sum
	return m, nil
}

// placed says in a few words where a model is, for every recorded reply.
func placed(layers, all int, devices []Device) string {
	if Accelerator() == "" {
		return ""
	}
	if layers == 0 || len(devices) == 0 {
		return ", no layer on a card"
	}
	var names []string
	for _, d := range devices {
		names = append(names, d.Model)
	}
	return fmt.Sprintf(", %d of %d layers on %s", layers, all, strings.Join(names, ", "))
}

// opened loads a model with so many layers on cards; nothing is left when it
// fails.
func opened(l worker.Load, file file, plan memory.Plan, layers int, progress func(float64)) (*model, error) {
	m := &model{e: C.fabula_new()}
	if err := m.open(l, file, plan, layers, progress); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// open loads weights, vocabulary and context.
func (m *model) open(l worker.Load, file file, plan memory.Plan, layers int, progress func(float64)) error {
	if err := m.weights(l.Model, layers, progress); err != nil {
		return err
	}
	m.onCard = file.Layers > 0 && layers > file.Layers
	if err := m.kind(l.Model); err != nil {
		return err
	}
	m.words()
	m.facts.Context, m.facts.Precision, m.facts.Model = plan.Window, file.precision, file.name
	m.facts.Sequences, m.facts.Batch, m.facts.Scores = plan.Sequences, plan.Sequences, max(maxScores, plan.Sequences)
	m.facts.Neighbours, m.facts.Memory = true, plan.Cache
	m.facts.Runtime, m.facts.Note = Runtime(), plan.Note
	m.facts.Template = C.GoString(C.llama_model_chat_template(C.fabula_model(m.e), nil))
	if !bool(C.fabula_context(m.e, C.uint32_t(plan.Window), C.uint32_t(plan.Sequences), pass, batch, C.uint32_t(m.facts.Scores), flash)) {
		return fmt.Errorf("model %s: %w: no context of %d tokens: %s", l.Model, engine.ErrUnavailable, plan.Window, lastError())
	}
	return m.tune(l.Threads)
}

// weights loads the file. Progress is polled, since C must not call Go from
// threads that Go does not know.
func (m *model) weights(path string, layers int, progress func(float64)) error {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	loaded := make(chan bool, 1)
	go func() { loaded <- bool(C.fabula_load(m.e, name, C.int(layers))) }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case ok := <-loaded:
			if !ok {
				return fmt.Errorf("model %s: %w: llama.cpp refuses it: %s", path, engine.ErrIncompatible, lastError())
			}
			return nil
		case <-tick.C:
			progress(float64(C.fabula_progress(m.e)) / 1000)
		}
	}
}

// kind refuses models that do not write text token by token.
func (m *model) kind(path string) error {
	mod := C.fabula_model(m.e)
	switch {
	case bool(C.llama_model_has_encoder(mod)) || !bool(C.llama_model_has_decoder(mod)):
		return fmt.Errorf("model %s: %w: it needs an encoder; only plain decoders can chat", path, engine.ErrIncompatible)
	case bool(C.llama_model_is_diffusion(mod)):
		return fmt.Errorf("model %s: %w: it is a diffusion model", path, engine.ErrIncompatible)
	}
	m.vocab = C.fabula_vocab(m.e)
	if C.llama_vocab_type(m.vocab) == C.LLAMA_VOCAB_TYPE_NONE || C.llama_vocab_n_tokens(m.vocab) == 0 {
		return fmt.Errorf("model %s: %w: it has no vocabulary", path, engine.ErrIncompatible)
	}
	m.facts.Rewind = !bool(C.llama_model_is_recurrent(mod)) && !bool(C.llama_model_is_hybrid(mod))
	return nil
}

// words reads what the vocabulary says of its tokens. Ids that a file names and
// does not have are left out.
func (m *model) words() {
	n := int(C.llama_vocab_n_tokens(m.vocab))
	m.ends = make([]bool, n)
	m.facts.Vocab = n
	for i := range n {
		id := C.llama_token(i)
		m.ends[i] = bool(C.llama_vocab_is_eog(m.vocab, id))
		if !m.ends[i] && C.llama_vocab_get_attr(m.vocab, id)&(C.LLAMA_TOKEN_ATTR_CONTROL|C.LLAMA_TOKEN_ATTR_UNUSED) != 0 {
			m.facts.Banned = append(m.facts.Banned, int32(i))
		}
	}
	bos := int32(C.llama_vocab_bos(m.vocab))
	m.facts.BOS, m.facts.EOS = m.Name(bos), m.Name(int32(C.llama_vocab_eos(m.vocab)))
	m.facts.First = -1
	if bool(C.llama_vocab_get_add_bos(m.vocab)) && m.valid(bos) {
		m.facts.First = bos
	}
}

type hashed struct {
	sum string
	err error
}

// hash gives the SHA-256 of the weights, read while llama.cpp reads them too.
func hash(l worker.Load) hashed {
	if l.BaseHash != "" {
		return hashed{sum: l.BaseHash}
	}
	f, err := os.Open(l.Model)
	if err != nil {
		return hashed{err: err}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return hashed{err: err}
	}
	return hashed{sum: hex.EncodeToString(h.Sum(nil))}
}
