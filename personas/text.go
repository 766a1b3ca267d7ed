package personas

import (
	"slices"
	"sort"

	"fabula/personas/source"
)

// Text is an authored text: one string for every language, or one per language.
type Text struct {
	Plain string            // set when the author wrote a plain string
	By    map[string]string // language code → text, when the author wrote a map
	Pos   source.Pos
}

// In gives the text in lang, else in the first of rest that has one, else the
// plain string, else the text of the alphabetically first language.
func (t Text) In(lang string, rest ...string) string {
	for _, l := range append([]string{lang}, rest...) {
		if s, ok := t.By[l]; ok {
			return s
		}
	}
	if t.Plain != "" || len(t.By) == 0 {
		return t.Plain
	}
	return t.By[t.Languages()[0]]
}

// Empty reports whether there is no text in any language.
func (t Text) Empty() bool { return t.Plain == "" && len(t.By) == 0 }

// Languages lists the languages written, sorted; nil for a plain string.
func (t Text) Languages() []string {
	langs := make([]string, 0, len(t.By))
	for l := range t.By {
		langs = append(langs, l)
	}
	sort.Strings(langs)
	return langs
}

// All gives every wording, plain first, then by language code: keywords of all
// languages are always matched together.
func (t Text) All() []string {
	var all []string
	if t.Plain != "" {
		all = append(all, t.Plain)
	}
	for _, l := range t.Languages() {
		if !slices.Contains(all, t.By[l]) {
			all = append(all, t.By[l])
		}
	}
	return all
}
