package check

import (
	"slices"

	"fabula/personas"
	"fabula/personas/lint"
)

// spoken holds what a persona says in authored text to its own rules: taboo
// words are errors, as they are in a reply; so are too many words a warning.
func spoken(c *checker) {
	taboos := map[*personas.Persona]*lint.Taboos{} // compiled once a persona: that costs more than all its lines
	for _, p := range c.passages {
		speaker := c.s.Persona(p.by)
		if speaker == nil || p.kind != heard {
			continue
		}
		if taboos[speaker] == nil {
			taboos[speaker] = lint.NewTaboos(c.s.Taboo, speaker.Taboo)
		}
		allow := slices.Concat(p.allow, speaker.Allow)
		for _, words := range p.text.All() {
			for _, f := range lint.Reply(lint.Input{Persona: speaker, Taboos: taboos[speaker], Text: words}) {
				switch f.Code {
				case lint.CodeTaboo:
					c.fail(allow, p.text.Pos, CodeTaboo, f.Args...)
				case lint.CodeOverLength:
					c.warn(allow, p.text.Pos, CodeOverLength, f.Args...)
				}
			}
		}
	}
}
