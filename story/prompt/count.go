package prompt

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"fabula/engine"
)

// controlPerMessage is what chat templates usually spend on a message.
const controlPerMessage = 4

// estimate counts tokens without a tokeniser: a wide character is one, of
// other text four bytes are one. Real tokenisers differ by a third either way.
func estimate(text string) int {
	n, rest := 0, 0
	for _, r := range text {
		if wide(r) {
			n++
		} else {
			rest += utf8.RuneLen(r)
		}
	}
	return n + (rest+3)/4
}

func wide(r rune) bool {
	switch { // most of what is ever written
	case r < 0x1100:
		return false
	case r >= 0x4e00 && r <= 0x9fff:
		return true
	}
	return r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func estimateAll(ms []engine.Message) engine.Count {
	c := engine.Count{Control: controlPerMessage * (len(ms) + 1)}
	for _, m := range ms {
		var parts []int
		for _, p := range m.Parts {
			parts = append(parts, estimate(p))
		}
		c.Parts = append(c.Parts, parts)
	}
	return c
}

// measure sets the tokens of every segment and gives the control tokens.
func (in Input) measure(segments []Segment) (control int, err error) {
	ms := messages(segments)
	c := estimateAll(ms)
	if in.Count != nil {
		if c, err = in.Count(ms); err != nil {
			return 0, fmt.Errorf("count prompt: %w", err)
		}
	}
	next := 0
	for i, m := range ms {
		if i >= len(c.Parts) || len(c.Parts[i]) != len(m.Parts) {
			return 0, fmt.Errorf("count prompt: message %d has %d parts, the engine counted others", i+1, len(m.Parts))
		}
		for _, n := range c.Parts[i] {
			segments[next].Tokens = n
			next++
		}
	}
	return c.Control, nil
}

func sum(segments []Segment) int {
	n := 0
	for _, s := range segments {
		n += s.Tokens
	}
	return n
}
