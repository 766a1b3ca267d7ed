//go:build llama

package gguf

/*
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"

	"github.com/klauspost/cpuid/v2"

	"fabula/engine"
)

const (
	chunkTime = 100 * time.Millisecond // aimed at, to stay below 120 ms as the prompt grows
	minChunk  = 8
	probe     = batch // tokens of a measured prompt
	probeStep = 12    // measured single tokens
)

// tune chooses threads and chunk size by a short run of each candidate; given
// threads are taken as they are. It leaves the cache empty.
func (m *model) tune(given int) error {
	ids := make([]int32, probe)
	for i := range ids {
		ids[i] = int32(i*7+3) % int32(len(m.ends))
	}
	if given > 0 {
		if err := m.threads(given, given); err != nil {
			return err
		}
		t, err := m.timed(ids, given)
		m.chunk(t.prompt)
		return err
	}
	cores := cores()
	var best timing
	for _, n := range candidates(cores) {
		if err := m.threads(n, n); err != nil {
			return err
		}
		t, err := m.timed(ids, n)
		if err != nil {
			return err
		}
		best = best.better(t, max(cores-1, 1))
	}
	m.chunk(best.prompt)
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

// better merges two timings. A reply runs for seconds, so its threads leave one
// core to the screen (limit); a prompt may take them all. Fewer threads win
// unless more are at least a tenth faster.
func (t timing) better(o timing, limit int) timing {
	if t.promptThreads == 0 || o.prompt*10 < t.prompt*9 {
		t.prompt, t.promptThreads = o.prompt, o.promptThreads
	}
	if t.stepThreads == 0 || o.stepThreads <= limit && o.step*10 < t.step*9 {
		t.step, t.stepThreads = o.step, o.stepThreads
	}
	return t
}

// timed measures a prompt and single tokens after it, the best of two runs,
// since the first also wakes threads and touches weights.
func (m *model) timed(ids []int32, n int) (timing, error) {
	t := timing{promptThreads: n, stepThreads: n}
	for run := range 2 {
		m.Truncate(0, 0)
		start := time.Now()
		if _, err := m.Decode(0, 0, ids, true); err != nil {
			return t, fmt.Errorf("measure: %w: %w", engine.ErrUnavailable, err)
		}
		prompt := time.Since(start)
		start = time.Now()
		for i := range probeStep {
			if _, err := m.Decode(0, len(ids)+i, ids[i:i+1], true); err != nil {
				return t, fmt.Errorf("measure: %w: %w", engine.ErrUnavailable, err)
			}
		}
		step := time.Since(start) / probeStep
		if run == 0 || prompt < t.prompt {
			t.prompt = prompt
		}
		if run == 0 || step < t.step {
			t.step = step
		}
	}
	m.Truncate(0, 0)
	return t, nil
}

// chunk sets how many prompt tokens one decode may take.
func (m *model) chunk(prompt time.Duration) {
	n := int(probe * chunkTime / max(prompt, time.Microsecond))
	m.facts.Chunk = min(max(n/minChunk*minChunk, minChunk), batch)
}

func (m *model) threads(step, prompt int) error {
	if !bool(C.fabula_threads(m.e, C.int(step), C.int(prompt))) {
		return fmt.Errorf("%w: %d threads cannot be started", engine.ErrUnavailable, max(step, prompt))
	}
	m.facts.Threads = step
	return nil
}
