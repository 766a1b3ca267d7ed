package widget_test

import (
	"testing"

	"github.com/muesli/termenv"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// Ensure that a box keeps the rows as wide as they were wherever it cuts wide
// characters in two.
func TestOverCutsWideCharacters(t *testing.T) {
	th := style.For(style.Choice{}, termenv.TrueColor, "")
	below := widget.Rows{th.Title.Render("渡口的灯") + " 渡口的灯 x", "plain text with blanks", "渡口的灯渡口的灯渡口的"}
	for i := range below {
		below[i] = text.Fit(below[i], 22, "")
	}
	for w := 3; w < 12; w++ {
		for x := range 22 - w {
			box := widget.Box(widget.Rows{widget.Rule("", "", w-2, &th), text.Fit("灯", w-2, "")}, w-2, &th)
			for i, row := range widget.Over(below, box, x, 0, w, &th) {
				if n := text.Width(row); n != 22 {
					t.Errorf("box of %d at %d: row %d is %d columns: %q", w, x, i, n, text.Strip(row))
				}
			}
		}
	}
}
