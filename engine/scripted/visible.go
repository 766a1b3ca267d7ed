package scripted

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// visible turns raw token bytes into text that may be shown: whole
// characters, and nothing that may still become a stop string.
type visible struct {
	stops []string
	held  []byte
}

// write takes one token's bytes and gives what became visible, and the stop
// string that hit, if one did.
func (v *visible) write(raw []byte) (text, stop string) {
	v.held = append(v.held, raw...)
	if at, stop := v.hit(); stop != "" {
		text = valid(v.held[:at])
		v.held = nil
		return text, stop
	}
	keep := max(v.ambiguous(), torn(v.held))
	text = valid(v.held[:len(v.held)-keep])
	v.held = bytes.Clone(v.held[len(v.held)-keep:])
	return text, ""
}

// flush gives what was held back, without a character that never was completed.
func (v *visible) flush() string {
	text := valid(v.held[:len(v.held)-torn(v.held)])
	v.held = nil
	return text
}

// hit finds the first stop string in the held bytes.
func (v *visible) hit() (at int, stop string) {
	at = len(v.held)
	for _, s := range v.stops {
		if i := bytes.Index(v.held, []byte(s)); s != "" && i >= 0 && i < at {
			at, stop = i, s
		}
	}
	return at, stop
}

// ambiguous is the length of the longest end that begins a stop string.
func (v *visible) ambiguous() int {
	longest := 0
	for _, s := range v.stops {
		for n := min(len(s)-1, len(v.held)); n > longest; n-- {
			if bytes.HasSuffix(v.held, []byte(s[:n])) {
				longest = n
			}
		}
	}
	return longest
}

// torn is the length of an unfinished character at the end.
func torn(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\ufffd") }
