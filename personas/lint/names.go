package lint

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names finds names that are nearly one of the world's: one letter off, or
// Chinese characters that sound the same.
func names(in *reading) []Finding {
	known := slices.Concat(in.Persona.Name.All(), in.Player, in.Others)
	var out []Finding
	rs := []rune(in.Text)
	for _, name := range known {
		if n := []rune(name); len(n) >= 2 && unicode.Is(unicode.Han, n[0]) {
			out = append(out, sameSound(in.Text, rs, n)...)
		}
	}
	return once(append(out, slips(in.Text, known)...))
}

// sameSound finds other characters with a name's readings, of which one at
// least is the name's.
func sameSound(text string, rs, name []rune) []Finding {
	read := readings(name)
	at := 0
	var out []Finding
	for i := range rs {
		if end := i + len(name); end <= len(rs) {
			alike := 0
			for j, r := range name {
				if rs[i+j] == r {
					alike++
				}
			}
			if got := rs[i:end]; alike > 0 && alike < len(name) && slices.Equal(readings(got), read) {
				span := [2]int{at, at + len(string(got))}
				out = append(out, warn(CodeNearName, span, text[span[0]:span[1]], string(name)))
			}
		}
		at += len(string(rs[i]))
	}
	return out
}

// readings gives the first reading of each character, "" where it has none.
func readings(word []rune) []string {
	out := make([]string, len(word))
	for i, r := range word {
		out[i] = pinyinOf()[r]
	}
	return out
}

// shortestName is how long a name in letters is whose slips are looked for:
// shorter ones are a letter away from too many words.
const shortestName = 4

// strangeName is how long a word is that hardly is a plain one if it is a letter
// away from a name, also where a sentence begins.
const strangeName = 7

// slips finds capitalised words that are one letter away from a name.
func slips(text string, known []string) []Finding {
	var parts []string
	for _, name := range known {
		for _, w := range strings.Fields(name) {
			if len([]rune(w)) >= shortestName && unicode.IsUpper([]rune(w)[0]) {
				parts = append(parts, w)
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	var out []Finding
	for _, s := range runs(text, shortestName-1, func(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }) {
		word := text[s[0]:s[1]]
		if !unicode.IsUpper([]rune(word)[0]) || begins(text, s[0]) && utf8.RuneCountInString(word) < strangeName {
			continue // any word is capitalised where a sentence begins
		}
		if i := slices.IndexFunc(parts, func(p string) bool { return oneOff(p, word) }); i >= 0 && !slices.Contains(parts, word) && word != parts[i]+"s" {
			out = append(out, warn(CodeNearName, s, word, parts[i]))
		}
	}
	return out
}

// begins reports whether a sentence begins at byte at.
func begins(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t\"“‘'*(_")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?\n:…")
}

// oneOff reports whether two words differ by one letter changed, left out, put
// in, or by two swapped.
func oneOff(a, b string) bool {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if len(x) > len(y) {
		x, y = y, x
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch len(y) - len(x) {
	case 1:
		return slices.Equal(x[i:], y[i+1:])
	case 0:
		if i == len(x) {
			return false
		}
		if slices.Equal(x[i+1:], y[i+1:]) {
			return true
		}
		return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
	}
	return false
}
