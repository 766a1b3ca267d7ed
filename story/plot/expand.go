package plot

import (
	"strings"

	"fabula/personas"
)

// Expand fills {player} and {variable} of an authored text; anything else in
// braces stays as it is. Values are not expanded again. Never call it on what
// the player typed.
func (s *Script) Expand(text string, st State, lang string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for part := range placeholders(text) {
		if v, ok := s.value(part.name, &st, lang); ok {
			b.WriteString(v)
		} else {
			b.WriteString(part.raw)
		}
	}
	return b.String()
}

// said gives an authored text as `by` says it: in the language of the
// playthrough, or the persona's own. It is filled in like any.
func (s *Script) said(by string, t personas.Text, st *State, lang string) string {
	if p := s.Persona(by); p != nil {
		lang = p.Language(lang)
	}
	return s.Expand(t.In(lang, s.Languages...), *st, lang)
}

// speak is said, and notes the secrets that are told with it: a player who was
// told by a line that was written has been told.
func (s *Script) speak(by string, t personas.Text, st *State, lang string) string {
	text := s.said(by, t, st, lang)
	s.ToldSecrets(st, by, text)
	return text
}

func (s *Script) value(name string, st *State, lang string) (string, bool) {
	if name == "" {
		return "", false
	}
	if name == "player" {
		return s.Player.Name.In(lang, s.Languages...), true
	}
	v := s.Var(name)
	if v == nil {
		return "", false
	}
	if x, ok := st.Vars[name]; ok {
		return x.String(), true
	}
	return v.Default.String(), true
}

// piece is a stretch of text; name is set when raw is {name}.
type piece struct{ raw, name string }

// placeholders cuts text at every {id}. Doubled braces are text.
func placeholders(text string) func(yield func(piece) bool) {
	return func(yield func(piece) bool) {
		for text != "" {
			i := strings.IndexByte(text, '{')
			if i < 0 {
				yield(piece{raw: text})
				return
			}
			end := i + 1
			for end < len(text) && idByte(text[end]) {
				end++
			}
			name := text[i+1 : end]
			if end < len(text) && text[end] == '}' && validID(name) && !doubled(text, i, end) {
				if !yield(piece{raw: text[:i]}) || !yield(piece{raw: text[i : end+1], name: name}) {
					return
				}
				text = text[end+1:]
				continue
			}
			if end == i+1 && strings.HasPrefix(text[end:], "{") {
				end++ // a doubled brace does not open a placeholder
			}
			if !yield(piece{raw: text[:end]}) {
				return
			}
			text = text[end:]
		}
	}
}

func doubled(text string, open, end int) bool {
	return open > 0 && text[open-1] == '{' || strings.HasPrefix(text[end+1:], "}") && open > 0 && text[open-1] == '{'
}

func idByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' }

// validID reports whether id is [a-z][a-z0-9_]*.
func validID(id string) bool {
	for i := range len(id) {
		if !idByte(id[i]) {
			return false
		}
	}
	return id != "" && id[0] >= 'a' && id[0] <= 'z'
}

// Part is a stretch of an authored text: Text as it stands, or where Var is set
// the value of that variable.
type Part struct{ Text, Var string }

// Parts cuts an authored text at the variables that it shows; {player} is
// filled in. It is Expand for those who show the variables themselves.
func (s *Script) Parts(text, lang string) []Part {
	var out []Part
	for p := range placeholders(text) {
		switch v := s.Var(p.name); {
		case p.name == "player":
			out = append(out, Part{Text: s.Player.Name.In(lang, s.Languages...)})
		case p.name != "" && v != nil:
			out = append(out, Part{Var: v.ID})
		default:
			out = append(out, Part{Text: p.raw})
		}
	}
	return out
}
