package cues

import (
	"strings"
	"unicode/utf8"

	"fabula/story/plot"
)

// Reader finds cues while a reply streams: the same ones as Parse finds in the
// whole, each as soon as its last mark has come.
type Reader struct {
	known plot.Cues
	text  strings.Builder
	at    int // up to here all is settled
}

// NewReader reads cues of a world.
func NewReader(known plot.Cues) *Reader { return &Reader{known: known} }

// Write takes the next piece of the reply and gives the cues that are whole now.
func (r *Reader) Write(piece string) []Cue {
	r.text.WriteString(piece)
	return r.settle(false)
}

// Close gives what is left once the reply is over.
func (r *Reader) Close() []Cue { return r.settle(true) }

// settle reads on to the first mark that may yet be closed.
func (r *Reader) settle(last bool) []Cue {
	text := r.text.String()
	var out []Cue
	for r.at < len(text) {
		open, m, whole := opens(text, r.at)
		switch {
		case open < 0:
			r.at = len(text)
		case whole:
			c, ok := m.cue(r.known)
			if !ok {
				r.at = m.inside(text)
				continue
			}
			out = append(out, c)
			r.at = m.end
		case !last && mayClose(text[open:]):
			r.at = open
			return out
		default:
			_, n := utf8.DecodeRuneInString(text[open:])
			r.at = open + n
		}
	}
	return out
}

// opens finds the first opening mark from byte at on, and what it marks if that
// is whole; open is negative where there is none.
func opens(text string, at int) (open int, m marked, whole bool) {
	for i, r := range text[at:] {
		closing := closes(r)
		if closing == 0 {
			continue
		}
		from := at + i + utf8.RuneLen(r)
		if j := closed(text[from:], closing); j > 0 {
			return at + i, marked{at + i, from + j + utf8.RuneLen(closing), text[from : from+j]}, true
		}
		return at + i, marked{}, false
	}
	return -1, marked{}, false
}

// mayClose reports whether a mark at the start of rest can still be closed by
// text to come.
func mayClose(rest string) bool {
	r, n := utf8.DecodeRuneInString(rest)
	rest = rest[n:]
	return len(rest) <= mostBytes && !strings.Contains(rest, "\n") && !strings.ContainsRune(rest, closes(r))
}

// Pending gives the byte from which on a direction of a text is open that may
// yet be closed; the length of the text where none is.
func Pending(text string) int {
	for at := 0; at < len(text); {
		open, m, whole := opens(text, at)
		switch {
		case open < 0:
			return len(text)
		case whole:
			at = m.end
		case mayClose(text[open:]) && len(stems(text[open:])) <= mostWords:
			return open
		default:
			_, n := utf8.DecodeRuneInString(text[open:])
			at = open + n
		}
	}
	return len(text)
}
