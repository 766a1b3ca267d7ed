//go:build llama

package gguf

import (
	"fmt"

	"fabula/engine"
)

// defaultContext is the window when none is asked for: enough for a persona,
// the plot and a long scene, and little memory on a laptop.
const defaultContext = 4096

// minContext is the smallest window that holds a persona and a reply.
const minContext = 1024

// overhead is what llama.cpp takes besides weights and cache: graph, buffers
// of one batch, vocabulary.
const overhead = 256 << 20

// demand are the figures of a model that decide how much memory it takes.
type demand struct {
	weights int64 // bytes of the file
	cell    int64 // bytes of cache a token takes
	trained int   // window that the model was trained for, 0 = unknown
}

// maxSequences is how many branches and characters stay cached at most.
const maxSequences = 4

// plan is the context that will be made: sequences, each with room for one
// prompt and its reply.
type plan struct{ window, sequences int }

// plan fits a context into free bytes (0 = unknown). Sequences beyond the first
// keep other branches and characters ready; they are given up first. A window
// that was asked for is never made smaller. The error names every size.
func (d demand) plan(asked int, free int64) (plan, error) {
	window := asked
	if asked == 0 {
		window = defaultContext
		if d.trained > 0 {
			window = min(window, d.trained)
		}
	}
	if d.trained > 0 && window > d.trained {
		return plan{}, fmt.Errorf("%w: a window of %d tokens was asked for, the model was trained for %d",
			engine.ErrIncompatible, window, d.trained)
	}
	for p := (plan{window, maxSequences}); ; {
		cache := int64(p.window) * int64(p.sequences) * d.cell
		need := d.weights + cache + overhead
		switch {
		case free == 0 || need <= free:
			return p, nil
		case p.sequences > 1:
			p.sequences--
		case asked == 0 && p.window/2 >= minContext:
			p.window /= 2
		default:
			return plan{}, fmt.Errorf("%w: it needs %s of memory (weights %s, cache %s for %d tokens, %s besides), %s are free",
				engine.ErrUnavailable, size(need), size(d.weights), size(cache), p.window, size(overhead), size(free))
		}
	}
}

// size writes bytes for people.
func size(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
