//go:build llama

package ranges

/*
#cgo CFLAGS: -std=gnu11
#cgo LDFLAGS: -lllama -lggml -lggml-cpu -lggml-base -lm -lpthread
#cgo linux LDFLAGS: -lstdc++ -ldl
#cgo darwin LDFLAGS: -lc++
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "llama.h"

// A product's input: the weight it is multiplied by, and the greatest magnitude of each
// of its channels.
struct seen { char weight[64]; int64_t channels; float *most; };
struct watch { struct seen *list; int count; };

static struct seen *of(struct watch *w, const char *weight, int64_t channels) {
	for (int i = 0; i < w->count; i++)
		if (strcmp(w->list[i].weight, weight) == 0) return w->list[i].channels == channels ? &w->list[i] : NULL;
	struct seen *list = realloc(w->list, sizeof *list * (size_t)(w->count + 1));
	float *most = calloc((size_t)channels, sizeof *most);
	if (list) w->list = list;
	if (!list || !most) {
		free(most);
		return NULL;
	}
	struct seen *s = &list[w->count++];
	strncpy(s->weight, weight, sizeof s->weight - 1);
	s->weight[sizeof s->weight - 1] = 0;
	s->channels = channels;
	s->most = most;
	return s;
}

// look is asked before and after every node of a graph; false stops the computation.
static bool look(struct ggml_tensor *t, bool before, void *data) {
	if (t->op != GGML_OP_MUL_MAT || strncmp(t->src[0]->name, "blk.", 4) != 0) return !before;
	if (before) return true;
	struct ggml_tensor const *x = t->src[1];
	struct seen *s = x->type == GGML_TYPE_F32 ? of(data, t->src[0]->name, x->ne[0]) : NULL;
	if (!s) return true;
	for (int64_t token = 0; token < ggml_nrows(x); token++) {
		float const *row = (float const *)((char const *)x->data + (size_t)token * x->nb[1]);
		for (int64_t i = 0; i < s->channels; i++)
			if (!(fabsf(row[i]) <= s->most[i])) s->most[i] = fabsf(row[i]);
	}
	return true;
}

static void silent(enum ggml_log_level level, const char *text, void *data) {
	(void)level, (void)text, (void)data;
}

static struct llama_model *load(const char *path) {
	setenv("GGML_NO_BACKTRACE", "1", 0);
	llama_log_set(silent, NULL);
	llama_backend_init();
	struct llama_model_params p = llama_model_default_params();
	p.n_gpu_layers = 0;
	return llama_model_load_from_file(path, p);
}

static struct llama_context *context(struct llama_model *m, uint32_t cells, int threads, struct watch *w) {
	struct llama_context_params p = llama_context_default_params();
	p.n_ctx = cells;
	p.n_batch = p.n_ubatch = p.n_outputs_max = 256;
	p.n_threads = p.n_threads_batch = threads;
	p.no_perf = true;
	p.cb_eval = look;
	p.cb_eval_user_data = w;
	return llama_init_from_model(m, p);
}

enum { piece = 256 }; // tokens that are computed at once

// run computes one text from an empty cache. Every token is to give logits: the last
// layer leaves out those that give none.
static int run(struct llama_context *c, int32_t *ids, int n) {
	llama_memory_clear(llama_get_memory(c), true);
	int8_t all[piece];
	memset(all, 1, sizeof all);
	int rc = 0;
	for (int at = 0; at < n && rc == 0; at += piece) {
		struct llama_batch b = llama_batch_get_one(ids + at, n - at < piece ? n - at : piece);
		b.logits = all;
		rc = llama_decode(c, b);
	}
	return rc;
}

static void forget(struct watch *w) {
	for (int i = 0; i < w->count; i++) free(w->list[i].most);
	free(w->list);
}
*/
import "C"

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"fabula/engine"
)

// Observe computes texts of tokens one by one, each from an empty cache, and gives the
// greatest magnitude of each channel of the inputs of the products of layers, under the
// names of package graph: blk.N.qkv, attn_output, gate_up, ffn_down. It ends between
// texts when ctx does. Errors wrap engine.ErrUnavailable or engine.ErrIncompatible.
func Observe(ctx context.Context, path string, texts [][]int32) (map[string][]float32, Counted, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	model := C.load(name)
	if model == nil {
		return nil, Counted{}, fmt.Errorf("ranges of %s: %w: llama.cpp refuses it", filepath.Base(path), engine.ErrIncompatible)
	}
	defer C.llama_model_free(model)
	longest := 0
	for _, ids := range texts {
		longest = max(longest, len(ids))
	}
	watch := (*C.struct_watch)(C.calloc(1, C.size_t(unsafe.Sizeof(C.struct_watch{}))))
	defer C.free(unsafe.Pointer(watch))
	defer C.forget(watch)
	c := C.context(model, C.uint32_t(longest+8), C.int(max(1, runtime.NumCPU())), watch)
	if c == nil {
		return nil, Counted{}, fmt.Errorf("ranges of %s: %w: no context of %d tokens", filepath.Base(path), engine.ErrUnavailable, longest)
	}
	defer C.llama_free(c)
	var n Counted
	for _, ids := range texts {
		if err := ctx.Err(); err != nil {
			return nil, n, err
		}
		if len(ids) == 0 {
			continue
		}
		if rc := C.run(c, (*C.int32_t)(&ids[0]), C.int(len(ids))); rc != 0 {
			return nil, n, fmt.Errorf("ranges of %s: %w: llama.cpp ends a text of %d tokens with %d", filepath.Base(path), engine.ErrUnavailable, len(ids), int(rc))
		}
		n.Texts, n.Tokens = n.Texts+1, n.Tokens+len(ids)
	}
	found, err := collected(watch)
	return found, n, err
}

// products say which product a weight belongs to; what several share has one input.
var products = map[string]string{
	"attn_q": "qkv", "attn_k": "qkv", "attn_v": "qkv", "attn_qkv": "qkv", "attn_output": "attn_output",
	"ffn_gate": "gate_up", "ffn_up": "gate_up", "ffn_down": "ffn_down",
}

func collected(w *C.struct_watch) (map[string][]float32, error) {
	list := map[string][]float32{}
	for _, s := range unsafe.Slice(w.list, w.count) {
		layer, rest, _ := strings.Cut(strings.TrimPrefix(C.GoString(&s.weight[0]), "blk."), ".")
		product, known := products[strings.TrimSuffix(rest, ".weight")]
		if !known {
			continue
		}
		key := "blk." + layer + "." + product
		most := unsafe.Slice((*float32)(unsafe.Pointer(s.most)), s.channels)
		if list[key] == nil {
			list[key] = make([]float32, len(most))
		}
		for i, v := range most {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("ranges: %w: channel %d of %s is %g", engine.ErrIncompatible, i, key, v)
			}
			list[key][i] = max(list[key][i], v)
		}
	}
	return list, nil
}
