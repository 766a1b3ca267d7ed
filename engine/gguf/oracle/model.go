//go:build llama

package oracle

/*
#include <stdlib.h>
#include <string.h>
#include "llama.h"

static char said[2048]; // errors of llama.cpp since the last load

static void keep(enum ggml_log_level level, const char *text, void *data) {
	(void)data;
	if (level == GGML_LOG_LEVEL_ERROR) {
		strncat(said, text, sizeof said - strlen(said) - 1);
	}
}

static const char *errors(void) { return said; }

static struct llama_model *load(const char *path) {
	setenv("GGML_NO_BACKTRACE", "1", 0);
	said[0] = 0;
	llama_log_set(keep, NULL);
	llama_backend_init();
	struct llama_model_params p = llama_model_default_params();
	p.n_gpu_layers = 0;
	return llama_model_load_from_file(path, p);
}

static struct llama_context *context(struct llama_model *m, uint32_t cells, uint32_t sequences) {
	struct llama_context_params p = llama_context_default_params();
	p.n_ctx = cells * sequences;
	p.n_batch = p.n_ubatch = p.n_ctx;
	p.n_seq_max = sequences;
	p.n_outputs_max = p.n_ctx;
	p.n_threads = p.n_threads_batch = 2;
	p.type_k = p.type_v = GGML_TYPE_F32;
	p.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
	p.no_perf = true;
	return llama_init_from_model(m, p);
}

static int decode(struct llama_context *c, int seq, int pos, const int32_t *ids, int n) {
	struct llama_batch b = llama_batch_init(n, 0, 1);
	for (int i = 0; i < n; i++) {
		b.token[i] = ids[i];
		b.pos[i] = pos + i;
		b.n_seq_id[i] = 1;
		b.seq_id[i][0] = seq;
		b.logits[i] = 1;
	}
	b.n_tokens = n;
	int rc = llama_decode(c, b);
	llama_batch_free(b);
	return rc;
}
*/
import "C"

import (
	"fmt"
	"slices"
	"unsafe"
)

// Model is a loaded model with a context.
type Model struct {
	m     *C.struct_llama_model
	c     *C.struct_llama_context
	vocab int
}

// Open loads a GGUF file with room for so many sequences of cells tokens each.
// It is for one goroutine at a time.
func Open(path string, cells, sequences int) (*Model, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	m := &Model{m: C.load(name)}
	if m.m == nil {
		return nil, fmt.Errorf("llama.cpp refuses %s: %s", path, C.GoString(C.errors()))
	}
	if m.c = C.context(m.m, C.uint32_t(cells), C.uint32_t(sequences)); m.c == nil {
		m.Close()
		return nil, fmt.Errorf("llama.cpp makes no context for %s: %s", path, C.GoString(C.errors()))
	}
	m.vocab = int(C.llama_vocab_n_tokens(C.llama_model_get_vocab(m.m)))
	return m, nil
}

// Decode appends ids to a sequence that holds at tokens, and gives the logits
// after each of them.
func (m *Model) Decode(seq, at int, ids []int32) ([][]float32, error) {
	if rc := C.decode(m.c, C.int(seq), C.int(at), (*C.int32_t)(&ids[0]), C.int(len(ids))); rc != 0 {
		return nil, fmt.Errorf("decode: llama.cpp returned %d", rc)
	}
	logits := make([][]float32, len(ids))
	for i := range ids {
		row := C.llama_get_logits_ith(m.c, C.int32_t(i))
		if row == nil {
			return nil, fmt.Errorf("decode: no logits of token %d", i)
		}
		logits[i] = slices.Clone(unsafe.Slice((*float32)(row), m.vocab))
	}
	return logits, nil
}

// Tokens splits text into ids; nothing in it becomes a control token.
func (m *Model) Tokens(text string) []int32 {
	ids := make([]int32, len(text)+8)
	n := C.llama_tokenize(C.llama_model_get_vocab(m.m), (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int32_t(len(text)),
		(*C.llama_token)(&ids[0]), C.int32_t(len(ids)), false, false)
	return ids[:max(0, n)]
}

// Close frees model and context.
func (m *Model) Close() {
	if m.c != nil {
		C.llama_free(m.c)
	}
	C.llama_model_free(m.m)
	m.m, m.c = nil, nil
}
