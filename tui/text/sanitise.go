package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tabStop = "    "
	zwj     = '\u200d'
	// maxMarks is how many combining marks one character may carry; more is a
	// storm that draws over the rows around it.
	maxMarks = 8
)

// Sanitise makes s safe to show: only line feeds and printable characters
// remain. Control characters of both sets become visible (^[ and <9b>), bidi
// controls too, since they make a text read as something else; zero-width
// characters are dropped unless they join an emoji; tabs become spaces.
func Sanitise(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks, prev := 0, rune(0)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "<%02x>", s[i])
			i++
			prev = 0
			continue
		}
		i += n
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			if marks++; marks > maxMarks {
				continue
			}
		} else {
			marks = 0
		}
		writeSafe(&b, r, prev, s[i:])
		prev = r
	}
	return b.String()
}

// clean reports whether every character of s may be shown as it is: the common
// case, decided without copying.
func clean(s string) bool {
	for _, r := range s {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa1 || r == 0xad || r == utf8.RuneError {
			return false
		}
		if r >= 0x300 && (unicode.Is(unicode.M, r) || unicode.Is(unicode.C, r) || odd(r)) {
			return false
		}
	}
	return true
}

// odd reports runes that draw nothing although Unicode does not call them
// controls, and line ends that a terminal does not know.
func odd(r rune) bool {
	return r == 0x2028 || r == 0x2029 || r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0
}

func writeSafe(b *strings.Builder, r, prev rune, rest string) {
	switch {
	case r == '\n' || r == 0x2028 || r == 0x2029 || r == 0x85:
		b.WriteByte('\n')
	case r == '\r':
		if !strings.HasPrefix(rest, "\n") {
			b.WriteByte('\n')
		}
	case r == '\t':
		b.WriteString(tabStop)
	case r < 0x20 || r == 0x7f:
		b.WriteByte('^')
		b.WriteByte(byte(r) ^ 0x40)
	case r >= 0x80 && r < 0xa0:
		fmt.Fprintf(b, "<%02x>", r)
	case r == 0xa0:
		b.WriteByte(' ')
	case r == zwj:
		if joins(prev, rest) {
			b.WriteRune(r)
		}
	case bidi(r):
		fmt.Fprintf(b, "<%04x>", r)
	case odd(r), r == 0xad, r >= 0xfe00 && r <= 0xfe0f, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		// Draws nothing, or its width is anybody's guess.
	default:
		b.WriteRune(r)
	}
}

func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x61c
}

// joins reports whether a joiner stands between two pictures.
func joins(prev rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return picture(prev) && picture(next)
}

func picture(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f
}

// Line is Sanitise for a text that must stay on one row.
func Line(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(Sanitise(s)), "\n", " ")
}
