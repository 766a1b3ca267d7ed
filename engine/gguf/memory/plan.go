package memory

import (
	"fmt"

	"fabula/engine"
)

// Windows in tokens and what a plan never goes beyond.
const (
	// DefaultWindow is the window when none is asked for: enough for a persona,
	// the plot and a long scene, and little memory on a laptop.
	DefaultWindow = 4096
	minWindow     = 1024 // the smallest that holds a persona and a reply
	maxSequences  = 4    // branches and characters that stay cached
)

// overhead is what llama.cpp takes besides weights and cache, in bytes: graph,
// buffers of one batch, vocabulary.
const overhead = 256 << 20

// Plan is the context that will be made: sequences, each with room for one
// prompt and its reply.
type Plan struct {
	Window    int   // tokens
	Sequences int   // at least 1
	Need      int64 // bytes of memory in all
	Note      string
}

// usual is the window that is aimed at when none was asked for.
func (d Demand) usual() int {
	if d.Trained > 0 {
		return min(DefaultWindow, d.Trained)
	}
	return DefaultWindow
}

// Need is how many bytes a context of one sequence takes, weights and all;
// window 0 = the usual one.
func (d Demand) Need(window int) int64 {
	if window == 0 {
		window = d.usual()
	}
	return d.need(window, 1)
}

func (d Demand) need(window, sequences int) int64 {
	return d.Weights + int64(window)*int64(sequences)*d.Cell + overhead
}

// Plan fits a context into free bytes (0 = unknown). Sequences beyond the first
// keep other branches and characters ready; they are given up first, then the
// window is halved, and Note says so. A window that was asked for is never made
// smaller. The error is an engine.Shortage that names every size, or wraps
// engine.ErrIncompatible for a window that the model was not trained for.
func (d Demand) Plan(asked int, free int64) (Plan, error) {
	window := asked
	if asked == 0 {
		window = d.usual()
	}
	if d.Trained > 0 && window > d.Trained {
		return Plan{}, fmt.Errorf("%w: a window of %d tokens was asked for, the model was trained for %d",
			engine.ErrIncompatible, window, d.Trained)
	}
	for p := (Plan{Window: window, Sequences: maxSequences}); ; {
		p.Need = d.need(p.Window, p.Sequences)
		switch {
		case free == 0 || p.Need <= free:
			p.Note = p.less(window, free)
			return p, nil
		case p.Sequences > 1:
			p.Sequences--
		case asked == 0 && p.Window/2 >= minWindow:
			p.Window /= 2
		default:
			return Plan{}, &engine.Shortage{Need: p.Need, Free: free, Detail: fmt.Sprintf("needs %s of memory (weights %s, cache %s for %d tokens, %s besides), %s free",
				Size(p.Need), Size(d.Weights), Size(int64(p.Window)*d.Cell), p.Window, Size(overhead), Size(free))}
		}
	}
}

// less says what was given up for want of memory, "" if nothing was.
func (p Plan) less(window int, free int64) string {
	switch {
	case p.Window < window:
		return fmt.Sprintf("window of %d tokens instead of %d: %s of memory free", p.Window, window, Size(free))
	case p.Sequences < maxSequences:
		return fmt.Sprintf("prompts kept ready: %d instead of %d: %s of memory free", p.Sequences, maxSequences, Size(free))
	}
	return ""
}

// Size writes bytes for people, in binary units.
func Size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
