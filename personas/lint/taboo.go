package lint

import "slices"

// taboo finds words that are never said, in any language, inflection or
// look-alike spelling.
func taboo(in Input) []Finding {
	f := folds(in.Text, false)
	var out []Finding
	for _, t := range slices.Concat(in.WorldTaboo, in.Persona.Taboo) {
		for _, term := range t.All() {
			out = append(out, hits(in.Text, f.find(formsOf(term, false)), CodeTaboo, term)...)
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
