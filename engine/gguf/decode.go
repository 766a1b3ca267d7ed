//go:build llama

package gguf

/*
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"fabula/engine/worker"
)

// order is one decode as llama.cpp takes it: a row of tokens.
type order struct {
	ids, seqs, at []int32
	want          []int8
	depth         int // the most tokens that a sequence holds
}

// Decode implements worker.Backend: one llama_decode, which runs the sequences in
// one pass where their numbers are neighbours. The logits are llama.cpp's own
// memory. They do not depend on what else runs in the pass.
func (m *model) Decode(runs []worker.Run) ([]worker.Scores, error) {
	if err := m.lay(runs); err != nil {
		return nil, err
	}
	switch rc := m.decode(&m.order); rc {
	case 0:
	case 1:
		return nil, worker.ErrFull
	case 2:
		return nil, worker.ErrAborted
	default:
		return nil, fmt.Errorf("decode: llama.cpp returned %d: %s", rc, lastError())
	}
	return m.scores(runs)
}

// lay checks the runs and lays their tokens out by sequence, since llama.cpp
// joins those whose numbers rise one by one.
func (m *model) lay(runs []worker.Run) error {
	o := &m.order
	o.ids, o.seqs, o.at, o.want, o.depth = o.ids[:0], o.seqs[:0], o.at[:0], o.want[:0], 0
	scores := 0
	for _, i := range bySequence(runs) {
		r := runs[i]
		if len(r.IDs) == 0 || len(r.IDs) > batch || r.Want < 0 || r.Want > len(r.IDs) {
			return fmt.Errorf("decode %d tokens, %d scores: 1 to %d tokens can be, and no more scores", len(r.IDs), r.Want, batch)
		}
		for k, id := range r.IDs {
			if !m.valid(id) {
				return fmt.Errorf("decode: token %d of a vocabulary of %d", id, len(m.ends))
			}
			o.ids, o.seqs, o.at = append(o.ids, id), append(o.seqs, int32(r.Seq)), append(o.at, int32(r.At+k))
			o.want = append(o.want, flag(k >= len(r.IDs)-r.Want))
		}
		o.depth = max(o.depth, r.At)
		scores += r.Want
	}
	if len(o.ids) == 0 || len(o.ids) > pass || scores > m.facts.Scores {
		return fmt.Errorf("decode %d tokens, %d scores: 1 to %d tokens and %d scores can be", len(o.ids), scores, pass, m.facts.Scores)
	}
	return nil
}

func flag(on bool) int8 {
	if on {
		return 1
	}
	return 0
}

// bySequence gives the indices of runs in order of their sequences.
func bySequence(runs []worker.Run) []int {
	list := make([]int, len(runs))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return runs[a].Seq - runs[b].Seq })
	return list
}

// scores collects the wanted logits in the order of the runs.
func (m *model) scores(runs []worker.Run) ([]worker.Scores, error) {
	first := make([]int, len(runs)) // where in the order a run begins
	at := 0
	for _, i := range bySequence(runs) {
		first[i] = at
		at += len(runs[i].IDs)
	}
	var list []worker.Scores
	for i, r := range runs {
		for k := len(r.IDs) - r.Want; k < len(r.IDs); k++ {
			logits := C.fabula_logits(m.e, C.int(first[i]+k))
			if logits == nil {
				return nil, fmt.Errorf("decode: llama.cpp gave no logits: %s", lastError())
			}
			list = append(list, worker.Scores{Logits: unsafe.Slice((*float32)(logits), len(m.ends))})
		}
	}
	return list, nil
}

// decode runs one order.
func (m *model) decode(o *order) int {
	begun := false
	return m.crowd.decode(m, o.depth, len(o.ids), func() int {
		if begun { // what was stopped may have got through a part
			m.rewind(o)
		}
		begun = true
		return int(C.fabula_decode(m.e, (*C.int32_t)(&o.ids[0]), (*C.int32_t)(&o.seqs[0]), (*C.int32_t)(&o.at[0]), (*C.int8_t)(&o.want[0]), C.int(len(o.ids))))
	})
}

// rewind takes the tokens of an order out of the cache.
func (m *model) rewind(o *order) {
	for i, seq := range o.seqs {
		if i == 0 || seq != o.seqs[i-1] {
			C.fabula_seq_rm(m.e, C.int(seq), C.int(o.at[i]))
		}
	}
}
