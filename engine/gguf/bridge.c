//go:build llama

#include "bridge.h"

#ifdef __linux__
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#define HUGE_PAGE ((size_t)2 << 20)
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ggml-cpu.h"

#ifdef __linux__
// posix_memalign takes the place of the C library's; ggml allocates weights and
// cache by it. A token reads all weights once, which with pages of 4 KiB costs a
// tenth of its time in looking up addresses; so large blocks are asked for in
// huge pages, before anything touches them.
int posix_memalign(void **out, size_t alignment, size_t size) {
	if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
		return EINVAL;
	}
	bool large = size >= 4 * HUGE_PAGE;
	void *p = aligned_alloc(large && alignment < HUGE_PAGE ? HUGE_PAGE : alignment, size);
	if (!p) {
		return ENOMEM;
	}
	if (large) {
		madvise(p, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); // a wish; nothing depends on it
	}
	*out = p;
	return 0;
}
#endif

#define MAX_POOLS 16 // the doublings up to 4,096 threads, and three more

struct fabula_engine {
	struct llama_model *model;
	struct llama_context *ctx;
	struct llama_batch batch;
	int32_t capacity; // of batch, 0 = none
	ggml_threadpool_t pools[MAX_POOLS]; // one for every number of threads that was asked for
	int sizes[MAX_POOLS], n_pools;
	atomic_bool abort, hurry;
	atomic_int progress;
};

static pthread_mutex_t last_mutex = PTHREAD_MUTEX_INITIALIZER;
static char first_error[512]; // since it was taken; later ones only say that something failed

static void log_line(enum ggml_log_level level, const char *text, void *data) {
	(void)data;
	if (level == GGML_LOG_LEVEL_DEBUG) {
		return;
	}
	fputs(text, stderr);
	if (level == GGML_LOG_LEVEL_ERROR) {
		pthread_mutex_lock(&last_mutex);
		if (first_error[0] == 0) {
			snprintf(first_error, sizeof first_error, "%s", text);
		}
		pthread_mutex_unlock(&last_mutex);
	}
}

void fabula_log_to_stderr(void) {
	setvbuf(stderr, NULL, _IOLBF, 0);
	llama_log_set(log_line, NULL);
	ggml_log_set(log_line, NULL);
}

void fabula_take_error(char *buf, size_t size) {
	pthread_mutex_lock(&last_mutex);
	snprintf(buf, size, "%s", first_error);
	first_error[0] = 0;
	pthread_mutex_unlock(&last_mutex);
}

static bool loading(float progress, void *data) {
	fabula_engine *e = data;
	atomic_store(&e->progress, (int)(progress * 1000));
	return !atomic_load(&e->abort);
}

static bool aborted(void *data) {
	fabula_engine *e = data;
	return atomic_load_explicit(&e->abort, memory_order_relaxed) || atomic_load_explicit(&e->hurry, memory_order_relaxed);
}

fabula_engine *fabula_new(void) {
	// An assertion that fails would run a debugger on us before it aborts.
	setenv("GGML_NO_BACKTRACE", "1", 0);
	llama_backend_init();
	return calloc(1, sizeof(fabula_engine));
}

static void free_context(fabula_engine *e) {
	if (e->ctx) {
		llama_free(e->ctx);
		e->ctx = NULL;
	}
	while (e->n_pools > 0) { // after the context, whose backend still points to one
		ggml_threadpool_free(e->pools[--e->n_pools]);
	}
	if (e->capacity > 0) {
		llama_batch_free(e->batch);
		e->capacity = 0;
	}
}

void fabula_free(fabula_engine *e) {
	if (!e) {
		return;
	}
	free_context(e);
	if (e->model) {
		llama_model_free(e->model);
	}
	free(e);
}

// card gives the i-th graphics card, NULL when there are fewer.
static ggml_backend_dev_t card(int i) {
	for (size_t at = 0; at < ggml_backend_dev_count(); at++) {
		ggml_backend_dev_t dev = ggml_backend_dev_get(at);
		enum ggml_backend_dev_type type = ggml_backend_dev_type(dev);
		if ((type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU) && i-- == 0) {
			return dev;
		}
	}
	return NULL;
}

int fabula_cards(void) {
	int n = 0;
	while (card(n)) {
		n++;
	}
	return n;
}

void fabula_card(int i, const char **name, const char **model, size_t *free, size_t *total, bool *shared) {
	ggml_backend_dev_t dev = card(i);
	*name = ggml_backend_dev_name(dev);
	*model = ggml_backend_dev_description(dev);
	ggml_backend_dev_memory(dev, free, total);
	*shared = ggml_backend_dev_type(dev) == GGML_BACKEND_DEVICE_TYPE_IGPU;
}

bool fabula_load(fabula_engine *e, const char *path, int layers) {
	// Pieces of a prompt are tokenised apart; a space put before each would
	// change the text.
	struct llama_model_kv_override overrides[2] = {{0}};
	overrides[0].tag = LLAMA_KV_OVERRIDE_TYPE_BOOL;
	snprintf(overrides[0].key, sizeof overrides[0].key, "tokenizer.ggml.add_space_prefix");
	overrides[0].val_bool = false;

	struct llama_model_params p = llama_model_default_params();
	ggml_backend_dev_t none[] = {NULL};
	p.n_gpu_layers = layers;
	if (layers == 0) {
		p.devices = none; // else prompts would go through a card layer by layer
	}
	p.progress_callback = loading;
	p.progress_callback_user_data = e;
	p.kv_overrides = overrides;
#ifdef __linux__
	p.load_mode = LLAMA_LOAD_MODE_NONE; // a file that is mapped has small pages only
#endif
	e->model = llama_model_load_from_file(path, p);
	return e->model != NULL;
}

int fabula_progress(fabula_engine *e) { return atomic_load(&e->progress); }
void fabula_abort(fabula_engine *e, bool on) { atomic_store(&e->abort, on); }

void fabula_hurry(fabula_engine *e, bool on) { atomic_store(&e->hurry, on); }
bool fabula_hurried(fabula_engine *e) { return atomic_exchange(&e->hurry, false); }

const struct llama_model *fabula_model(fabula_engine *e) { return e->model; }
const struct llama_vocab *fabula_vocab(fabula_engine *e) { return llama_model_get_vocab(e->model); }

bool fabula_context(fabula_engine *e, uint32_t window, uint32_t n_seq, uint32_t n_pass, uint32_t n_batch, uint32_t n_scores, bool flash) {
	free_context(e);
	struct llama_context_params p = llama_context_default_params();
	p.n_ctx = window * n_seq;
	p.n_batch = n_pass;
	p.n_ubatch = n_batch;
	p.n_seq_max = n_seq;
	p.n_outputs_max = n_scores; // at least n_seq, for which llama.cpp reserves
	p.n_outputs_max_per_seq = n_scores;
	// Cells of its own for every sequence: a token's cell is then its position,
	// and sums over the cache run in the same order whatever else is cached.
	p.kv_unified = false;
	p.swa_full = true; // sequences are wound back to any token
	p.flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
	p.no_perf = true;
	p.abort_callback = aborted;
	p.abort_callback_data = e;
	e->ctx = llama_init_from_model(e->model, p);
	if (!e->ctx) {
		return false;
	}
	e->batch = llama_batch_init((int32_t)n_pass, 0, 1);
	e->capacity = (int32_t)n_pass;
	return true;
}

// pool finds or makes the pool with exactly n threads. A larger one will not do:
// the threads that a graph does not use look for work at full speed for a tenth
// of a second after each, which is always while tokens come.
static ggml_threadpool_t pool(fabula_engine *e, int n) {
	for (int i = 0; i < e->n_pools; i++) {
		if (e->sizes[i] == n) {
			return e->pools[i];
		}
	}
	if (e->n_pools == MAX_POOLS) {
		return NULL;
	}
	struct ggml_threadpool_params p = ggml_threadpool_params_default(n);
	ggml_threadpool_t made = ggml_threadpool_new(&p);
	if (made) {
		e->sizes[e->n_pools] = n;
		e->pools[e->n_pools++] = made;
	}
	return made;
}

bool fabula_threads(fabula_engine *e, int decode, int prompt) {
	ggml_threadpool_t one = pool(e, decode), many = pool(e, prompt);
	if (!one || !many) {
		return false;
	}
	llama_attach_threadpool(e->ctx, one, many); // the one not in use sleeps
	llama_set_n_threads(e->ctx, decode, prompt);
	return true;
}

int fabula_decode(fabula_engine *e, const int32_t *ids, const int32_t *seqs, const int32_t *at, const int8_t *want, int n) {
	if (n > e->capacity) {
		return -1;
	}
	struct llama_batch *b = &e->batch;
	for (int i = 0; i < n; i++) {
		b->token[i] = ids[i];
		b->pos[i] = at[i];
		b->n_seq_id[i] = 1;
		b->seq_id[i][0] = seqs[i];
		b->logits[i] = want[i];
	}
	b->n_tokens = n;
	return llama_decode(e->ctx, *b);
}

float *fabula_logits(fabula_engine *e, int i) { return llama_get_logits_ith(e->ctx, i); }

bool fabula_seq_rm(fabula_engine *e, int seq, int from) {
	return llama_memory_seq_rm(llama_get_memory(e->ctx), seq, from, -1);
}

void fabula_seq_cp(fabula_engine *e, int src, int dst, int to) {
	// Between sequences with cells of their own only all can be copied.
	llama_memory_seq_cp(llama_get_memory(e->ctx), src, dst, -1, -1);
	llama_memory_seq_rm(llama_get_memory(e->ctx), dst, to, -1);
}
