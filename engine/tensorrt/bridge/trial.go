//go:build tensorrt && device

package bridge

/*
#include "trial.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Trials call kernels one by one, for tests on a card.

// operands pins what C reads and writes during a trial.
type operands struct{ pins runtime.Pinner }

func raw[T any](o *operands, list []T) C.ft_bytes {
	if len(list) == 0 {
		return C.ft_bytes{}
	}
	o.pins.Pin(&list[0])
	return C.ft_bytes{data: unsafe.Pointer(&list[0]), size: C.size_t(len(list)) * C.size_t(unsafe.Sizeof(list[0]))}
}

// ProductTrial is one product: element types in their bits, what a kind does not take
// empty.
type ProductTrial struct {
	Linear
	Tokens          int
	X16             []uint16  // [Tokens, In] without a norm
	X32             []float32 // [Tokens, In] with one
	Weight          []uint16
	Coded           []int8   // Weight of codes
	Scales          []uint16 // of its rows
	Gamma, Residual []float32
	Bias            []uint16
	Out16           []uint16  // of Plain and Gated
	Out32           []float32 // of Added and Wide
	Repeats         int       // to time, 0 = none
}

// Product runs a trial and gives the microseconds of one call, if it was timed.
func (d *Device) Product(t ProductTrial) (float64, error) {
	how := t.Linear.c()
	var o operands
	defer o.pins.Unpin()
	x, out := raw(&o, t.X16), raw(&o, t.Out16)
	if t.X32 != nil {
		x = raw(&o, t.X32)
	}
	if t.Out32 != nil {
		out = raw(&o, t.Out32)
	}
	weight := raw(&o, t.Weight)
	if t.Codes {
		weight = raw(&o, t.Coded)
	}
	c := C.ft_product_trial{x: x, weight: weight, scales: raw(&o, t.Scales), gamma: raw(&o, t.Gamma), bias: raw(&o, t.Bias), residual: raw(&o, t.Residual), out: out}
	var f C.ft_fault
	var us C.double
	if !bool(C.ft_try_product(d.c, how, C.int(t.Tokens), c, C.int(t.Repeats), &us, &f)) {
		return 0, fault(&f)
	}
	return float64(us), nil
}

// AttentionTrial is one attention of Batch sequences of Tokens each. Steps: 0 each
// token is of its own sequence, 1 all of one, 2 otherwise; with Tokens above 1 it does
// not matter.
type AttentionTrial struct {
	Attention
	Batch, Tokens, Steps, Sequences int
	QKV                             []uint16
	Cos, Sin                        []float32
	Past, Slots                     []int32  // -1 = no slot
	Cache                           []uint16 // [Sequences, Layers, 2, KeyHeads, Context, Size], in and out
	Out                             []uint16
	Repeats                         int
}

// Attention runs a trial.
func (d *Device) Attention(t AttentionTrial) (float64, error) {
	how := C.ft_attention{
		heads: C.int32_t(t.Heads), key_heads: C.int32_t(t.KeyHeads), size: C.int32_t(t.Size), rotary: C.int32_t(t.Rotary),
		layer: C.int32_t(t.Layer), layers: C.int32_t(t.Layers), context: C.int32_t(t.Context), scale: C.float(t.Scale),
	}
	var o operands
	defer o.pins.Unpin()
	c := C.ft_attention_trial{
		qkv: raw(&o, t.QKV), cos: raw(&o, t.Cos), sin: raw(&o, t.Sin), past: raw(&o, t.Past), slots: raw(&o, t.Slots), cache: raw(&o, t.Cache), out: raw(&o, t.Out),
		steps: C.int32_t(t.Steps), sequences: C.int32_t(t.Sequences), batch: C.uint(t.Batch), tokens: C.uint(t.Tokens),
	}
	var f C.ft_fault
	var us C.double
	if !bool(C.ft_try_attention(d.c, how, c, C.int(t.Repeats), &us, &f)) {
		return 0, fault(&f)
	}
	return float64(us), nil
}

// Best finds the best logits of rows, [rows, vocab].
func (d *Device) Best(logits []float32, rows, repeats int) ([]Best, float64, error) {
	if rows < 1 || len(logits)%rows != 0 {
		return nil, 0, fmt.Errorf("%d logits in %d rows", len(logits), rows)
	}
	var o operands
	defer o.pins.Unpin()
	list := make([]C.ft_best, rows)
	o.pins.Pin(&list[0])
	var f C.ft_fault
	var us C.double
	if !bool(C.ft_try_best(d.c, raw(&o, logits), C.int(rows), C.int(len(logits)/rows), &list[0], C.int(repeats), &us, &f)) {
		return nil, 0, fault(&f)
	}
	return bests(&list[0], rows), float64(us), nil
}
