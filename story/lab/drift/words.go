package drift

import (
	"slices"
	"strings"
	"unicode"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
)

// WordsOf lists what the personas of a world are not to say: their taboos and
// the world's, and today's register where the world has a rule against it.
func WordsOf(script *plot.Script, languages []string) []Words {
	var out []Words
	for _, p := range script.Personas {
		for _, lang := range languages {
			taboo := Words{Persona: p.ID, Language: lang, Kind: Taboo}
			for _, t := range slices.Concat(script.Taboo, p.Taboo) {
				if w := in(t, lang); w != "" && !slices.Contains(taboo.List, w) {
					taboo.List = append(taboo.List, w)
				}
			}
			out = append(out, taboo)
			if ruled(script, p, lang) {
				out = append(out, Words{p.ID, lang, Slang, slang(lang)})
			}
		}
	}
	return slices.DeleteFunc(out, func(w Words) bool { return len(w.List) == 0 })
}

// in is a text in exactly one language, or as it is plainly written.
func in(t personas.Text, lang string) string {
	if s, ok := t.By[lang]; ok {
		return strings.TrimSpace(s)
	}
	return strings.TrimSpace(t.Plain)
}

// modern is the year from which on today's register is no slip, as in
// personas/lint.
const modern = 1990

// ruled reports whether today's register is a fault of the persona's.
func ruled(script *plot.Script, p *personas.Persona, lang string) bool {
	in := story.Judged(script, p, plot.State{Node: script.Start}, lang, "")
	return (in.Year == nil || *in.Year < modern) && !in.Allows(lint.CodeSlang)
}

// slang keeps the words that are written in the language's script.
func slang(lang string) []string {
	chinese := strings.HasPrefix(lang, "zh")
	return slices.DeleteFunc(lint.SlangWords(), func(w string) bool {
		return strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) != chinese
	})
}
