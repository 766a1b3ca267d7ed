package plot

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// move takes a key of movement: in the sheet it scrolls, elsewhere it walks.
func (p *Plot) move(k string) {
	m := p.model()
	if m == nil || len(m.nodes) == 0 {
		return
	}
	if p.sheet.focus {
		p.sheet.list.Key(k, p.h-2)
		return
	}
	var to int
	switch {
	case k == "right":
		to = p.along(m, true)
	case k == "left":
		to = p.along(m, false)
	case p.graph && p.drawing != nil && (k == "up" || k == "down"):
		to = p.beside(k == "down")
	default:
		p.top.Select(m.row(p.at))
		p.top.Key(k, p.h-1)
		to = m.order[p.top.At()].node
	}
	p.choose(to)
}

// choose selects a node.
func (p *Plot) choose(node int) {
	if node != p.at {
		p.way = nil
		p.sheet.list.Select(0)
	}
	p.at = node
}

// along gives the node that an exit leads to, or, to the left, the one that the
// nearest way here comes from. To the right, nodes further from the start come
// first, and among those the one drawn nearest.
func (p *Plot) along(m *model, forward bool) int {
	if !forward {
		if up := m.parent(p.at); up != p.at {
			return up
		}
		return p.nearest(m, p.at, m.in[p.at], func(e edge) int { return e.from })
	}
	var further []int
	for _, e := range m.out[p.at] {
		if to := m.edges[e].to; m.depth[to] > m.depth[p.at] {
			further = append(further, e)
		}
	}
	if len(further) == 0 {
		further = m.out[p.at]
	}
	return p.nearest(m, p.at, further, func(e edge) int { return e.to })
}

// nearest gives the end of the edge that is drawn nearest to a node's row.
func (p *Plot) nearest(m *model, from int, edges []int, end func(edge) int) int {
	best, least := from, -1
	for _, e := range edges {
		to := end(m.edges[e])
		far := 0
		if p.drawing != nil {
			far = abs(p.drawing.Boxes[to].Y - p.drawing.Boxes[from].Y)
		}
		if to != from && (least < 0 || far < least) {
			best, least = to, far
		}
	}
	return best
}

// beside gives the next node of the same column.
func (p *Plot) beside(below bool) int {
	at := p.drawing.Boxes[p.at]
	best, least := p.at, -1
	for n, b := range p.drawing.Boxes {
		far := b.Y - at.Y
		if !below {
			far = -far
		}
		if p.drawing.Layer[n] == p.drawing.Layer[p.at] && far > 0 && (least < 0 || far < least) {
			best, least = n, far
		}
	}
	return best
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// findKey takes a key of the search: what is written selects at once.
func (p *Plot) findKey(k tea.KeyMsg) tea.Cmd {
	if name := k.String(); name == "down" || name == "up" {
		p.step(name == "down")
		return nil
	}
	over, kept := p.find.Key(k, p.env.Now())
	switch {
	case !over:
		p.first()
		return nil
	case !kept:
		p.choose(p.origin)
		p.find = nil
		return nil
	}
	none := !p.find.Empty() && len(p.matches()) == 0
	if p.find = nil; none {
		return screen.Say(p.env.Text.Plot.NoMatch)
	}
	return nil
}

// first selects the first match, or goes back where nothing matches.
func (p *Plot) first() {
	if all := p.matches(); len(all) > 0 {
		p.choose(all[0])
		return
	}
	p.choose(p.origin)
}

// step goes to the next match, round in a circle.
func (p *Plot) step(on bool) {
	all := p.matches()
	for i, n := range all {
		if n != p.at {
			continue
		}
		if on {
			p.choose(all[(i+1)%len(all)])
		} else {
			p.choose(all[(i+len(all)-1)%len(all)])
		}
		return
	}
}

// matches lists the nodes whose id, title, exits, beats or anchors hold what is
// searched for; those that hold it in id or title come first.
func (p *Plot) matches() []int {
	words := strings.ToLower(strings.TrimSpace(p.find.Text()))
	if words == "" {
		return nil
	}
	holds := func(id string, texts ...personas.Text) bool {
		if strings.Contains(strings.ToLower(id), words) {
			return true
		}
		for _, t := range texts {
			for _, s := range t.All() {
				if strings.Contains(strings.ToLower(s), words) {
					return true
				}
			}
		}
		return false
	}
	var named, inside []int
	for _, b := range p.m.order {
		n := p.m.nodes[b.node]
		found := holds(n.ID, n.Title)
		if found {
			named = append(named, b.node)
			continue
		}
		for _, e := range n.Exits {
			found = found || holds(e.ID, e.Choice)
		}
		for _, x := range n.Beats {
			found = found || holds(x.ID)
		}
		for _, x := range n.Anchors {
			found = found || holds(x.ID, x.Say)
		}
		if found {
			inside = append(inside, b.node)
		}
	}
	return append(named, inside...)
}

// mouse gives the mouse to what lies under it: the wheel moves in the nodes or
// the sheet, a click selects the node that was drawn there.
func (p *Plot) mouse(m tea.MouseMsg) tea.Cmd {
	if p.model() == nil || p.find != nil {
		return nil
	}
	click := m.Button == tea.MouseButtonLeft && m.Action == tea.MouseActionPress
	hit := widget.Point(m, p.View, &p.top, &p.sheet.list, &p.boxes)
	switch {
	case hit.List == &p.sheet.list:
		p.sheet.focus = p.sheet.focus || click
	case hit.List == &p.boxes && click:
		p.sheet.focus = false
		p.click(m.X, m.Y-1)
	case m.Button == tea.MouseButtonWheelUp && p.graph:
		p.move("up")
	case m.Button == tea.MouseButtonWheelDown && p.graph:
		p.move("down")
	case hit.List == &p.top && len(p.m.order) > 0:
		p.choose(p.m.order[p.top.At()].node)
		p.sheet.focus = p.sheet.focus && !click || hit.Again
	}
	return nil
}

// click selects the node whose box was drawn in a cell below the heading.
func (p *Plot) click(x, y int) {
	if p.drawing == nil {
		return // the files were read anew, and nothing is drawn of them yet
	}
	for n, b := range p.drawing.Boxes {
		if cx := x + p.view.x; b.Y == y+p.view.y && cx >= b.X && cx < b.X+b.W {
			p.choose(n)
		}
	}
}
