package widget

import (
	"strings"

	"fabula/tui/style"
	"fabula/tui/text"
)

// Run is a stretch of text in one style.
type Run struct {
	Text  string
	Style style.Style
}

// Flow wraps stretches of text, one after the other, into rows of w columns
// with an indent.
func Flow(runs []Run, indent, w int) Rows {
	var plain strings.Builder
	for i := range runs {
		runs[i].Text = text.Sanitise(runs[i].Text)
		plain.WriteString(runs[i].Text)
	}
	rest := plain.String()
	f := flow{runs: runs}
	var rows Rows
	for _, row := range text.Wrap(rest, w-indent-1) {
		gap := max(strings.Index(rest, row), 0) // blanks at the end of the row before are not drawn
		f.skip(gap)
		rest = rest[min(gap+len(row), len(rest)):]
		rows = append(rows, text.Fit(text.Spaces(indent)+f.take(len(row)), w, ""))
	}
	return rows
}

// flow is how far runs were drawn.
type flow struct {
	runs []Run
	at   int // bytes of runs[0]
}

func (f *flow) skip(n int) { f.each(n, func(string, style.Style) {}) }

func (f *flow) take(n int) string {
	var b strings.Builder
	f.each(n, func(s string, st style.Style) { b.WriteString(st.Render(s)) })
	return b.String()
}

func (f *flow) each(n int, do func(string, style.Style)) {
	for n > 0 && len(f.runs) > 0 {
		r := f.runs[0]
		m := min(n, len(r.Text)-f.at)
		if m > 0 {
			do(r.Text[f.at:f.at+m], r.Style)
		}
		n, f.at = n-m, f.at+m
		if f.at == len(r.Text) {
			f.runs, f.at = f.runs[1:], 0
		}
	}
}
