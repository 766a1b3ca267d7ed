package chat

import (
	"strings"
	"unicode/utf8"
)

// Assembler joins the bytes of tokens to whole characters. A character whose
// bytes come with several tokens appears with the last of them. Bytes that can
// belong to no character become U+FFFD, one for each longest stretch that began
// like a character (Unicode, section 3.9, "maximal subpart"). The result does
// not depend on how the bytes were cut. The zero value is ready for use.
type Assembler struct {
	held []byte // the beginning of one character, at most 3 bytes
	text strings.Builder
}

// Write takes the bytes of a token and returns the characters that are whole
// with it, always valid UTF-8.
func (a *Assembler) Write(token []byte) string {
	a.held = append(a.held, token...)
	a.text.Reset()
	rest := a.held
	for len(rest) > 0 && utf8.FullRune(rest) {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			n = subpart(rest)
		}
		a.text.WriteRune(r)
		rest = rest[n:]
	}
	a.held = append(a.held[:0], rest...)
	return a.text.String()
}

// subpart measures the invalid bytes at the start of p that one U+FFFD stands
// for.
func subpart(p []byte) int {
	n := 1
	for n < len(p) && !utf8.FullRune(p[:n+1]) {
		n++
	}
	return n
}

// Flush ends the text: the beginning of a character that never became whole is
// dropped. It returns how many bytes that were, 0 to 3.
func (a *Assembler) Flush() int {
	n := len(a.held)
	a.held = a.held[:0]
	return n
}
