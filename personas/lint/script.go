package lint

import (
	"unicode"

	"golang.org/x/text/language"

	"fabula/personas/fold"
)

// fewestLetters is how many letters it takes to tell a script: fewer may be a
// name or a cry.
const fewestLetters = 8

// foreignScript finds a reply most of which is in another script than its
// language is written in.
func foreignScript(in *reading) []Finding {
	tag, err := language.Parse(in.Language)
	if err != nil {
		return nil
	}
	script, _ := tag.Script()
	tables := tablesOf(script.String())
	own, all := 0, 0
	others := map[string]int{}
	for _, r := range in.Text {
		if !unicode.IsLetter(r) {
			continue
		}
		// A word of many letters says as much as one Han character.
		weight := 1
		if fold.Unspaced(r) {
			weight = 3
		}
		all += weight
		if unicode.In(r, tables...) {
			own += weight
		} else {
			others[scriptOf(r)] += weight
		}
	}
	if len(tables) == 0 || all < fewestLetters || 2*own >= all {
		return nil
	}
	return []Finding{{Code: CodeForeignScript, Level: Warning, Args: []string{most(others), in.Language}}}
}

// tablesOf gives the characters of an ISO 15924 script; nil if unknown.
func tablesOf(script string) []*unicode.RangeTable {
	switch script {
	case "Hans", "Hant", "Hani":
		return []*unicode.RangeTable{unicode.Han, unicode.Bopomofo}
	case "Jpan":
		return []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}
	case "Kore", "Hang":
		return []*unicode.RangeTable{unicode.Hangul, unicode.Han}
	}
	names := map[string]string{
		"Latn": "Latin", "Cyrl": "Cyrillic", "Grek": "Greek", "Arab": "Arabic", "Hebr": "Hebrew",
		"Thai": "Thai", "Deva": "Devanagari", "Armn": "Armenian", "Geor": "Georgian",
	}
	if t := unicode.Scripts[names[script]]; t != nil {
		return []*unicode.RangeTable{t}
	}
	return nil
}

// scriptOf names the script of a letter as Unicode does.
func scriptOf(r rune) string {
	for _, name := range []string{"Latin", "Han", "Hiragana", "Katakana", "Hangul", "Cyrillic", "Greek", "Arabic", "Hebrew", "Thai", "Devanagari"} {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	return "other"
}

// most is the key with the highest count; of equals the first in the alphabet.
func most(counts map[string]int) string {
	best := ""
	for name, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && name < best {
			best = name
		}
	}
	return best
}
