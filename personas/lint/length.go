package lint

import (
	"strconv"
	"strings"
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
	n, from := length(in.Text, limit)
	if from < 0 {
		return nil
	}
	return []Finding{{
		Code: CodeOverLength, Level: Warning, Span: [2]int{from, len(in.Text)},
		Args: []string{strconv.Itoa(n), strconv.Itoa(limit)},
	}}
}

// Length counts words, and CJK characters as words.
func Length(text string) int {
	n, _ := length(text, len(text))
	return n
}

// length counts, and gives where the first word beyond a limit begins, or -1.
func length(text string, limit int) (n, from int) {
	from = -1
	inWord := false
	for i, r := range text {
		starts := fold.Unspaced(r) && unicode.IsLetter(r) || fold.Letter(r) && !inWord
		inWord = fold.Letter(r) || inWord && (r == '\'' || r == '’' || r == '-')
		if starts {
			if n++; n == limit+1 {
				from = i
			}
		}
	}
	return n, from
}

// empty finds a reply in which nothing is said, not even a pause.
func empty(in *reading) []Finding {
	for _, r := range in.Text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("…—", r) {
			return nil
		}
	}
	if strings.Contains(in.Text, "...") {
		return nil
	}
	return []Finding{{Code: CodeEmpty, Level: Warning}}
}
