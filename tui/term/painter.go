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
	whole  bool // nothing that was drawn before is there any more
}

// shown is what the screen shows; without rows that is not known.
type shown struct {
	rows   []string
	cursor Cursor
}

// frameGap is the least time between two frames: what comes faster is not seen.
const frameGap = 8 * time.Millisecond

// Draw shows a frame, its rows divided by newlines and each as wide as the window,
// and puts the real cursor at its place. It never waits: of frames that come faster
// than the terminal takes them the newest is drawn. An empty one leaves the screen
// as it is. Only one goroutine draws.
func (w *Writer) Draw(text string, c Cursor) {
	if text == "" {
		return
	}
	f := frame{text, c, w.anew}
	w.anew = false
	select {
	case overtaken := <-w.newest:
		f.whole = f.whole || overtaken.whole
	default:
	}
	w.newest <- f // there is room
}

// Anew lets the next frame be drawn whole: when its window changes, a terminal
// cuts, moves and clears as it likes, also where the window gets its old size
// back. It belongs to the goroutine that draws, and never waits.
func (w *Writer) Anew() { w.anew = true }

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
	if f.whole {
		w.shown = shown{}
	}
	rows := strings.Split(f.text, "\n")
	changed := difference(w.shown.rows, rows)
	if len(changed) == 0 && w.shown.rows != nil && f.cursor == w.shown.cursor {
		return false
	}
	w.shown = shown{rows, f.cursor}
	if _, err := w.File.Write(w.update(changed, f.cursor)); err != nil {
		w.shown = shown{} // a terminal that is gone shows nothing, another one half of it
	}
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
