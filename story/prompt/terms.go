package prompt

import (
	"strings"
	"unicode"
)

// terms gives what two texts can have in common: words of three letters or
// more, and pairs of wide characters.
func terms(text string) map[string]bool {
	out := map[string]bool{}
	var word, pair []rune
	flush := func() {
		if len(word) >= 3 {
			out[string(word)] = true
		}
		word = word[:0]
	}
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) {
			flush()
			pair = pair[:0]
			continue
		}
		if !wide(r) {
			pair = pair[:0]
			word = append(word, r)
			continue
		}
		flush()
		if pair = append(pair, r); len(pair) == 2 {
			out[string(pair)] = true
			pair[0], pair = pair[1], pair[:1]
		}
	}
	flush()
	return out
}

func common(x, y map[string]bool) int {
	n := 0
	for t := range x {
		if y[t] {
			n++
		}
	}
	return n
}
