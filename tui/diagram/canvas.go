package diagram

import (
	"slices"
	"strings"

	"fabula/tui/text"
)

// Set is the characters of lines, each one column wide.
type Set struct {
	arms  [16]string // by the sides that a line leaves a cell by
	signs [4]string
}

// The sides of a cell.
const (
	up uint8 = 1 << iota
	right
	down
	left
)

// Box characters, and their stand-ins for terminals that draw them wide.
var (
	Lines = Set{
		arms: [16]string{0: " ", up: "│", right: "─", down: "│", left: "─", up | down: "│", left | right: "─",
			up | right: "└", up | left: "┘", down | right: "┌", down | left: "┐", up | down | right: "├", up | down | left: "┤",
			left | right | down: "┬", left | right | up: "┴", up | down | left | right: "┼"},
		signs: [4]string{Into: "→", Back: "←", Guard: "?"},
	}
	ASCII = Set{
		arms: [16]string{0: " ", up: "|", right: "-", down: "|", left: "-", up | down: "|", left | right: "-",
			up | right: "+", up | left: "+", down | right: "+", down | left: "+", up | down | right: "+", up | down | left: "+",
			left | right | down: "+", left | right | up: "+", up | down | left | right: "+"},
		signs: [4]string{Into: ">", Back: "<", Guard: "?"},
	}
)

// Canvas is the lines of a drawing, cell by cell.
type Canvas struct {
	d     *Drawing
	set   Set
	cells []cell
	rows  [][]int // by row: its nodes from left to right
}

type cell struct {
	arms  uint8
	sign  Sign
	class int
}

// Paint draws the lines of all edges. class says how an edge stands out: the
// higher is drawn over the lower, alone in its cells; 0 does not stand out.
func (d *Drawing) Paint(set Set, class func(edge int) int) *Canvas {
	c := &Canvas{d: d, set: set, cells: make([]cell, d.W*d.H), rows: make([][]int, d.H)}
	of := make([]int, len(d.links))
	top := 0
	for e, l := range d.edges {
		if l >= 0 {
			of[l] = max(of[l], class(e))
			top = max(top, of[l])
		}
	}
	for k := 0; k <= top; k++ {
		for l, r := range d.routes {
			if of[l] == k || k == 0 {
				c.draw(r, k)
			}
		}
	}
	for n, b := range d.Boxes {
		c.rows[b.Y] = append(c.rows[b.Y], n)
	}
	for _, row := range c.rows {
		slices.SortFunc(row, func(a, b int) int { return d.Boxes[a].X - d.Boxes[b].X })
	}
	return c
}

func (c *Canvas) at(x, y, class int) *cell {
	p := &c.cells[y*c.d.W+x]
	if p.class != class {
		*p = cell{class: class}
	}
	return p
}

func (c *Canvas) draw(r route, class int) {
	for _, s := range r.spans {
		for x := s.x1; s.y1 == s.y2 && x <= s.x2; x++ {
			c.at(x, s.y1, class).arms |= arms(x > s.x1, x < s.x2, left, right)
		}
		for y := s.y1; s.y1 != s.y2 && y <= s.y2; y++ {
			c.at(s.x1, y, class).arms |= arms(y > s.y1, y < s.y2, up, down)
		}
	}
	for _, m := range r.marks {
		p := c.at(m.x, m.y, class)
		p.sign = m.sign
	}
}

func arms(before, after bool, a, b uint8) uint8 {
	var out uint8
	if before {
		out |= a
	}
	if after {
		out |= b
	}
	return out
}

// Piece is a run of cells of one row: lines of one class, or a label or a part
// of one.
type Piece struct {
	Text  string
	Node  int // -1 = lines
	Class int // of lines
}

// Row gives the w columns of row y from column x on.
func (c *Canvas) Row(y, x, w int) []Piece {
	if y < 0 || y >= c.d.H || w < 1 {
		return []Piece{{Text: text.Spaces(w), Node: -1}}
	}
	var out []Piece
	at, end := x, x+w
	for _, n := range c.rows[y] {
		b := c.d.Boxes[n]
		if b.X+b.W <= at || b.X >= end {
			continue
		}
		out = c.lines(out, y, at, b.X)
		label := cut(c.d.labels[n], max(at-b.X, 0), min(end-b.X, b.W))
		out = append(out, Piece{Text: label, Node: n})
		at = min(b.X+b.W, end)
	}
	return c.lines(out, y, at, end)
}

// lines appends the cells from column x to the one before end.
func (c *Canvas) lines(out []Piece, y, x, end int) []Piece {
	for x < end {
		class := c.class(x, y)
		var b strings.Builder
		for ; x < end && c.class(x, y) == class; x++ {
			b.WriteString(c.glyph(x, y))
		}
		out = append(out, Piece{Text: b.String(), Node: -1, Class: class})
	}
	return out
}

func (c *Canvas) inside(x int) bool { return x >= 0 && x < c.d.W }

func (c *Canvas) class(x, y int) int {
	if !c.inside(x) {
		return 0
	}
	return c.cells[y*c.d.W+x].class
}

func (c *Canvas) glyph(x, y int) string {
	if !c.inside(x) {
		return " "
	}
	p := c.cells[y*c.d.W+x]
	if p.sign != None {
		return c.set.signs[p.sign]
	}
	return c.set.arms[p.arms]
}

// cut gives the columns [from,to) of a label. Half of a wide character is a
// blank.
func cut(label string, from, to int) string {
	var b strings.Builder
	at := 0
	for _, c := range text.Clusters(label) {
		w := text.ClusterWidth(c)
		switch {
		case at >= from && at+w <= to:
			b.WriteString(c)
		default:
			b.WriteString(text.Spaces(min(at+w, to) - max(at, from)))
		}
		at += w
	}
	return b.String()
}
