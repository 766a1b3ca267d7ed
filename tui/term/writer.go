// Package term keeps the terminal usable: the real cursor at the insertion
// point, frames without tearing, sane after a panic, and a crash note.
//
// Non-goals: key parsing and the renderer, which bubbletea owns.
package term

import (
	"bytes"
	"os"
	"strconv"
	"sync"
)

// Cursor is where the next character will appear, counted from 0. Input
// methods open their window there.
type Cursor struct {
	X, Y int
	Show bool
}

// Writer is the terminal as the renderer sees it. After every frame it puts
// the real cursor where SetCursor said, which the renderer leaves hidden at the
// start of the last row, and it wraps the frame as one synchronized update.
//
// It embeds the file, so that the renderer still finds a terminal behind it.
type Writer struct {
	*os.File
	mu     sync.Mutex
	cursor Cursor
	alt    bool // the alternate screen is on: only then is there a frame
	sync   bool
	buf    bytes.Buffer
}

const (
	altOn      = "\x1b[?1049h"
	altOff     = "\x1b[?1049l"
	syncOn     = "\x1b[?2026h"
	syncOff    = "\x1b[?2026l"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
)

// NewWriter wraps the terminal f. Synchronized output is left out where the
// terminal is known to print what it does not understand.
func NewWriter(f *os.File) *Writer {
	t := os.Getenv("TERM")
	return &Writer{File: f, sync: t != "linux" && t != "dumb"}
}

// SetCursor says where the cursor is to stand after the next frame.
func (w *Writer) SetCursor(c Cursor) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cursor = c
}

// Write sends one frame or one control sequence.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.alt
	if i, j := bytes.LastIndex(p, []byte(altOn)), bytes.LastIndex(p, []byte(altOff)); i != j {
		w.alt = i > j
	}
	if !was || !w.alt {
		return w.File.Write(p)
	}
	w.frame(p)
	if _, err := w.File.Write(w.buf.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString is Write; without it the embedded file's would be taken.
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

func (w *Writer) frame(p []byte) {
	w.buf.Reset()
	if w.sync {
		w.buf.WriteString(syncOn)
	}
	w.buf.WriteString(hideCursor)
	w.buf.Write(p)
	if w.cursor.Show {
		w.buf.WriteString("\x1b[" + strconv.Itoa(w.cursor.Y+1) + ";" + strconv.Itoa(w.cursor.X+1) + "H")
		w.buf.WriteString(showCursor)
	}
	if w.sync {
		w.buf.WriteString(syncOff)
	}
}
