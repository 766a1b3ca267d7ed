//go:build llama

package gguf

/*
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/klauspost/cpuid/v2"

	"fabula/engine"
	"fabula/engine/worker"
)

const (
	chunkTime = 70 * time.Millisecond // aimed at on an empty cache: 0.6 of the 120 ms allowed, since a chunk at 900 tokens takes 1.7 times as long
	minChunk  = 8
	probe     = 48 // tokens of a measured prompt
	probeStep = 12 // measured single tokens
)

// tune chooses threads and chunk size by a short run of each candidate; given
// threads are taken as they are, a model that is wholly on a card gets one. It leaves the cache empty.
func (m *model) tune(given int) error {
	ids := make([]int32, probe)
	for i := range ids {
		ids[i] = int32(i*7+3) % int32(len(m.ends))
	}
	counts, most := candidates(cores()), max(cores()-1, 1)
	if given > 0 {
		counts, most = []int{given}, given
	} else if m.onCard {
		counts, most = []int{1}, 1 // nothing is left for more
	}
	var best timing
	for _, n := range counts {
		if err := m.threads(n, n); err != nil {
			return err
		}
		t, err := m.timed(ids, n, best, n <= most)
		if err != nil {
			return err
		}
		best = best.better(t)
	}
	m.crowd.best, m.crowd.fixed = best, !m.facts.Rewind
	m.chunk(best.prompt)
	m.facts.Threads = best.stepThreads
	m.Truncate(0, 0)
	m.Abort(false)
	return m.threads(best.stepThreads, best.promptThreads)
}

// cores is how many threads can run at once for us: limits of the container
// count, second threads of a core do not.
func cores() int {
	n := runtime.GOMAXPROCS(0)
	if p := cpuid.CPU.PhysicalCores; p > 0 {
		n = min(n, p)
	}
	return max(n, 1)
}

// candidates are the thread counts worth a try.
func candidates(cores int) []int {
	var list []int
	for n := 1; n < cores; n *= 2 {
		list = append(list, n)
	}
	if cores > 2 && list[len(list)-1] != cores-1 {
		list = append(list, cores-1)
	}
	return append(list, cores)
}

// timing is the best time seen for a prompt and for a single token.
type timing struct {
	prompt, step               time.Duration
	promptThreads, stepThreads int
}

// better merges two timings. Fewer threads win unless more are at least a tenth
// faster.
func (t timing) better(o timing) timing {
	if t.promptThreads == 0 || o.promptThreads > 0 && o.prompt*10 < t.prompt*9 {
		t.prompt, t.promptThreads = o.prompt, o.promptThreads
	}
	if t.stepThreads == 0 || o.stepThreads > 0 && o.step*10 < t.step*9 {
		t.step, t.stepThreads = o.step, o.stepThreads
	}
	return t
}

// timed measures n threads: a prompt and, when steps is set, single tokens after
// it. A reply runs for seconds, so its threads leave one core to the screen; a
// prompt may take them all. The best of two runs counts, since the first also
// wakes threads and touches weights. A candidate is dropped as soon as it is
// slower than the best: on a busy machine threads that wait for each other can
// take a hundred times as long.
func (m *model) timed(ids []int32, n int, best timing, steps bool) (timing, error) {
	var t timing
	for range 2 {
		m.Truncate(0, 0)
		took, err := m.within(best.prompt, 0, ids)
		if err != nil || took < 0 {
			return t, err
		}
		if t.promptThreads == 0 || took < t.prompt {
			t.prompt, t.promptThreads = took, n
		}
		if !steps {
			continue
		}
		fastest := time.Duration(0)
		for i := range probeStep {
			took, err := m.within(2*best.step, len(ids)+i, ids[i:i+1])
			if err != nil || took < 0 {
				return t, err
			}
			if i == 0 || took < fastest {
				fastest = took
			}
		}
		if t.stepThreads == 0 || fastest < t.step {
			t.step, t.stepThreads = fastest, n
		}
	}
	return t, nil
}

// within decodes and says how long it took, -1 when that was more than limit
// (0 = none).
func (m *model) within(limit time.Duration, at int, ids []int32) (time.Duration, error) {
	m.Abort(false)
	if limit > 0 {
		late := time.AfterFunc(limit, func() { m.Abort(true) })
		defer late.Stop()
	}
	start := time.Now()
	_, err := m.Decode([]worker.Run{{At: at, IDs: ids, Want: 1}})
	if errors.Is(err, worker.ErrAborted) {
		m.Truncate(0, 0)
		return -1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("measure: %w: %w", engine.ErrUnavailable, err)
	}
	return time.Since(start), nil
}

// chunk sets how many prompt tokens one decode may take.
func (m *model) chunk(prompt time.Duration) {
	n := int(probe * chunkTime / max(prompt, time.Microsecond))
	m.facts.Chunk = min(max(n/minChunk*minChunk, minChunk), batch)
}

func (m *model) threads(step, prompt int) error {
	if !bool(C.fabula_threads(m.e, C.int(step), C.int(prompt))) {
		return fmt.Errorf("threads: %w: %d and %d cannot be started", engine.ErrUnavailable, step, prompt)
	}
	return nil
}

func (m *model) hurry(on bool) { C.fabula_hurry(m.e, C.bool(on)) }
func (m *model) hurried() bool { return bool(C.fabula_hurried(m.e)) }
