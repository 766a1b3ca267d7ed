package check

import (
	"regexp"
	"strings"
)

// slips finds what YAML read as one text though the author meant two: full-width
// punctuation separates nothing in YAML.
func slips(c *checker) {
	key := swallowed(c.s.Languages)
	for _, p := range c.passages {
		for _, text := range p.text.All() {
			if m := key.FindStringSubmatch(text); m != nil {
				c.warn(p.allow, p.text.Pos, CodeSwallowed, p.field, m[1])
			} else if p.kind == keyword && strings.ContainsAny(text, "，、") {
				c.warn(p.allow, p.text.Pos, CodeComma, text)
			}
		}
	}
}

// swallowed matches a language of the world in front of a full-width colon.
func swallowed(languages []string) *regexp.Regexp {
	var codes []string
	for _, l := range languages {
		codes = append(codes, regexp.QuoteMeta(l))
	}
	return regexp.MustCompile(`(?:^|[\s，,;；。"'”{])((?:` + strings.Join(codes, "|") + `)\s*：)`)
}
