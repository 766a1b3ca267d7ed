package lint

import (
	"strings"
	"unicode"

	"fabula/personas/fold"
)

// folded is a text in which look-alikes are gone too: invisible characters,
// letters and digits that imitate Latin letters, accents, and traditional
// characters.
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
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		if r == '`' {
			r = '\''
		}
	case r >= firstHan && r <= lastHan:
		return simplified(r)
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	case r == '´':
		r = '\''
	}
	if r = fold.Plain(r); loose && r != '\'' && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
		return ' '
	}
	return latin(r)
}

// latin maps lower-case letters that look like plain Latin ones: those of other
// scripts, and vowels with the accents of pinyin.
func latin(r rune) rune {
	if r < 0x80 || r > 0x7ff {
		return r
	}
	if l, ok := looks[r]; ok {
		return l
	}
	return r
}

// looks is from what latin maps, to what.
var looks = pairs(
	"аеорсухіјѕһԁԛԝкмтвнοανρτυκιχѵıɡāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü",
	"aeopcyxijshdqwkmtbhoavptukixvigaaaaeeeeiiiioooouuuuvvvvv")

func pairs(from, to string) map[rune]rune {
	m := map[rune]rune{}
	targets := []rune(to)
	for i, r := range []rune(from) {
		m[r] = targets[i]
	}
	return m
}

// imitated are signs that stand for letters inside a Latin word.
const imitated, imitates = "013457@$", "oieastas"

// digits reads signs that stand inside a Latin word as the letters that they
// imitate.
func (f folded) digits() {
	for i, r := range f.Runes {
		if r > '@' || r < '$' {
			continue
		}
		j := strings.IndexRune(imitated, r)
		if j < 0 {
			continue
		}
		if i > 0 && ascii(f.Runes[i-1]) || i+1 < len(f.Runes) && ascii(f.Runes[i+1]) {
			f.Runes[i] = rune(imitates[j])
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
