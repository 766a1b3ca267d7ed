//go:build llama

package gguf

/*
#cgo CFLAGS: -std=gnu11
#cgo LDFLAGS: -lllama -lggml -lggml-cpu -lggml-base -lm -lpthread
#cgo linux LDFLAGS: -lstdc++ -ldl
#cgo darwin LDFLAGS: -lc++
#include <stdlib.h>
#include "bridge.h"
#include "fabula_runtime.h"
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"fabula/engine/worker"
)

// Runtime names the llama.cpp that is linked in, "" without one.
func Runtime() string { return C.FABULA_LLAMA_RUNTIME }

// Devices asks the drivers which graphics cards there are; it may take seconds,
// and a broken driver may end the process.
func Devices() []Device {
	C.fabula_log_to_stderr()
	var list []Device
	for i := range int(C.fabula_cards()) {
		var name, kind *C.char
		var free, total C.size_t
		var shared C.bool
		C.fabula_card(C.int(i), &name, &kind, &free, &total, &shared)
		list = append(list, Device{C.GoString(name), C.GoString(kind), int64(free), int64(total), bool(shared)})
	}
	return list
}

// batch is the most tokens of one run, and what llama.cpp computes at once; pass
// the most of one decode; maxScores its most logits, whose memory is reserved: 8 MB
// twice for a vocabulary of 65,536.
const (
	batch     = 128
	pass      = 2 * batch
	maxScores = 32
)

// flash says whether attention is fused. Off is right for processors: measured
// on two AVX2 cores with SmolLM2-135M Q4_1, a token at depth 2,048 takes 11 ms
// without it and 28 ms with it. And without it, with GGML_LLAMAFILE off, a
// token's logits do not depend on how the prompt was cut into batches (equal
// bit by bit in batches of 1, 16, 48 and 128), nor on whether its prefix was
// computed or found, so that a seed gives the same reply; with it they differed
// by up to 0.6.
const flash = false

// model is one opened model; it implements worker.Backend.
type model struct {
	e     *C.fabula_engine
	vocab *C.struct_llama_vocab
	facts worker.Facts
	ends  []bool // by id

	onCard bool // all layers are

	crowd crowd
	order order
}

func (m *model) Facts() worker.Facts { return m.facts }

// Tokens implements worker.Backend. llama.cpp's tokeniser takes no lock and
// changes nothing.
func (m *model) Tokens(text string, control bool) ([]int32, error) {
	if text == "" {
		return nil, nil
	}
	ids := make([]int32, len(text)+8) // a token holds a byte at least
	n := C.llama_tokenize(m.vocab, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int32_t(len(text)),
		(*C.llama_token)(&ids[0]), C.int32_t(len(ids)), false, C.bool(control))
	if n < 0 || int(n) > len(ids) {
		return nil, fmt.Errorf("tokenise %d bytes: llama.cpp returned %d", len(text), n)
	}
	return ids[:n], nil
}

// Piece implements worker.Backend.
func (m *model) Piece(id int32) []byte { return m.piece(id, false) }

// Name implements worker.Backend.
func (m *model) Name(id int32) string {
	if !m.valid(id) {
		return ""
	}
	return C.GoString(C.llama_vocab_get_text(m.vocab, C.llama_token(id)))
}

func (m *model) piece(id int32, special bool) []byte {
	if !m.valid(id) {
		return nil
	}
	buf := make([]byte, 64)
	for {
		n := C.llama_token_to_piece(m.vocab, C.llama_token(id), (*C.char)(unsafe.Pointer(&buf[0])), C.int32_t(len(buf)), 0, C.bool(special))
		if n >= 0 {
			return buf[:n]
		}
		buf = make([]byte, -n)
	}
}

func (m *model) valid(id int32) bool { return id >= 0 && int(id) < len(m.ends) }

// Ends implements worker.Backend.
func (m *model) Ends(id int32) bool { return m.valid(id) && m.ends[id] }

// Truncate implements worker.Backend.
func (m *model) Truncate(seq, n int) bool {
	if bool(C.fabula_seq_rm(m.e, C.int(seq), C.int(n))) {
		return true
	}
	C.fabula_seq_rm(m.e, C.int(seq), -1)
	return false
}

// Copy implements worker.Backend. The next Decode does the copying.
func (m *model) Copy(src, dst, n int) {
	C.fabula_seq_cp(m.e, C.int(src), C.int(dst), C.int(n))
}

// Abort implements worker.Backend.
func (m *model) Abort(on bool) { C.fabula_abort(m.e, C.bool(on)) }

// Close implements worker.Backend.
func (m *model) Close() error {
	C.fabula_free(m.e)
	m.e = nil
	return nil
}

// lastError takes what llama.cpp logged as an error, for error texts.
func lastError() string {
	var buf [512]byte
	C.fabula_take_error((*C.char)(unsafe.Pointer(&buf[0])), C.size_t(len(buf)))
	text, _, _ := strings.Cut(string(buf[:]), "\x00")
	if text = strings.TrimSpace(text); text == "" {
		return "no reason given"
	}
	return text
}
