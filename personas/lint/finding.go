// Package lint checks text against a persona, one rule a file. Findings are
// facts with a span, never opinions.
package lint

// Level of a finding.
type Level string

// A finding at error level makes `check` and `play` exit 3.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Info    Level = "info"
)

// Finding is one thing a rule saw: a code with arguments, worded by cmd and
// tui in the person's language. Span is in bytes of the text; [0,0] concerns
// the whole.
type Finding struct {
	Code  string   `json:"code"`
	Level Level    `json:"level"`
	Args  []string `json:"args,omitempty"`
	Span  [2]int   `json:"span"`
}
