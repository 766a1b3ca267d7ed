package lint

import (
	"strings"
	"unicode"

	"fabula/personas/fold"
)

// folded is a text in which look-alikes are gone too: invisible characters, and
// letters and digits that imitate Latin letters.
type folded struct{ *fold.Text }

// folds makes text comparable; without punctuation where loose is set.
func folds(text string, loose bool) folded {
	f := folded{fold.Of(text, func(r rune) rune { return plain(r, loose) })}
	f.digits()
	return f
}

// plain gives the comparable form of r; negative for what is left out.
func plain(r rune, loose bool) rune {
	switch {
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	case r == '`', r == '´':
		r = '\''
	}
	if r = fold.Plain(r); loose && r != '\'' && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
		return ' '
	}
	return latin(r)
}

// latin maps lower-case letters of other scripts that look like Latin ones.
func latin(r rune) rune {
	if r < 0x80 || r > 0x7ff {
		return r
	}
	const from = "аеорсухіјѕһԁԛԝкмтвнοανρτυκιχѵıɡ"
	const to = "aeopcyxijshdqwkmtbhoavptukixvig"
	for i, c := range []rune(from) {
		if c == r {
			return rune(to[i])
		}
	}
	return r
}

// digits reads digits that stand inside a Latin word as the letters that they
// imitate.
func (f folded) digits() {
	const from, to = "013457", "oieast"
	for i, r := range f.Runes {
		j := strings.IndexRune(from, r)
		if j < 0 {
			continue
		}
		if i > 0 && ascii(f.Runes[i-1]) || i+1 < len(f.Runes) && ascii(f.Runes[i+1]) {
			f.Runes[i] = rune(to[j])
		}
	}
}

func ascii(r rune) bool { return r >= 'a' && r <= 'z' }

// formsOf gives a term folded, in all its inflections.
func formsOf(term string, loose bool) [][]rune {
	var forms [][]rune
	for _, s := range inflections(folds(term, loose).String()) {
		forms = append(forms, []rune(s))
	}
	return forms
}

// find gives the span, in bytes of the original, of every place of a term in
// any of its forms. CJK is found anywhere, other scripts as whole words.
func (f folded) find(forms [][]rune) [][2]int {
	var spans [][2]int
	for i := 0; i < len(f.Runes); i++ {
		if n := f.longest(i, forms); n > 0 {
			spans = append(spans, f.bytes(i, i+n))
			i += n - 1
		}
	}
	return spans
}

// longest is the length of the longest form that stands at i, 0 for none.
func (f folded) longest(i int, forms [][]rune) int {
	best := 0
	for _, form := range forms {
		if len(form) > best && f.has(i, form) {
			best = len(form)
		}
	}
	return best
}

// has reports whether form stands at i as a whole word.
func (f folded) has(i int, form []rune) bool {
	return f.Has(i, form) && (!fold.Letter(form[len(form)-1]) || !f.goesOn(i+len(form)))
}

// bytes gives the bytes of the original behind the runes from..to-1.
func (f folded) bytes(from, to int) [2]int {
	start, end := f.Span(from, to)
	return [2]int{start, end}
}

// goesOn reports whether a word goes on at i: "don" is not a word of "don't".
func (f folded) goesOn(i int) bool {
	if i < len(f.Runes) && f.Runes[i] == '\'' {
		i++
	}
	return i < len(f.Runes) && fold.Letter(f.Runes[i])
}
