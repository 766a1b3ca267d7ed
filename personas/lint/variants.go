package lint

import (
	"strings"
	"unicode"
)

// variants gives a term folded, in its inflections and in the spellings that
// are used to slip past a list: letters set apart, an l for an i, and Chinese
// words in pinyin. The first is the term itself.
func variants(term string) [][]rune {
	all := formsOf(term, false)
	if len(all) == 0 {
		return nil
	}
	plain := all[0]
	for _, form := range all {
		if other := strings.ReplaceAll(string(form), "l", "i"); len(form) > 3 && other != string(form) {
			all = append(all, []rune(other))
		}
	}
	if apart := unicode.Is(unicode.Han, plain[0]) || len(plain) > 2; apart && len(plain) > 1 {
		for _, sep := range []rune{' ', '.', '-', '*', '_', '·'} {
			all = append(all, spread(plain, sep))
		}
	}
	return append(all, spelt(plain)...)
}

// spread puts sep between the runes of a word; nil for a term of several words.
func spread(word []rune, sep rune) []rune {
	out := make([]rune, 0, 2*len(word))
	for i, r := range word {
		if !unicode.IsLetter(r) {
			return nil
		}
		if i > 0 {
			out = append(out, sep)
		}
		out = append(out, r)
	}
	return out
}

// mostSpelt bounds the characters of a word that is looked for with some of
// them in pinyin.
const mostSpelt = 4

// spelt writes a Chinese word in pinyin: all of it, joined or apart, or some
// of its characters. One character alone is left out: its reading is a word in
// too many languages.
func spelt(word []rune) [][]rune {
	if len(word) < 2 || len(word) > mostSpelt {
		return nil
	}
	read := make([]string, len(word))
	for i, r := range word {
		if read[i] = pinyinOf()[r]; read[i] == "" {
			return nil
		}
	}
	out := [][]rune{[]rune(strings.Join(read, " "))}
	for some := 1; some < 1<<len(word); some++ {
		var b strings.Builder
		for i, r := range word {
			if some&(1<<i) != 0 {
				b.WriteString(read[i])
			} else {
				b.WriteRune(r)
			}
		}
		out = append(out, []rune(b.String()))
	}
	return out
}
