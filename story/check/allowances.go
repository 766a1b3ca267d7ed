package check

import (
	"slices"

	"fabula/personas/lint"
	"fabula/personas/source"
)

// allowances finds an `allow` of a finding that there is not: it would allow
// nothing.
func allowances(c *checker) {
	known := append(Codes(), lint.Codes()...)
	for _, a := range c.survey.allowances {
		if !slices.Contains(known, a.Finding) {
			c.warn(nil, a.Pos, CodeUnknownAllow, a.Finding, source.Nearest(a.Finding, known))
		}
	}
}
