package plot

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded is a text made comparable: width, compatibility forms and case are
// gone, runs of white space are one blank, and none is left between CJK
// characters. start and end give the bytes of the original behind each rune.
type folded struct {
	runes      []rune
	start, end []int
}

// String is the folded text without blanks at its ends.
func (f *folded) String() string { return strings.TrimSpace(string(f.runes)) }

func fold(text string) *folded {
	f := &folded{}
	var it norm.Iter
	it.InitString(norm.NFKC, text)
	for !it.Done() {
		from := it.Pos()
		piece := it.Next()
		for _, r := range string(piece) {
			f.add(plain(r), from, it.Pos())
		}
	}
	f.joinCJK()
	return f
}

// plain lowers r and makes the many apostrophes and blanks one.
func plain(r rune) rune {
	switch {
	case r == '’' || r == '‘' || r == 'ʼ':
		return '\''
	case unicode.IsSpace(r):
		return ' '
	}
	return unicode.ToLower(r)
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

// joinCJK drops blanks that stand between two CJK characters.
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

// wordRune reports whether r is part of a word that blanks set apart.
func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !cjk(r)
}

// find gives the first place of keyword in f, as rune indexes. CJK matches
// anywhere. A keyword that begins or ends in another script must begin or end
// a word there, where an English ending may follow (see inflection).
func (f *folded) find(keyword []rune) (from, to int, ok bool) {
	if len(keyword) == 0 {
		return 0, 0, false
	}
	for i := 0; i+len(keyword) <= len(f.runes); i++ {
		if f.at(i, keyword) {
			end := i + len(keyword)
			if wordRune(keyword[0]) && i > 0 && wordRune(f.runes[i-1]) {
				continue
			}
			if !wordRune(keyword[len(keyword)-1]) {
				return i, end, true
			}
			if more, ok := f.inflection(keyword, end); ok {
				return i, end + more, true
			}
		}
	}
	return 0, 0, false
}

func (f *folded) at(i int, keyword []rune) bool {
	for j, r := range keyword {
		if f.runes[i+j] != r {
			return false
		}
	}
	return true
}

// inflection gives the length of the ending after a keyword, if the word that
// began as the keyword is the keyword or a plain English inflection of it: 's,
// s from three letters on, es, ed, ing and (after e) d from four on. So "herb"
// meets "herbs" and "herb's", "salt" meets "salted" but not "salty", "no" does
// not meet "noes".
func (f *folded) inflection(keyword []rune, end int) (int, bool) {
	stop := end
	for stop < len(f.runes) && wordRune(f.runes[stop]) {
		stop++
	}
	rest := string(f.runes[end:stop])
	if rest == "" {
		return 0, true
	}
	letters := 0
	for i := len(keyword) - 1; i >= 0 && keyword[i] >= 'a' && keyword[i] <= 'z'; i-- {
		letters++
	}
	last := keyword[len(keyword)-1]
	switch rest {
	case "s":
		return 1, letters >= 3
	case "es":
		return 2, letters >= 4 && strings.ContainsRune("sxzho", last)
	case "ed", "ing":
		return len(rest), letters >= 4
	case "d":
		return 1, letters >= 4 && last == 'e'
	}
	return 0, false
}
