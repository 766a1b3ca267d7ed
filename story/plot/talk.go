package plot

import "fabula/personas"

// Talk is a text in which keywords are looked for, many of them.
type Talk struct {
	text string
	f    folded
}

// NewTalk prepares a text.
func NewTalk(text string) Talk { return Talk{text, folds(text)} }

// Find gives the first place of a keyword, whichever of its wordings stands
// there, denied or not, and that wording. Start and End are bytes of the text.
func (t Talk) Find(keyword personas.Text) (word string, e Evidence, ok bool) {
	for _, word := range keyword.All() {
		if from, to, ok := t.f.find(trimmed(word)); ok {
			start, end := t.f.Span(from, to)
			return word, Evidence{Start: start, End: end, Quote: t.text[start:end], Rule: word, Rung: Keywords, Score: 1}, true
		}
	}
	return "", Evidence{}, false
}
