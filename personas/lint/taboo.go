package lint

import (
	"slices"

	"fabula/personas"
)

// Taboos are the words that somebody never says, compiled once. They are safe
// for concurrent use.
type Taboos struct {
	*automaton
	terms []string
}

// NewTaboos compiles taboo words: each in any inflection, look-alike spelling,
// pinyin, and set apart.
func NewTaboos(lists ...[]personas.Text) *Taboos {
	t := &Taboos{}
	var all []wording
	for _, text := range slices.Concat(lists...) {
		for _, term := range text.All() {
			for _, form := range variants(term) {
				all = append(all, wording{form, len(t.terms)})
			}
			t.terms = append(t.terms, term)
		}
	}
	t.automaton = newAutomaton(all)
	return t
}

// taboo finds words that are never said, in any language, inflection or
// look-alike spelling.
func taboo(in *reading) []Finding {
	if len(in.Taboos.terms) == 0 {
		return nil
	}
	found, _ := in.Taboos.scan(in.strict)
	return in.Taboos.findings(in.strict, in.Text, found)
}

func (t *Taboos) findings(f folded, text string, found []match) []Finding {
	var out []Finding
	for _, m := range found {
		s := f.bytes(m.from, m.to)
		out = append(out, Finding{Code: CodeTaboo, Level: Error, Args: []string{t.terms[m.term], text[s[0]:s[1]]}, Span: s})
	}
	return once(out)
}

// once keeps one finding a span, the first.
func once(fs []Finding) []Finding {
	var out []Finding
	for _, f := range fs {
		if !slices.ContainsFunc(out, func(o Finding) bool { return o.Span == f.Span }) {
			out = append(out, f)
		}
	}
	return out
}
