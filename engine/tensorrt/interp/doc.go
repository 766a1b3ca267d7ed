// Package interp computes a graph on the processor, plainly and slowly: it is
// what the engines made from the same graph are held against, and is itself held
// against llama.cpp. Sums are FP32; every result is rounded to its tensor's type,
// so that a graph in FP16 shows what FP16 costs, and one in FP32 is exact.
//
// Non-goals: speed, large contexts.
package interp
