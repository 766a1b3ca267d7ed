package lint

import "strings"

// inflections lists a term and, where its last word is English, the regular
// forms of it: plural, possessive, past and present participle. Words of two
// letters have few. Derived words ("stopper" of "stop") are other words.
func inflections(term string) []string {
	if term == "" {
		return nil
	}
	stem := term[strings.LastIndexByte(term, ' ')+1:]
	head := term[:len(term)-len(stem)]
	for _, r := range stem {
		if !ascii(r) {
			return []string{term}
		}
	}
	var out []string
	for _, form := range forms(stem) {
		out = append(out, head+form)
	}
	return out
}

// forms inflects one lower-case word of at least one letter.
func forms(w string) []string {
	out := []string{w, w + "s", w + "'s", w + "s'"}
	if len(w) < 3 {
		return append(out, w+"'d", w+"ing")
	}
	last, before := w[len(w)-1], w[len(w)-2]
	short := w[:len(w)-1]
	switch {
	case last == 'e':
		return append(out, w+"d", short+"ing")
	case last == 'y' && !vowel(before):
		return append(out, short+"ies", short+"ied", w+"ing")
	case strings.ContainsRune("sxzo", rune(last)) || strings.HasSuffix(w, "ch") || strings.HasSuffix(w, "sh"):
		out = append(out, w+"es")
	case vowel(before) && !vowel(last) && !vowel(w[len(w)-3]) && !strings.ContainsRune("wxy", rune(last)):
		double := w + string(last)
		out = append(out, double+"ed", double+"ing")
	}
	return append(out, w+"ed", w+"ing")
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
