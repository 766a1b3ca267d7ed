package source

import "strings"

// flows reports what YAML cannot read inside { } and [ ] below a line: each such
// value that stands whole on a line is tried by itself, so that all of them are
// told in one run although the file as a whole does not parse.
func (d *document) flows(below int) {
	scalar := -1 // indent of the key whose text runs over the lines below
	for i, line := range d.lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if scalar >= 0 && indent(line) > scalar {
			continue
		}
		scalar = -1
		if blockText().MatchString(line) {
			scalar = indent(line)
			continue
		}
		if i+1 <= below {
			continue
		}
		m := flowValue().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		if _, _, err := compose(line[m[2]:m[3]]); err != nil {
			d.fault(Pos{d.file, i + 1, len([]rune(line[:m[2]])) + 1}, CodeSyntax, flowReason(line[m[2]]), clip(strings.TrimSpace(line)))
		}
	}
}

func flowReason(open byte) string {
	if open == '[' {
		return ReasonBracket
	}
	return ReasonFlow
}

// flowValue is a value in { } or [ ] from its opening to the end of the line,
// which closes it.
var flowValue = shape(`^\s*(?:- +)*(?:[\w.]+:\s+)?([{\[].*[}\]])\s*(?:#.*)?$`)
