// Package fold makes texts comparable the way a reader compares them: width,
// compatibility forms and case do not count, white space is one blank, and none
// stands between characters of scripts that are written without blanks. Every
// folded rune knows which bytes of the original lie behind it.
//
// Non-goals: inflections and look-alikes, which the two users see differently
// (story/plot finds what was meant, personas/lint what must not be said).
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is a folded text.
type Text struct {
	Runes      []rune
	start, end []int // bytes of the original behind each rune
}

// Of folds a text. plain gives the comparable form of a rune, negative for one
// that is left out; see Plain for the common one.
func Of(text string, plain func(rune) rune) *Text {
	t := &Text{Runes: make([]rune, 0, len(text)), start: make([]int, 0, len(text)), end: make([]int, 0, len(text))}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if inert(r) && !marked(text[i+n:]) {
			if r = plain(r); r >= 0 {
				t.add(r, i, i+n)
			}
			i += n
			continue
		}
		end := i + odd(text[i:])
		t.unfold(text[i:end], i, plain)
		i = end
	}
	t.join()
	return t
}

// inert reports a rune that normalising leaves alone unless a mark follows it:
// most of what is ever said, so that only the rest is normalised.
func inert(r rune) bool {
	return r < 0x80 || r >= 0x4e00 && r <= 0x9fff || r >= 0x3001 && r <= 0x3011 || r >= 0x2018 && r <= 0x201d
}

// marked reports whether what follows a rune could join it.
func marked(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest != "" && !inert(r) && (unicode.IsMark(r) || r == '\uff9e' || r == '\uff9f') // the last two unfold to marks
}

// odd is the length of what has to be normalised at the start of text.
func odd(text string) int {
	for i, r := range text {
		if i > 0 && inert(r) && !marked(text[i+utf8.RuneLen(r):]) {
			return i
		}
	}
	return len(text)
}

// unfold adds a stretch that begins at byte at of the original, normalised.
func (t *Text) unfold(stretch string, at int, plain func(rune) rune) {
	var it norm.Iter
	it.InitString(norm.NFKC, stretch)
	for !it.Done() {
		from := it.Pos()
		piece := string(it.Next())
		for it.Pos() == from && !it.Done() { // one character can unfold piece by piece: ¾ is 3⁄4
			piece += string(it.Next())
		}
		for _, r := range piece {
			if r = plain(r); r >= 0 {
				t.add(r, at+from, at+it.Pos())
			}
		}
	}
}

// Holds reports whether a text holds a part, whatever their case and width.
func Holds(text, part string) bool {
	return strings.Contains(Of(text, Plain).String(), Of(part, Plain).String())
}

// Plain lowers r and makes the many apostrophes and blanks one.
func Plain(r rune) rune {
	switch {
	case r == '’', r == '‘', r == 'ʼ':
		return '\''
	case unicode.IsSpace(r):
		return ' '
	}
	return unicode.ToLower(r)
}

func (t *Text) add(r rune, from, to int) {
	if last := len(t.Runes) - 1; r == ' ' && last >= 0 && t.Runes[last] == ' ' {
		t.end[last] = to
		return
	}
	t.Runes = append(t.Runes, r)
	t.start = append(t.start, from)
	t.end = append(t.end, to)
}

// join drops blanks that stand between two unspaced characters.
func (t *Text) join() {
	keep := 0
	for i, r := range t.Runes {
		if r == ' ' && keep > 0 && i+1 < len(t.Runes) && Unspaced(t.Runes[keep-1]) && Unspaced(t.Runes[i+1]) {
			continue
		}
		t.Runes[keep], t.start[keep], t.end[keep] = r, t.start[i], t.end[i]
		keep++
	}
	t.Runes, t.start, t.end = t.Runes[:keep], t.start[:keep], t.end[:keep]
}

// String is the folded text without blanks at its ends.
func (t *Text) String() string { return strings.TrimSpace(string(t.Runes)) }

// Span gives the bytes of the original behind the runes from..to-1, of which
// there must be one.
func (t *Text) Span(from, to int) (start, end int) { return t.start[from], t.end[to-1] }

// Slice is the runes from..to-1 as a text of its own.
func (t *Text) Slice(from, to int) *Text {
	return &Text{Runes: t.Runes[from:to], start: t.start[from:to], end: t.end[from:to]}
}

// Has reports whether word stands at rune i, and not in the middle of a longer
// word on its left. What may follow it is the caller's matter.
func (t *Text) Has(i int, word []rune) bool {
	if len(word) == 0 || i+len(word) > len(t.Runes) {
		return false
	}
	for j, r := range word {
		if t.Runes[i+j] != r {
			return false
		}
	}
	return i == 0 || !Letter(word[0]) || !Letter(t.Runes[i-1])
}

// Unspaced reports whether words of r's script are written without blanks.
func Unspaced(r rune) bool {
	if r < 0x0e00 || r >= 0x4e00 && r <= 0x9fff {
		return r >= 0x4e00
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai)
}

// Letter reports whether r is part of a word that blanks set apart.
func Letter(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !Unspaced(r)
}
