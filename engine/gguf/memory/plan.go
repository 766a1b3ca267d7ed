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
	enough        = 4    // branches and characters that stay cached, where memory allows
	plenty        = 8    // of them where all take no more than a quarter of what is free
	maxSequences  = 64   // of them where a limit was given
)

// overhead is what llama.cpp takes besides weights and cache, in bytes: graph,
// buffers of one batch, vocabulary.
const overhead = 256 << 20

// Plan is the context that will be made: sequences, each with room for one
// prompt and its reply.
type Plan struct {
	Window    int   // tokens
	Sequences int   // at least 1
	Cache     int64 // bytes that the sequences take
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
func (d Demand) Plan(asked int, free int64) (Plan, error) { return d.Within(asked, free, 0) }

// Within is Plan with a limit in bytes on what the sequences take together; 0 =
// none is given. One sequence is made in any case.
func (d Demand) Within(asked int, free, limit int64) (Plan, error) {
	window := asked
	if asked == 0 {
		window = d.usual()
	}
	if d.Trained > 0 && window > d.Trained {
		return Plan{}, fmt.Errorf("%w: a window of %d tokens was asked for, the model was trained for %d",
			engine.ErrIncompatible, window, d.Trained)
	}
	for p := (Plan{Window: window, Sequences: d.sequences(window, free, limit)}); ; {
		p.Need = d.need(p.Window, p.Sequences)
		p.Cache = int64(p.Window) * int64(p.Sequences) * d.Cell
		switch {
		case free == 0 || p.Need <= free:
			if limit == 0 || p.Window < window {
				p.Note = p.less(window, free)
			}
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

// sequences is how many are aimed at.
func (d Demand) sequences(window int, free, limit int64) int {
	each := max(int64(window)*d.Cell, 1)
	switch {
	case limit > 0:
		return int(min(max(limit/each, 1), maxSequences))
	case plenty*each <= (free-d.Weights-overhead)/4:
		return plenty
	}
	return enough
}

// less says what was given up for want of memory, "" if nothing was.
func (p Plan) less(window int, free int64) string {
	switch {
	case p.Window < window:
		return fmt.Sprintf("window of %d tokens instead of %d: %s of memory free", p.Window, window, Size(free))
	case p.Sequences < enough:
		return fmt.Sprintf("prompts kept ready: %d instead of %d: %s of memory free", p.Sequences, enough, Size(free))
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
