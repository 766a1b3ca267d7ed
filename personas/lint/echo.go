package lint

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fabula/personas/fold"
)

const (
	fewestTerms = 6    // fewer words or pairs of characters may well come again
	mostAlike   = 0.75 // share of terms that two replies may have in common
	opening     = 4    // words of an opening; of Chinese characters half as many again
)

// echo finds a reply that says again what the same NPC said before: nearly all
// of its words, or its opening words for the third time. Authored lines and
// short ones are exempt.
func echo(in *reading) []Finding {
	own := termsOf(in.Text)
	if len(own) < fewestTerms || in.authored(in.Text) {
		return nil
	}
	for back := 1; back <= len(in.Before); back++ {
		before := in.Before[len(in.Before)-back]
		if n, m := len(before), len(in.Text); n > 2*m || m > 2*n {
			continue // their terms cannot be that alike
		}
		if jaccard(own, termsOf(before)) >= mostAlike {
			return []Finding{{Code: CodeEcho, Level: Warning, Args: []string{quote(before, [2]int{0, len(before)}), strconv.Itoa(back)}}}
		}
	}
	start, end := openingOf(in.Text)
	times := 1
	for _, before := range in.Before {
		if s, _ := openingOf(before); s == start && s != "" {
			times++
		}
	}
	if times < fewestTimes {
		return nil
	}
	return []Finding{{Code: CodeEcho, Level: Warning, Args: []string{strings.TrimSpace(in.Text[:end]), strconv.Itoa(times)}, Span: [2]int{0, end}}}
}

// authored reports whether a text is one of the persona's own lines.
func (in *reading) authored(text string) bool {
	return slices.Contains(in.Persona.Greeting.All(), text) || slices.ContainsFunc(in.Persona.Samples, func(s sample) bool {
		return slices.Contains(s.Reply.All(), text)
	})
}

// termsOf gives the words of a text and the pairs of characters of scripts
// without blanks, each once.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	last := rune(0)
	for _, w := range strings.FieldsFunc(folds(text, true).String(), func(r rune) bool { return r == ' ' }) {
		var word strings.Builder
		last = 0
		for _, r := range w {
			switch {
			case fold.Unspaced(r):
				if last != 0 {
					terms[string([]rune{last, r})] = true
				}
				last = r
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '\'':
				word.WriteRune(r)
				last = 0
			}
		}
		if word.Len() > 0 {
			terms[word.String()] = true
		}
	}
	return terms
}

func jaccard(a, b map[string]bool) float64 {
	both := shared(a, b)
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func shared(a, b map[string]bool) int {
	n := 0
	for t := range a {
		if b[t] {
			n++
		}
	}
	return n
}

// openingOf gives the first words of a text, folded, and the byte after them;
// "" of one that is not longer.
func openingOf(text string) (words string, end int) {
	f := folds(text, true)
	n, inWord := 0, false
	for i, r := range f.Runes {
		switch {
		case fold.Unspaced(r):
			n, inWord = n+4, false
		case r == ' ':
			inWord = false
		case !inWord:
			n, inWord = n+6, true
		}
		if n > opening*6 {
			_, end = f.Span(0, i)
			return strings.TrimSpace(string(f.Runes[:i])), end
		}
	}
	return "", 0
}
