package lint

import (
	"slices"

	"fabula/personas"
)

// taboo finds words that are never said, in any language, inflection or
// look-alike spelling.
func taboo(in Input) []Finding {
	f := fold(in.Text, false)
	var out []Finding
	for _, t := range slices.Concat(in.WorldTaboo, in.Persona.Taboo) {
		for _, term := range t.All() {
			out = append(out, hits(in.Text, f.find(term, false), CodeTaboo, term)...)
		}
	}
	return once(out)
}

func hits(text string, spans [][2]int, code, arg string) []Finding {
	var out []Finding
	for _, s := range spans {
		out = append(out, Finding{Code: code, Level: Error, Args: []string{arg, text[s[0]:s[1]]}, Span: s})
	}
	return out
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

// leak finds the text or an alias of a secret that was locked, whatever the
// punctuation. A paraphrase is not found.
func leak(in Input) []Finding {
	f := fold(in.Text, true)
	var out []Finding
	for _, s := range in.Locked {
		id := s.ID
		if in.Persona.ID != "" {
			id = in.Persona.ID + "." + s.ID
		}
		for _, t := range append([]personas.Text{s.Text}, s.Aliases...) {
			for _, words := range t.All() {
				out = append(out, hits(in.Text, f.find(words, true), CodeLeak, id)...)
			}
		}
	}
	return once(out)
}
