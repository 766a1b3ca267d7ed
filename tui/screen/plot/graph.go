package plot

import (
	"fmt"
	"strings"

	"fabula/story/plot"
	"fabula/tui/diagram"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// Classes of edges in the drawing: those of the selected node stand out.
const (
	plain = iota
	incoming
	outgoing
)

// longestTitle is how many columns of a title a box shows.
const longestTitle = 16

// graphRows draws the part of the graph around the selected node, and below it
// where its exits lead when no sheet stands beside it.
func (p *Plot) graphRows(w, h int) widget.Rows {
	p.draw()
	var exits widget.Rows
	if !p.wide() {
		exits = p.exitRows(w, h/4)
		h -= len(exits)
	}
	p.view.h = h
	p.scroll(w, h)
	var rows widget.Rows
	for y := range h {
		var b strings.Builder
		for _, piece := range p.canvas.Row(y+p.view.y, p.view.x, w) {
			b.WriteString(p.piece(piece))
		}
		rows = append(rows, b.String())
	}
	return append(rows, exits...)
}

// draw lays the graph out after a change, and paints its lines for the selected
// node.
func (p *Plot) draw() {
	if p.drawing == nil {
		p.labels = p.labels[:0]
		for i, n := range p.m.nodes {
			p.labels = append(p.labels, p.label(n, i))
		}
		p.drawing, p.painted = diagram.Lay(p.m.graph(p.labels)), -1
	}
	if p.painted == p.at {
		return
	}
	set := diagram.Lines
	if p.env.Theme.Signs.H == "-" {
		set = diagram.ASCII
	}
	p.painted = p.at
	p.canvas = p.drawing.Paint(set, func(e int) int {
		switch x := p.m.edges[e]; p.at {
		case x.from:
			return outgoing
		case x.to:
			return incoming
		}
		return plain
	})
}

// label is what stands in a node's box: its sign, the title, how
// much it was played, the gravest finding.
func (p *Plot) label(n *plot.Node, i int) string {
	th := p.env.Theme
	title := p.title(n)
	if text.Width(title) > longestTitle {
		title = strings.TrimRight(text.Fit(title, longestTitle, th.Signs.Ellipsis), " ")
	}
	marks := p.shade(n) + p.worst(i)
	if marks != "" {
		marks = " " + marks
	}
	return "[" + p.sign(n, i) + title + marks + "]"
}

func (p *Plot) piece(x diagram.Piece) string {
	th := p.env.Theme
	if x.Node < 0 {
		return [...]style.Style{th.Rule, th.Told, th.Exit}[x.Class].Render(x.Text)
	}
	n := p.m.nodes[x.Node]
	switch {
	case x.Node == p.at:
		return th.Selected.Render(strings.Replace(x.Text, "[", th.Signs.Select, 1))
	case !p.m.reach[x.Node]:
		return th.Warn.Render(x.Text)
	case p.worst(x.Node) == "E":
		return th.Error.Render(x.Text)
	case p.shades:
		return p.heat(n).Render(x.Text)
	}
	return x.Text
}

// beyond says on which sides there is more of the graph than is seen.
func (p *Plot) beyond() string {
	if p.drawing == nil {
		return ""
	}
	s, d, v := p.env.Theme.Signs, p.drawing, p.view
	var sides []string
	for _, side := range []struct {
		sign string
		more bool
	}{{s.Left, v.x > 0}, {s.Right, v.x+v.w < d.W}, {s.Up, v.y > 0}, {s.Down, v.y+v.h < d.H}} {
		if side.more {
			sides = append(sides, side.sign)
		}
	}
	if len(sides) == 0 {
		return ""
	}
	return fmt.Sprintf(p.env.Text.Plot.Beyond, strings.Join(sides, "")) + " " + s.Bullet + " "
}

// margin is what is seen around the selected node.
const margin = 8

// scroll moves the viewport so that the selected node is well in it.
func (p *Plot) scroll(w, h int) {
	b, v := p.drawing.Boxes[p.at], &p.view
	v.x = slide(v.x, b.X-margin, b.X+b.W+margin, w, p.drawing.W)
	v.y = slide(v.y, b.Y-2, b.Y+3, h, p.drawing.H)
}

// slide moves the beginning of a window of n cells so that it holds [from,to),
// and no more beyond the whole than must be.
func slide(at, from, to, n, whole int) int {
	if whole <= n {
		return 0
	}
	at = min(at, max(from, 0))
	at = max(at, min(to, whole)-n)
	return max(min(at, whole-n), 0)
}

// exitRows says in a narrow window where the selected node's exits lead.
func (p *Plot) exitRows(w, limit int) widget.Rows {
	th, n := p.env.Theme, p.m.nodes[p.at]
	rows := widget.Rows{widget.Rule(p.title(n), n.ID, w, th)}
	for _, e := range n.Exits {
		if len(rows) == limit {
			break
		}
		rows = append(rows, p.exitRow(n, e, w))
	}
	return rows
}
