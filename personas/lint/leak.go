package lint

import (
	"slices"

	"fabula/personas"
)

// Watch looks for secrets in texts: for their text or an alias, whatever the
// punctuation. A paraphrase is not found. It folds the secrets once.
type Watch struct {
	secrets []personas.Secret
	forms   [][][][]rune // of each wording of each secret
}

// NewWatch watches for secrets of one persona.
func NewWatch(secrets []personas.Secret) *Watch {
	w := &Watch{secrets: secrets, forms: make([][][][]rune, len(secrets))}
	for i, s := range secrets {
		for _, t := range append([]personas.Text{s.Text}, s.Aliases...) {
			for _, words := range t.All() {
				w.forms[i] = append(w.forms[i], formsOf(words, true))
			}
		}
	}
	return w
}

// Told gives the secrets that a text gives away, in the order given.
func (w *Watch) Told(text string) []*personas.Secret {
	if len(w.secrets) == 0 {
		return nil
	}
	f := folds(text, true)
	var out []*personas.Secret
	for i := range w.secrets {
		if slices.ContainsFunc(w.forms[i], func(forms [][]rune) bool { return len(f.find(forms)) > 0 }) {
			out = append(out, &w.secrets[i])
		}
	}
	return out
}

// leak finds the text or an alias of a secret that was locked.
func leak(in Input) []Finding {
	f := folds(in.Text, true)
	var out []Finding
	for i, wordings := range NewWatch(in.Locked).forms {
		id := in.Locked[i].ID
		if in.Persona.ID != "" {
			id = in.Persona.ID + "." + id
		}
		for _, forms := range wordings {
			out = append(out, hits(in.Text, f.find(forms), CodeLeak, id)...)
		}
	}
	return once(out)
}
