// The C side of package bridge: TensorRT and the CUDA driver behind calls that
// cgo can make. No callbacks into Go, no C++ types, no exceptions.
//
// Functions that can fail take a fault and write the reason into it; its text is
// empty when they succeed. Handles are freed by their own function, NULL is fine.
#ifndef FABULA_TENSORRT_BRIDGE_H
#define FABULA_TENSORRT_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { char text[2048]; } ft_fault;

// ---- library ----------------------------------------------------------------

typedef struct ft_library ft_library;

int32_t ft_header_version(void); // major*10000 + minor*100 + patch
bool ft_header_rtx(void);        // TensorRT for RTX
bool ft_has_plugins(void);

// Opens a library by file name or path. Signal handlers stay as they were.
ft_library *ft_library_open(const char *path, ft_fault *f);
int32_t ft_library_version(const ft_library *l);
void ft_library_path(const ft_library *l, char *buf, size_t size); // of the file that the loader found

// ---- network ----------------------------------------------------------------
// Tensors are indices. A network remembers its first fault; from then on all
// calls return -1, and ft_network_fault tells.

typedef struct ft_network ft_network;

enum { FT_F32, FT_F16, FT_BF16, FT_I32, FT_I64, FT_I8 };
enum { FT_SUM, FT_PROD, FT_SUB, FT_DIV, FT_MAX, FT_LESS };
enum { FT_SQRT, FT_EXP, FT_SIGMOID };
enum { FT_AVERAGE, FT_GREATEST, FT_TOTAL };

ft_network *ft_network_new(ft_library *l, ft_fault *f);
void ft_network_free(ft_network *n);
void ft_network_fault(const ft_network *n, ft_fault *f);

int ft_input(ft_network *n, const char *name, int type, int rank, const int64_t *dims);
// Makes room for a constant; the caller fills *data before the build.
int ft_constant(ft_network *n, int type, int rank, const int64_t *dims, void **data);
int ft_binary(ft_network *n, int op, int a, int b);
int ft_unary(ft_network *n, int op, int a);
int ft_reduce(ft_network *n, int op, int a, uint32_t axes);
int ft_cast(ft_network *n, int a, int type);
// Codes of eight bits of a tensor by a constant scale of its type, one for all.
int ft_quantize(ft_network *n, int a, int scale);
// The numbers of codes, in a type; axis: the dimension that has scales of its own, -1 = one for all.
int ft_dequantize(ft_network *n, int a, int scale, int axis, int type);
int ft_matmul(ft_network *n, int a, int b, bool transposed); // b as it is, or its last two dimensions swapped
int ft_gather(ft_network *n, int data, int rows, int axis, int shared); // shared leading dimensions
// Reorders dimensions (order may be NULL), then reshapes (rank 0 = not): 0 copies a dimension, -1 is inferred.
int ft_shuffle(ft_network *n, int a, const int32_t *order, int rank, const int64_t *dims);
// Takes size elements from start on along the last dimension.
int ft_slice(ft_network *n, int a, int start, int size);
int ft_concat(ft_network *n, const int *list, int count, int axis);
int ft_select(ft_network *n, int condition, int a, int b);
// 0, 1, 2, … I32, as many as dimension axis of a has; shape [1,…,n] of the rank at place.
int ft_positions(ft_network *n, int a, int axis, int rank, int place);
int ft_top(ft_network *n, int a, int k, int *ids);
// Attention by an own kernel; see plugin.cpp. Fails where the flavour has no plugins.
typedef struct { int32_t heads, key_heads, size, rotary, layer, layers, context, bf16; float scale; } ft_attention;
int ft_attend(ft_network *n, ft_attention how, int qkv, int cos, int sin, int past, int slots);
// A few tokens times a matrix by an own kernel; see linear.cpp. Operands that a kind
// does not take are -1.
enum { FT_PLAIN, FT_ADDED, FT_GATED, FT_WIDE };
enum { FT_OF_BF16 = 1, FT_OF_CODES = 2 }; // flags: the element type; the weight holds codes of eight bits
typedef struct { int32_t kind, in, rows, flags; float eps; } ft_linear;
int ft_multiply(ft_network *n, ft_linear how, int x, int weight, int scales, int gamma, int bias, int residual);
void ft_output(ft_network *n, int a, const char *name);

// What a network asks for, before it is built.
int ft_inputs(const ft_network *n);
int ft_outputs(const ft_network *n);
// How many layers quantise, dequantise, multiply matrices and are our plugins.
typedef struct { int32_t quantize, dequantize, products, plugins; } ft_layer_counts;
ft_layer_counts ft_count(const ft_network *n);
// Name, type and dimensions (-1 where they vary) of an input or output; returns the rank, -1 = none.
int ft_tensor(const ft_network *n, bool output, int i, char *name, size_t size, int *type, int64_t dims[8]);

// ---- build ------------------------------------------------------------------

typedef struct {
	int64_t workspace; // bytes, 0 = the library's choice
	int level;         // 0..5, -1 = the library's choice
	const void *timing;
	size_t timing_size; // a timing cache of earlier builds
	const char *plan, *timing_path; // files that are written; the second may be NULL
} ft_options;

// Adds a profile and says for each input its least, tuned and largest dimensions.
int ft_profile(ft_network *n);
void ft_profile_input(ft_network *n, int profile, const char *name, int rank, const int64_t *least, const int64_t *tuned, const int64_t *most);
bool ft_profile_valid(ft_network *n, int profile);
bool ft_build(ft_network *n, const ft_options *o, ft_fault *f);
void ft_cancel(ft_network *n);

// One event of a build; kinds: 1 a phase began (of steps), 2 it made a step, 3 it ended.
typedef struct { int32_t kind, steps; char phase[120], parent[120]; } ft_event;
bool ft_next_event(ft_network *n, ft_event *e); // false: none is waiting

// ---- device -----------------------------------------------------------------

typedef struct ft_device ft_device;
typedef struct {
	char name[128];
	char uuid[48];
	int32_t major, minor, processors, driver; // driver: of CUDA, 13000 = 13.0
	int64_t memory, free;                      // bytes
} ft_card;

bool ft_driver(ft_fault *f); // opens libcuda
int ft_cards(ft_fault *f);   // -1 on failure
ft_device *ft_device_open(int ordinal, ft_fault *f);
void ft_device_close(ft_device *d);
bool ft_device_card(ft_device *d, ft_card *c, ft_fault *f);
// Loads kernels from the PTX texts of kernels/*.cu. overlap says that they wait for
// each other themselves, so that one may start before the last ends.
typedef struct { const char *attention, *linear, *few, *best, *linear_codes, *few_codes; } ft_texts;
bool ft_kernels(ft_device *d, ft_texts t, bool overlap, ft_fault *f);

// ---- run --------------------------------------------------------------------

typedef struct ft_session ft_session;
typedef struct {
	int32_t layers, key_heads, size, vocab, context, chunk, batch, slots, element; // element: bytes
	bool graphs;                                                                    // capture decode steps
} ft_model;

typedef struct { const void *data; size_t size; } ft_bytes;

// What is brought back of the logits after a token.
enum { FT_BEST = 256 };
typedef struct {
	int32_t count; // of the best, best first; -1 = only the logits themselves can tell
	float high;    // the greatest
	double sum;    // of exp(logit - high) over the vocabulary
	int32_t ids[FT_BEST];
	float logits[FT_BEST];
} ft_best;

// Reads a plan and makes room for slots sequences. The file must have been checked.
// few, if its size is not 0, is a plan of steps of a few tokens by our own products;
// the first then has no profile for steps.
ft_session *ft_session_open(ft_library *l, ft_device *d, ft_bytes plan, ft_bytes few, ft_model m, ft_fault *f);
void ft_session_close(ft_session *s);
int64_t ft_session_memory(const ft_session *s); // bytes on the device
bool ft_session_captured(const ft_session *s);  // steps run as graphs
int32_t ft_session_most(const ft_session *s);   // tokens of a step
bool ft_session_runs(const ft_session *s);      // a step takes several tokens of one sequence

// Prompts and steps are queued; ft_finish waits for the last one. Whatever is called
// next waits first.

// Appends n tokens (1 to chunk) to a slot that holds at.
bool ft_prefill(ft_session *s, int slot, int at, const int32_t *ids, int n, ft_fault *f);
// A step: appends ids[i] to slots[i], which holds at[i] tokens. Tokens of one sequence
// follow each other.
bool ft_step(ft_session *s, int n, const int32_t *slots, const int32_t *at, const int32_t *ids, ft_fault *f);
// Gives the best logits after the last token of a prompt, or after each of a step, in
// memory that the next call overwrites.
bool ft_finish(ft_session *s, const ft_best **best, ft_fault *f);
// Brings the logits after token row of the last step, or those of a prefill (row 0),
// to the host, where they stay until the next call.
bool ft_logits(ft_session *s, int row, float **logits, ft_fault *f);
// Makes slot to hold the first n tokens of slot from.
bool ft_copy(ft_session *s, int from, int to, int n, ft_fault *f);
// Steps in a loop without Go, the best token fed back; writes
// the nanoseconds of each step.
bool ft_loop(ft_session *s, int slot, int at, int32_t id, int steps, int64_t *nanoseconds, ft_fault *f);

// Bytes that the C library says its callers hold; 0 where it does not tell.
int64_t ft_heap(void);

// Times every layer of one decode step of n sequences that hold at; writes lines
// "microseconds<TAB>name", cut at size. Slow, for reports.
bool ft_layers(ft_session *s, int n, int at, char *buf, size_t size, ft_fault *f);

#ifdef __cplusplus
}
#endif
#endif
