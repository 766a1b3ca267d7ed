//go:build tensorrt

package bridge

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"fabula/engine"
)

// Driver opens the CUDA driver and counts cards. Errors wrap engine.ErrUnavailable.
func Driver() (cards int, err error) {
	var f C.ft_fault
	if !bool(C.ft_driver(&f)) {
		return 0, fmt.Errorf("%w: %w", engine.ErrUnavailable, fault(&f))
	}
	if cards = int(C.ft_cards(&f)); cards < 0 {
		return 0, fmt.Errorf("%w: %w", engine.ErrUnavailable, fault(&f))
	}
	return cards, nil
}

// Device is an opened card.
type Device struct{ c *C.ft_device }

// OpenDevice opens a card by its number on the bus. Errors wrap
// engine.ErrUnavailable.
func OpenDevice(ordinal int) (*Device, error) {
	var f C.ft_fault
	c := C.ft_device_open(C.int(ordinal), &f)
	if c == nil {
		return nil, fmt.Errorf("card %d: %w: %w", ordinal, engine.ErrUnavailable, fault(&f))
	}
	return &Device{c}, nil
}

// Close gives the card back. Its sessions must be closed.
func (d *Device) Close() {
	C.ft_device_close(d.c)
	d.c = nil
}

// Card asks the card what it is and what is free now.
func (d *Device) Card() (Card, error) {
	var f C.ft_fault
	var c C.ft_card
	if !bool(C.ft_device_card(d.c, &c, &f)) {
		return Card{}, fault(&f)
	}
	return Card{
		C.GoString(&c.name[0]), C.GoString(&c.uuid[0]), int(c.major), int(c.minor), int(c.processors), int(c.driver), int64(c.memory), int64(c.free),
	}, nil
}

// Kernels loads the kernels for heads of a size, in FP16 or BF16. Networks with
// Attend and Multiply launch them. With overlap, which cards of compute capability 9
// and later can, a kernel reads its weights while the one before it still runs.
func (d *Device) Kernels(size int, bf16, overlap bool) error {
	t, err := kernels(size, bf16)
	if err != nil {
		return err
	}
	if overlap {
		t = t.overlapped()
	}
	var c C.ft_texts
	for text, to := range map[*string]**C.char{
		&t.attention: &c.attention, &t.linear: &c.linear, &t.few: &c.few, &t.best: &c.best, &t.linearCodes: &c.linear_codes, &t.fewCodes: &c.few_codes,
	} {
		*to = C.CString(*text)
		defer C.free(unsafe.Pointer(*to))
	}
	var f C.ft_fault
	if !bool(C.ft_kernels(d.c, c, C.bool(overlap), &f)) {
		return fault(&f)
	}
	return nil
}

// Model gives the sizes that a session needs beside its plan.
type Model struct {
	Layers, KeyHeads, Size, Vocab int
	Context                       int // positions of a slot
	Chunk, Batch                  int // as the plan was built
	Slots                         int // sequences that are kept
	Element                       int // bytes of a cached number
	Graphs                        bool
}

// Session runs a plan on a card. It is for one goroutine at a time.
type Session struct {
	c            *C.ft_session
	vocab, slots int
	rows         int // of best logits, that Finish gives
}

// OpenSession reads a plan, whose bytes must have been checked: TensorRT trusts
// them. few, if not empty, is the plan that takes steps of a few tokens. The error says
// what the library logged.
func OpenSession(l *Library, d *Device, plan, few []byte, m Model) (*Session, error) {
	c := C.ft_model{
		layers: C.int32_t(m.Layers), key_heads: C.int32_t(m.KeyHeads), size: C.int32_t(m.Size), vocab: C.int32_t(m.Vocab),
		context: C.int32_t(m.Context), chunk: C.int32_t(m.Chunk), batch: C.int32_t(m.Batch), slots: C.int32_t(m.Slots),
		element: C.int32_t(m.Element), graphs: C.bool(m.Graphs),
	}
	if len(plan) == 0 {
		return nil, fmt.Errorf("an empty plan")
	}
	var f C.ft_fault
	main, one := pinned(plan), pinned(few)
	defer main.pins.Unpin()
	defer one.pins.Unpin()
	s := C.ft_session_open(l.c, d.c, main.bytes, one.bytes, c, &f)
	if s == nil {
		return nil, fault(&f)
	}
	return &Session{c: s, vocab: m.Vocab, slots: m.Slots}, nil
}

// pin holds bytes in place while C reads them.
type pin struct {
	bytes C.ft_bytes
	pins  runtime.Pinner
}

func pinned(b []byte) *pin {
	p := &pin{}
	if len(b) > 0 {
		p.pins.Pin(&b[0])
		p.bytes = C.ft_bytes{data: unsafe.Pointer(&b[0]), size: C.size_t(len(b))}
	}
	return p
}

// Close gives back what the session holds on the card.
func (s *Session) Close() {
	C.ft_session_close(s.c)
	s.c = nil
}

// Memory is what the session allocated on the card, in bytes, without the plan's
// own weights.
func (s *Session) Memory() int64 { return int64(C.ft_session_memory(s.c)) }

// Captured says whether steps and prompts run as CUDA graphs; false after a capture
// failed, for then that one runs plainly.
func (s *Session) Captured() bool { return bool(C.ft_session_captured(s.c)) }

// Slots is how many sequences are kept.
func (s *Session) Slots() int { return s.slots }

// Most is how many tokens a step takes.
func (s *Session) Most() int { return int(C.ft_session_most(s.c)) }

// Runs says whether a step takes several tokens of one sequence.
func (s *Session) Runs() bool { return bool(C.ft_session_runs(s.c)) }

func bests(c *C.ft_best, n int) []Best {
	list := make([]Best, n)
	for i := range list {
		b := &unsafe.Slice(c, n)[i]
		if b.count < 1 {
			continue
		}
		list[i] = Best{
			unsafe.Slice((*int32)(&b.ids[0]), b.count), unsafe.Slice((*float32)(&b.logits[0]), b.count), float64(b.high) + math.Log(float64(b.sum)),
		}
	}
	return list
}

// Prefill queues that ids are appended to a slot that holds at tokens.
func (s *Session) Prefill(slot, at int, ids []int32) error {
	var f C.ft_fault
	if !bool(C.ft_prefill(s.c, C.int(slot), C.int(at), (*C.int32_t)(&ids[0]), C.int(len(ids)), &f)) {
		return fault(&f)
	}
	s.rows = 1
	return nil
}

// Step queues that ids[i] is appended to slots[i], which holds at[i] tokens. Where Runs
// says so, one sequence may get several, one behind the other.
func (s *Session) Step(slots, at, ids []int32) error {
	var f C.ft_fault
	if !bool(C.ft_step(s.c, C.int(len(ids)), (*C.int32_t)(&slots[0]), (*C.int32_t)(&at[0]), (*C.int32_t)(&ids[0]), &f)) {
		return fault(&f)
	}
	s.rows = len(ids)
	return nil
}

// Finish waits for what was queued last and gives the best logits after each token of a
// step, or after the last of a prompt.
func (s *Session) Finish() ([]Best, error) {
	var f C.ft_fault
	var best *C.ft_best
	if !bool(C.ft_finish(s.c, &best, &f)) {
		return nil, fault(&f)
	}
	return bests(best, s.rows), nil
}

// Logits gives those after token row of the last step, or after a prefill (row 0),
// [Vocab]. The next call overwrites them.
func (s *Session) Logits(row int) ([]float32, error) {
	var f C.ft_fault
	var logits *C.float
	if !bool(C.ft_logits(s.c, C.int(row), &logits, &f)) {
		return nil, fault(&f)
	}
	return unsafe.Slice((*float32)(logits), s.vocab), nil
}

// Copy makes a slot hold the first n tokens of another.
func (s *Session) Copy(from, to, n int) error {
	var f C.ft_fault
	if !bool(C.ft_copy(s.c, C.int(from), C.int(to), C.int(n), &f)) {
		return fault(&f)
	}
	return nil
}

// HeapInUse is what the C library says is allocated, in bytes; 0 where it does not tell.
func HeapInUse() int64 { return int64(C.ft_heap()) }

// Loop decodes steps tokens greedily without Go and gives the time of each in
// nanoseconds, the token on the host.
func (s *Session) Loop(slot, at int, id int32, steps int) ([]int64, error) {
	var f C.ft_fault
	times := make([]int64, steps)
	if !bool(C.ft_loop(s.c, C.int(slot), C.int(at), C.int32_t(id), C.int(steps), (*C.int64_t)(&times[0]), &f)) {
		return nil, fault(&f)
	}
	return times, nil
}

// Layers times the layers of one step of n sequences that hold at tokens: lines
// of microseconds, a tab and the name.
func (s *Session) Layers(n, at int) (string, error) {
	var f C.ft_fault
	buf := make([]byte, 1<<20)
	if !bool(C.ft_layers(s.c, C.int(n), C.int(at), (*C.char)(unsafe.Pointer(&buf[0])), C.size_t(len(buf)), &f)) {
		return "", fault(&f)
	}
	return text(buf), nil
}
