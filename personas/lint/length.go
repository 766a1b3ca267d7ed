package lint

import (
	"strconv"
	"unicode"

	"fabula/personas/fold"
)

// overLength counts words, and CJK characters as words, against limits.words.
// The span is what is too much.
func overLength(in *reading) []Finding {
	limit := in.Persona.Words
	if limit <= 0 {
		return nil
	}
	n, from, inWord := 0, -1, false
	for i, r := range in.Text {
		starts := fold.Unspaced(r) && unicode.IsLetter(r) || fold.Letter(r) && !inWord
		inWord = fold.Letter(r) || inWord && (r == '\'' || r == '’' || r == '-')
		if starts {
			if n++; n == limit+1 {
				from = i
			}
		}
	}
	if from < 0 {
		return nil
	}
	return []Finding{{
		Code: CodeOverLength, Level: Warning, Span: [2]int{from, len(in.Text)},
		Args: []string{strconv.Itoa(n), strconv.Itoa(limit)},
	}}
}

// empty finds a reply in which nothing is said.
func empty(in *reading) []Finding {
	for _, r := range in.Text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return nil
		}
	}
	return []Finding{{Code: CodeEmpty, Level: Warning}}
}
