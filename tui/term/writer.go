// Package term keeps the terminal usable: frames that are drawn when they
// change and without tearing, the real cursor at the insertion point, sane after
// a panic, and a crash note.
//
// Non-goals: key parsing and the terminal's modes, which bubbletea owns.
package term

import (
	"bytes"
	"os"
	"sync"
)

// Writer is the terminal as bubbletea sees it. Control sequences go through;
// frames do not: bubbletea's renderer looks for a new one at every tick of a
// clock, a hundred times a second, for as long as the program lives. So the model
// gives it Blank, and hands its frames to Draw, which draws each at once; see
// Painter.
//
// It embeds the file, so that bubbletea still finds a terminal behind it.
type Writer struct {
	*os.File
	mu     sync.Mutex
	alt    bool // the alternate screen is on: only then is there a frame
	sync   bool
	shown  shown
	newest chan frame
	anew   bool // see Anew
}

// Blank is the view of a model whose frames go to Draw: a text that no frame
// holds, so that what the renderer makes of it is known and dropped.
const Blank = "\x1b[0;0;0m"

const (
	altOn      = "\x1b[?1049h"
	altOff     = "\x1b[?1049l"
	erased     = "\x1b[2J"
	syncOn     = "\x1b[?2026h"
	syncOff    = "\x1b[?2026l"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
)

// NewWriter wraps the terminal f. Synchronized output is left out where the
// terminal is known to print what it does not understand.
func NewWriter(f *os.File) *Writer {
	t := os.Getenv("TERM")
	return &Writer{File: f, sync: t != "linux" && t != "dumb", newest: make(chan frame, 1)}
}

// Write sends a control sequence. What it does to the screen is noted: after the
// screen was left or erased the next frame is drawn whole.
func (w *Writer) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(Blank)) {
		return len(p), nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i, j := bytes.LastIndex(p, []byte(altOn)), bytes.LastIndex(p, []byte(altOff)); i != j {
		w.alt = i > j
		w.shown = shown{}
	}
	if bytes.Contains(p, []byte(erased)) {
		w.shown = shown{}
	}
	return w.File.Write(p)
}

// WriteString is Write; without it the embedded file's would be taken.
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }
