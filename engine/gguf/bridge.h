//go:build llama

// The part of llama.cpp that the backend uses, in calls that cgo can make:
// no callbacks into Go, no structs by value, no C++.
#ifndef FABULA_BRIDGE_H
#define FABULA_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llama.h"

typedef struct fabula_engine fabula_engine;

// Sends llama.cpp's log to standard error and remembers the first error in it.
void fabula_log_to_stderr(void);
// Moves the first error that was logged since the last call into buf; empty if
// there was none.
void fabula_take_error(char *buf, size_t size);

// Graphics cards, from 0 to fabula_cards()-1; memory in bytes. An integrated one
// shares the machine's memory.
int fabula_cards(void);
void fabula_card(int i, const char **name, const char **model, size_t *free, size_t *total, bool *shared);

fabula_engine *fabula_new(void);
void fabula_free(fabula_engine *e);

// Loads the weights, so many layers of them onto the cards; false on failure.
// fabula_progress may be read meanwhile from any thread, 0..1000; fabula_abort
// stops the load.
bool fabula_load(fabula_engine *e, const char *path, int layers);
int fabula_progress(fabula_engine *e);
void fabula_abort(fabula_engine *e, bool on);

// Stops the present decode as fabula_abort does; forgotten by fabula_hurried,
// which says whether it was asked for.
void fabula_hurry(fabula_engine *e, bool on);
bool fabula_hurried(fabula_engine *e);

const struct llama_model *fabula_model(fabula_engine *e);
const struct llama_vocab *fabula_vocab(fabula_engine *e);

// Makes the context, in place of an older one: n_seq sequences of window tokens;
// at most n_pass tokens a decode, of which n_batch are computed at once, n_scores of
// them with logits.
bool fabula_context(fabula_engine *e, uint32_t window, uint32_t n_seq, uint32_t n_pass, uint32_t n_batch, uint32_t n_scores, bool flash);
// Threads for single tokens and for prompts from now on; false, and nothing
// changed, when they cannot be started. A context needs it once.
bool fabula_threads(fabula_engine *e, int decode, int prompt);

// Decodes n tokens, each with its sequence, position and whether its logits are
// wanted; what llama_decode returns.
int fabula_decode(fabula_engine *e, const int32_t *ids, const int32_t *seqs, const int32_t *at, const int8_t *want, int n);
// Logits after token i of the last decode, NULL if they were not wanted.
float *fabula_logits(fabula_engine *e, int i);

bool fabula_seq_rm(fabula_engine *e, int seq, int from);
void fabula_seq_cp(fabula_engine *e, int src, int dst, int to);

#endif
