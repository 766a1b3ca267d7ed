package story

import (
	"strings"
	"unicode/utf8"
)

// whole turns the pieces of text that an engine yields into valid UTF-8: a
// character whose bytes are spread over pieces is held until it is complete,
// bytes that are no character become one U+FFFD. Backends of ours do this
// themselves; a remote or scripted one need not.
type whole struct{ held string }

// write gives what of text is certain.
func (w *whole) write(text string) string {
	text = w.held + text
	cut := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if tail := text[len(text)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				cut = len(text) - back
			}
			break
		}
	}
	w.held = text[cut:]
	return strings.ToValidUTF8(text[:cut], string(utf8.RuneError))
}
