package style

import "fabula/personas"

// Lines are a persona's own lines in a language: its samples and its greeting.
func Lines(p *personas.Persona, lang string, rest ...string) []string {
	var out []string
	for _, s := range p.Samples {
		if text := s.Reply.In(lang, rest...); text != "" {
			out = append(out, text)
		}
	}
	if text := p.Greeting.In(lang, rest...); text != "" {
		out = append(out, text)
	}
	return out
}
