package lint

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded is a text made comparable: compatibility forms, width and case are
// gone, so are invisible characters; letters that look like Latin ones are
// Latin; white space is one blank, and none between CJK characters. start and
// end give the bytes of the original behind each rune.
type folded struct {
	runes      []rune
	start, end []int
}

// fold makes text comparable; without punctuation where loose is set.
func fold(text string, loose bool) *folded {
	f := &folded{}
	var it norm.Iter
	it.InitString(norm.NFKC, text)
	for !it.Done() {
		from := it.Pos()
		piece := it.Next()
		for _, r := range string(piece) {
			if r = plain(r, loose); r >= 0 {
				f.add(r, from, it.Pos())
			}
		}
	}
	f.digits()
	f.joinCJK()
	return f
}

// plain gives the comparable form of r; negative for what is left out.
func plain(r rune, loose bool) rune {
	switch {
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	case strings.ContainsRune("’‘ʼ`´", r):
		r = '\''
	case unicode.IsSpace(r):
		return ' '
	}
	if loose && r != '\'' && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
		return ' '
	}
	return latin(unicode.ToLower(r))
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

func (f *folded) add(r rune, from, to int) {
	if last := len(f.runes) - 1; r == ' ' && last >= 0 && f.runes[last] == ' ' {
		f.end[last] = to
		return
	}
	f.runes = append(f.runes, r)
	f.start = append(f.start, from)
	f.end = append(f.end, to)
}

// digits reads digits that stand inside a Latin word as the letters that they
// imitate.
func (f *folded) digits() {
	const from, to = "013457", "oieast"
	for i, r := range f.runes {
		j := strings.IndexRune(from, r)
		if j < 0 {
			continue
		}
		if i > 0 && ascii(f.runes[i-1]) || i+1 < len(f.runes) && ascii(f.runes[i+1]) {
			f.runes[i] = rune(to[j])
		}
	}
}

func ascii(r rune) bool { return r >= 'a' && r <= 'z' }

// joinCJK drops blanks between two CJK characters.
func (f *folded) joinCJK() {
	keep := 0
	for i, r := range f.runes {
		if r == ' ' && keep > 0 && i+1 < len(f.runes) && cjk(f.runes[keep-1]) && cjk(f.runes[i+1]) {
			continue
		}
		f.runes[keep], f.start[keep], f.end[keep] = r, f.start[i], f.end[i]
		keep++
	}
	f.runes, f.start, f.end = f.runes[:keep], f.start[:keep], f.end[:keep]
}

// cjk reports whether words of r's script are written without blanks.
func cjk(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai)
}

// letter reports whether r is part of a word that blanks set apart.
func letter(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !cjk(r)
}

// find gives the span, in bytes of the original, of every place of a term in
// any of its inflections. CJK is found anywhere, other scripts as whole words.
func (f *folded) find(term string, loose bool) [][2]int {
	var forms [][]rune
	for _, s := range inflections(strings.TrimSpace(string(fold(term, loose).runes))) {
		forms = append(forms, []rune(s))
	}
	var spans [][2]int
	for i := 0; i < len(f.runes); i++ {
		if n := f.longest(i, forms); n > 0 {
			spans = append(spans, [2]int{f.start[i], f.end[i+n-1]})
			i += n - 1
		}
	}
	return spans
}

// longest is the length of the longest form that stands at i, 0 for none.
func (f *folded) longest(i int, forms [][]rune) int {
	best := 0
	for _, form := range forms {
		if len(form) > best && f.has(i, form) {
			best = len(form)
		}
	}
	return best
}

func (f *folded) has(i int, form []rune) bool {
	end := i + len(form)
	if len(form) == 0 || end > len(f.runes) || !slices.Equal(f.runes[i:end], form) {
		return false
	}
	if letter(form[0]) && i > 0 && letter(f.runes[i-1]) {
		return false
	}
	return !letter(form[len(form)-1]) || !f.goesOn(end)
}

// goesOn reports whether a word goes on at i: "don" is not a word of "don't".
func (f *folded) goesOn(i int) bool {
	if i < len(f.runes) && f.runes[i] == '\'' {
		i++
	}
	return i < len(f.runes) && letter(f.runes[i])
}
