package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"fabula/tui/style"
	"fabula/tui/text"
)

// Box draws a frame around rows of w columns; the first of them is a Rule and
// becomes its upper edge. The frame takes two columns and one row more.
func Box(rows Rows, w int, th *style.Theme) Rows {
	s := th.Signs
	out := make(Rows, 0, len(rows)+1)
	for i, row := range rows {
		left, right := s.V, s.V
		if i == 0 {
			left, right = s.TL, s.TR
		}
		out = append(out, th.Rule.Render(left)+row+th.Rule.Render(right))
	}
	return append(out, th.Rule.Render(s.BL+strings.Repeat(s.H, w)+s.BR))
}

// Over draws a box of w columns over rows, its upper left corner in column x of
// row y. What is left of the rows is dimmed: it has no keyboard.
func Over(rows, box Rows, x, y, w int, th *style.Theme) Rows {
	out := make(Rows, len(rows))
	for i, row := range rows {
		plain := text.Strip(row)
		if i < y || i >= y+len(box) {
			out[i] = th.Dim.Render(plain)
			continue
		}
		rest := text.Width(plain) - x - w
		right := ansi.TruncateLeft(plain, x+w, "")
		if text.Width(right) > rest { // half of a wide character is none
			right = ansi.TruncateLeft(plain, x+w+1, "")
		}
		right = text.Spaces(rest-text.Width(right)) + right
		out[i] = th.Dim.Render(text.Fit(plain, x, "")) + box[i-y] + th.Dim.Render(right)
	}
	return out
}
