package term

import (
	"bytes"
	"os"
)

// Reader is the keyboard without what terminals answer to questions about
// colours. Nothing of ours asks, but a program that ran before may have, and
// over a slow line the answer comes to us: bubbletea would type it.
//
// It embeds the file, so that bubbletea still finds a terminal behind it.
type Reader struct {
	*os.File
	held []byte // the beginning of what may be an answer
}

// NewReader wraps the terminal f.
func NewReader(f *os.File) *Reader { return &Reader{File: f} }

// longestAnswer bounds what is held back. An answer about a colour takes 30 bytes.
const longestAnswer = 64

// Read gives what was typed; nothing, and no error, when only an answer came.
func (r *Reader) Read(p []byte) (int, error) {
	room := len(p) - len(r.held)
	if room <= 0 { // a small buffer: no place to look ahead
		n := copy(p, r.held)
		r.held = r.held[n:]
		return n, nil
	}
	n, err := r.File.Read(p[:room])
	if n <= 0 {
		return n, err
	}
	out, held := typed(append(r.held, p[:n]...))
	r.held = held
	return copy(p, out), err
}

// typed drops answers from in and gives the end of it that may begin one.
func typed(in []byte) (out, held []byte) {
	for {
		at := bytes.Index(in, []byte("\x1b]"))
		if at < 0 {
			return append(out, in...), nil
		}
		out, in = append(out, in[:at]...), in[at:]
		switch n, open := answer(in); {
		case n > 0:
			in = in[n:]
		case open:
			return out, bytes.Clone(in)
		default:
			out, in = append(out, in[:2]...), in[2:]
		}
	}
}

// answer measures the answer that b, which starts with ESC ], begins with: a
// number, a semicolon, a text, and BEL or ESC \. 0 is none; open says that it
// may become one.
func answer(b []byte) (n int, open bool) {
	i := 2
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == len(b) {
		return 0, true
	}
	if i == 2 || b[i] != ';' {
		return 0, false
	}
	for ; i < len(b) && i < longestAnswer; i++ {
		switch {
		case b[i] == 0x07:
			return i + 1, false
		case b[i] == 0x1b && i+1 == len(b):
			return 0, true
		case b[i] == 0x1b && b[i+1] == '\\':
			return i + 2, false
		case b[i] < 0x20:
			return 0, false
		}
	}
	return 0, i < longestAnswer
}
