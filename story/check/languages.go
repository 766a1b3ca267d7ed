package check

import (
	"slices"
	"strings"
)

// languages finds texts by language that lack one of the world's, or have one
// that the world does not list. Keywords and sentences to look for need no
// translation: those of all languages are tried together.
func languages(c *checker) {
	all := strings.Join(c.s.Languages, ", ")
	for _, p := range c.passages {
		for _, l := range p.text.Languages() {
			if !slices.Contains(c.s.Languages, l) {
				c.warn(p.allow, p.text.Pos, CodeOutside, p.field, l, all)
			}
		}
		if len(p.text.By) == 0 || p.kind == keyword || p.kind == wording {
			continue
		}
		for _, l := range c.s.Languages {
			if _, there := p.text.By[l]; !there {
				c.warn(p.allow, p.text.Pos, CodeMissing, p.field, l)
			}
		}
	}
	for _, p := range c.s.Personas {
		if p.Speaks != "" && !slices.Contains(c.s.Languages, p.Speaks) {
			c.warn(p.Allow, p.Pos, CodeOutside, "speaks", p.Speaks, all)
		}
	}
}
