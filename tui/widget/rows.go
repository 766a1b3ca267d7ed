package widget

import (
	"strings"

	"fabula/tui/style"
	"fabula/tui/text"
)

// Rows are drawn lines, each exactly as wide as was asked.
type Rows []string

// Fit gives exactly h rows of w columns: cut at the end or filled with blanks.
func (r Rows) Fit(w, h int) Rows {
	if len(r) > h {
		return r[:max(h, 0)]
	}
	for len(r) < h {
		r = append(r, text.Spaces(w))
	}
	return r
}

// Beside joins two panes row by row with a line between. Both must be equally high.
func Beside(left, right Rows, line string) Rows {
	out := make(Rows, len(left))
	for i := range left {
		out[i] = left[i] + line + right[i]
	}
	return out
}

// Rule draws a horizontal line with a title at its left and a note at its
// right; either may be empty. When both do not fit, the note is cut, but the
// title never takes more than half.
func Rule(title, note string, w int, th *style.Theme) string {
	room := w - 6
	title = shorten(title, max(room/2, room-text.Width(note)), th)
	note = shorten(note, room-text.Width(title), th)
	used := 2
	var b strings.Builder
	b.WriteString(th.Rule.Render(th.Signs.H))
	if title != "" {
		b.WriteString(" " + th.Title.Render(title) + " ")
		used += text.Width(title) + 2
	}
	tail := ""
	if note != "" {
		tail = " " + th.Dim.Render(note) + " "
		used += text.Width(note) + 2
	}
	b.WriteString(th.Rule.Render(strings.Repeat(th.Signs.H, max(w-used, 0))))
	b.WriteString(tail + th.Rule.Render(th.Signs.H))
	return text.Fit(b.String(), w, "")
}

// shorten cuts s to at most w columns, without padding.
func shorten(s string, w int, th *style.Theme) string {
	if text.Width(s) <= w {
		return s
	}
	return strings.TrimRight(text.Fit(s, max(w, 0), th.Signs.Ellipsis), " ")
}

// Pair draws a name in a column of its own and a value after it.
func Pair(name, value string, col, w int, th *style.Theme) string {
	return text.Fit(" "+th.Dim.Render(text.Fit(name, col, th.Signs.Ellipsis))+" "+value, w, th.Signs.Ellipsis)
}

// Paragraph wraps plain text into rows of w columns with an indent, in one style.
func Paragraph(s string, indent, w int, st style.Style) Rows {
	var out Rows
	for _, row := range text.Wrap(text.Sanitise(s), w-indent-1) {
		out = append(out, text.Fit(text.Spaces(indent)+st.Render(row), w, ""))
	}
	return out
}
