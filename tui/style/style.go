// Package style holds the one Theme value that every drawing function gets.
//
// A Style is a pair of escape sequences made once, so that drawing a row costs
// a concatenation. Colours are chosen from flags and environment, never by
// asking the terminal. Non-goals: layout.
package style

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"
)

// Style draws a text; the zero Style draws it plain.
type Style struct{ open, end string }

// Render gives s in this style. The text must hold no escape sequences.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	return s.open + text + s.end
}

// Ink is a colour on a true-colour or 256-colour terminal, and its stand-in on
// one with 16.
type ink struct {
	hex  string
	ansi int // 0..15; -1 = the terminal's own foreground
}

type attr string

const (
	bold      attr = "1"
	underline attr = "4"
	reverse   attr = "7"
)

func build(p termenv.Profile, c ink, attrs ...attr) Style {
	var codes []string
	for _, a := range attrs {
		codes = append(codes, string(a))
	}
	if seq := foreground(p, c); seq != "" {
		codes = append(codes, seq)
	}
	if len(codes) == 0 {
		return Style{}
	}
	return Style{open: "\x1b[" + strings.Join(codes, ";") + "m", end: "\x1b[m"}
}

func foreground(p termenv.Profile, c ink) string {
	switch {
	case c.hex == "" || p == termenv.Ascii || p == termenv.ANSI && c.ansi < 0:
		return ""
	case p == termenv.ANSI && c.ansi >= 8:
		return strconv.Itoa(90 + c.ansi - 8)
	case p == termenv.ANSI:
		return strconv.Itoa(30 + c.ansi)
	default:
		return p.Color(c.hex).Sequence(false)
	}
}
