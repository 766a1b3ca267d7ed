package lint

import (
	"slices"

	"fabula/personas"
)

// Watch looks for secrets in texts: for their text or an alias, whatever the
// punctuation. A paraphrase is not found. It folds the secrets once.
type Watch struct {
	secrets []personas.Secret
	*automaton
	terms [][]map[string]bool // of each wording of each secret, what carries meaning
}

// NewWatch watches for secrets of one persona.
func NewWatch(secrets []personas.Secret) *Watch {
	w := &Watch{secrets: secrets}
	var all []wording
	for i, s := range secrets {
		w.terms = append(w.terms, nil)
		for _, words := range s.Text.All() {
			w.terms[i] = append(w.terms[i], content(words))
		}
		for _, t := range append([]personas.Text{s.Text}, s.Aliases...) {
			for _, words := range t.All() {
				for _, form := range formsOf(words, true) {
					all = append(all, wording{form, i})
				}
			}
		}
	}
	w.automaton = newAutomaton(all)
	return w
}

// Told gives the secrets that a text gives away, in the order given.
func (w *Watch) Told(text string) []*personas.Secret {
	if len(w.secrets) == 0 {
		return nil
	}
	found, _ := w.scan(folds(text, true))
	var out []*personas.Secret
	for i := range w.secrets {
		if slices.ContainsFunc(found, func(m match) bool { return m.term == i }) {
			out = append(out, &w.secrets[i])
		}
	}
	return out
}

// leak finds the text or an alias of a secret that was locked.
func leak(in *reading) []Finding {
	if len(in.Locked) == 0 {
		return nil
	}
	w, f := in.watch(), in.loose()
	found, _ := w.scan(f)
	return w.findings(in, f, in.Text, found)
}

func (w *Watch) findings(in *reading, f folded, text string, found []match) []Finding {
	var out []Finding
	for _, m := range found {
		s := f.bytes(m.from, m.to)
		if !in.isLocked(w.secrets[m.term].ID) {
			continue
		}
		out = append(out, Finding{Code: CodeLeak, Level: Error, Args: []string{in.secretID(w.secrets[m.term]), text[s[0]:s[1]]}, Span: s})
	}
	return once(out)
}

func (in *reading) isLocked(id string) bool {
	return slices.ContainsFunc(in.Locked, func(s personas.Secret) bool { return s.ID == id })
}
