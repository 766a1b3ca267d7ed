// Package picture draws what a terminal shows as an SVG, cell by cell, so that
// Chinese, lines and colours stand exactly where they stand in the terminal. It
// is for people who look: the README, a reviewer. Nothing of the program uses it.
//
// chat.png is the README's: the demo world, real replies of the model that comes along.
// plot.png, tree.png and compare.png show the demo world played with authored lines;
// one side of the comparison was written by hand.
package picture

import (
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// Cell sizes in pixels.
const (
	cellW, cellH = 9, 20
	margin       = 12
	fontSize     = 15
)

// Colours of a terminal that sets none.
const (
	background = "#16181d"
	foreground = "#d8dce4"
)

// SVG draws a screen of w columns and h rows. Text is what tmux capture-pane -e
// gives: rows that end with a line feed, colours as escape sequences.
func SVG(text string, w, h int) string {
	e := vt.NewEmulator(w, h)
	fmt.Fprint(e, strings.ReplaceAll(strings.TrimRight(other.ReplaceAllString(text, ""), "\n"), "\n", "\r\n"))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="DejaVu Sans Mono, Noto Sans Mono CJK SC, monospace" font-size="%d">`,
		w*cellW+2*margin, h*cellH+2*margin, fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`, background)
	for y := range h {
		for x := 0; x < w; x++ {
			if c := e.CellAt(x, y); c != nil && c.Width > 0 {
				cell(&b, c, x, y)
				x += c.Width - 1
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// other is every escape sequence but colours: a query would be answered, and the
// emulator would wait for somebody to read the answer.
var other = regexp.MustCompile("\x1b(\\[[0-9;:?>=]*[A-Za-ln-z]|[^\\[])")

func cell(b *strings.Builder, c *uv.Cell, x, y int) {
	fg, bg := hex(c.Style.Fg, foreground), hex(c.Style.Bg, "")
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = background, fg
	}
	left, top := margin+x*cellW, margin+y*cellH
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" shape-rendering="crispEdges"/>`, left, top, c.Width*cellW, cellH, bg)
	}
	if strings.TrimSpace(c.Content) == "" {
		return
	}
	if sides, ok := lines[c.Content]; ok {
		line(b, sides, fg, left, top)
		return
	}
	weight := ""
	if c.Style.Attrs&uv.AttrBold != 0 {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s"%s textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text>`,
		left, top+15, fg, weight, c.Width*cellW, html.EscapeString(c.Content))
}

// lines is the box characters by the sides of the cell that they lead to: up,
// right, down, left.
var lines = map[string][4]bool{
	"│": {true, false, true, false}, "─": {false, true, false, true}, "┌": {false, true, true, false}, "┐": {false, false, true, true},
	"└": {true, true, false, false}, "┘": {true, false, false, true}, "├": {true, true, true, false}, "┤": {true, false, true, true},
	"┬": {false, true, true, true}, "┴": {true, true, false, true}, "┼": {true, true, true, true},
}

// line draws lines from the middle of a cell to its edges, as terminals do.
func line(b *strings.Builder, sides [4]bool, fg string, left, top int) {
	x, y := left+cellW/2, top+cellH/2
	for i, r := range [4][4]int{{x, top, 1, cellH/2 + 1}, {x, y, cellW - cellW/2, 1}, {x, y, 1, cellH - cellH/2}, {left, y, cellW/2 + 1, 1}} {
		if sides[i] {
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, r[0], r[1], r[2], r[3], fg)
		}
	}
}

func hex(c color.Color, other string) string {
	if c == nil {
		return other
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
