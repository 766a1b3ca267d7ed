package plot

import (
	"strings"

	"fabula/personas/fold"
)

// folded is a text in which keywords are looked for.
type folded struct{ *fold.Text }

func folds(text string) folded { return folded{fold.Of(text, fold.Plain)} }

// find gives the first place of keyword in f, as rune indexes. CJK matches
// anywhere. A keyword that begins or ends in another script must begin or end
// a word there, where an English ending may follow (see inflection).
func (f folded) find(keyword []rune) (from, to int, ok bool) { return f.findFrom(keyword, 0) }

// findFrom is find from a rune on.
func (f folded) findFrom(keyword []rune, off int) (from, to int, ok bool) {
	for i := off; i < len(f.Runes); i++ {
		if !f.Has(i, keyword) {
			continue
		}
		end := i + len(keyword)
		if !fold.Letter(keyword[len(keyword)-1]) {
			return i, end, true
		}
		if more, ok := f.inflection(keyword, end); ok {
			return i, end + more, true
		}
	}
	return 0, 0, false
}

// inflection gives the length of the ending after a keyword, if the word that
// began as the keyword is the keyword or a plain English inflection of it: 's,
// s from three letters on, es, ed, ing and (after e) d from four on. So "herb"
// meets "herbs" and "herb's", "salt" meets "salted" but not "salty", "no" does
// not meet "noes".
func (f folded) inflection(keyword []rune, end int) (int, bool) {
	stop := end
	for stop < len(f.Runes) && fold.Letter(f.Runes[stop]) {
		stop++
	}
	rest := string(f.Runes[end:stop])
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
