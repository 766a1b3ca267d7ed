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
const overhead = 160 << 20

// demand are the figures of a model that decide how much memory it takes.
type demand struct {
	weights int64 // bytes of the file
	cell    int64 // bytes of cache a token takes
	trained int   // window that the model was trained for, 0 = unknown
}

// plan is the context that will be made: a window for one prompt with its reply
// and cells for all sequences together.
type plan struct{ window, cells int }

// plan fits a context into free bytes (0 = unknown). Cells beyond one window
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
	for p := (plan{window, 2 * window}); ; {
		need := d.weights + int64(p.cells)*d.cell + overhead
		switch {
		case free == 0 || need <= free:
			return p, nil
		case p.cells > p.window:
			p.cells = p.window
		case asked == 0 && p.window/2 >= minContext:
			p.window /= 2
			p.cells = p.window
		default:
			return plan{}, fmt.Errorf("%w: it needs %s of memory (weights %s, cache %s for %d tokens, %s besides), %s are free",
				engine.ErrUnavailable, size(need), size(d.weights), size(int64(p.cells)*d.cell), p.cells, size(overhead), size(free))
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
