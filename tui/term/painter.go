package term

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"
)

// Cursor is where the next character will appear, counted from 0. Input
// methods open their window there.
type Cursor struct {
	X, Y int
	Show bool
}

// frame is what the screen is to show.
type frame struct {
	text   string // its rows
	cursor Cursor
	w, h   int // of the window
}

// shown is what the screen shows.
type shown struct {
	rows   []string
	cursor Cursor
	w, h   int
}

// frameGap is the least time between two frames: what comes faster is not seen.
const frameGap = 8 * time.Millisecond

// Draw shows a frame of a window of w×h, its rows divided by newlines and each as
// wide as the window, and puts the real cursor at its place. It never waits: of
// frames that come faster than the terminal takes them the newest is drawn. An
// empty one leaves the screen as it is.
func (w *Writer) Draw(text string, width, height int, c Cursor) {
	if text == "" {
		return
	}
	select {
	case <-w.newest: // overtaken
	default:
	}
	w.newest <- frame{text, c, width, height} // there is room: only one goroutine draws
}

// Paint draws the frames that Draw is given until ctx ends: the first one after
// a pause at once, the next ones not closer than frameGap. While none comes it
// sleeps, and no clock runs.
func (w *Writer) Paint(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-w.newest:
			if w.paint(f) {
				time.Sleep(frameGap)
			}
		}
	}
}

// paint draws what of a frame differs from what is shown, as one synchronized
// update; it reports whether that was anything. Off the alternate screen, where
// another program or the person's shell writes, it draws nothing.
func (w *Writer) paint(f frame) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.alt {
		return false
	}
	if f.w != w.shown.w || f.h != w.shown.h {
		w.shown = shown{}
	}
	rows := strings.Split(f.text, "\n")
	changed := difference(w.shown.rows, rows)
	if len(changed) == 0 && w.shown.rows != nil && f.cursor == w.shown.cursor {
		return false
	}
	w.shown = shown{rows, f.cursor, f.w, f.h}
	_, _ = w.File.Write(w.update(changed, f.cursor)) // a terminal that is gone shows nothing
	return true
}

// difference gives what has to be written to turn rows into others.
func difference(was, now []string) []byte {
	var b bytes.Buffer
	for y, row := range now {
		if y < len(was) && was[y] == row {
			continue
		}
		at(&b, 0, y)
		b.WriteString(row)
		b.WriteString("\x1b[m")
	}
	return b.Bytes()
}

// update puts a change between the marks that keep a terminal from showing half
// of it, and the cursor behind.
func (w *Writer) update(change []byte, c Cursor) []byte {
	var b bytes.Buffer
	if w.sync {
		b.WriteString(syncOn)
	}
	b.WriteString(hideCursor)
	b.Write(change)
	if c.Show {
		at(&b, c.X, c.Y)
		b.WriteString(showCursor)
	}
	if w.sync {
		b.WriteString(syncOff)
	}
	return b.Bytes()
}

// at moves the cursor.
func at(b *bytes.Buffer, x, y int) {
	b.WriteString("\x1b[" + strconv.Itoa(y+1) + ";" + strconv.Itoa(x+1) + "H")
}
