package plot

import (
	"fmt"
	"strings"

	"fabula/story/coverage"
	"fabula/story/plot"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// View draws the screen.
func (p *Plot) View() widget.Rows {
	m := p.model()
	if m == nil {
		return widget.Rows{text.Fit(" "+p.env.Text.World.NotYet, p.w, "")}.Fit(p.w, p.h)
	}
	th, t := p.env.Theme, p.env.Text.Plot
	h := p.h - 1
	if p.find != nil {
		h -= widget.PromptRows
	}
	rows := make(widget.Rows, 1, p.h+1)
	switch {
	case p.err != nil:
		rows = append(rows, widget.Paragraph(p.err.Error(), 1, p.w, th.Error).Fit(p.w, h)...)
	case p.wide():
		left := p.w * 3 / 5
		rows = append(rows, widget.Beside(p.body(left, h), p.side(p.w-left-1, h), th.Rule.Render(th.Signs.V))...)
	case p.sheet.focus:
		rows = append(rows, p.side(p.w, h)...)
	default:
		rows = append(rows, p.body(p.w, h)...)
	}
	rows[0] = widget.Rule(t.Title, p.note(m), p.w, th) // by now it is known how much of the graph is seen
	if p.find != nil {
		rows = append(rows, p.find.View(t.Finding, fmt.Sprintf(t.Matches, len(p.matches())), "/", p.w, th)...)
	}
	return rows.Fit(p.w, p.h)
}

// note says how much there is, and what is known of it.
func (p *Plot) note(m *model) string {
	t := p.env.Text
	note := fmt.Sprintf(t.Plot.Counts, len(m.nodes), m.script.Exits())
	bullet := " " + p.env.Theme.Signs.Bullet + " "
	if p.graph {
		note = p.beyond() + note
	}
	switch {
	case p.busy:
		return note + bullet + t.World.Searching
	case p.report != nil && p.examined == m.script:
		return note + bullet + fmt.Sprintf(t.Plot.FindingsOf, len(p.report.Findings))
	}
	return note
}

// body draws the nodes.
func (p *Plot) body(w, h int) widget.Rows {
	p.view.w, p.view.h = w, h
	if len(p.m.nodes) == 0 {
		return widget.Rows{text.Fit(" "+p.env.Theme.Dim.Render(p.env.Text.Plot.Empty), w, "")}.Fit(w, h)
	}
	if p.graph {
		return p.boxes.Area(p.graphRows(w, h))
	}
	p.top.Select(p.m.row(p.at))
	var rows widget.Rows
	from, to := p.top.Window(h)
	for i := from; i < to; i++ {
		rows = append(rows, p.top.Item(i, p.row(p.m.order[i], w)))
	}
	return rows.Fit(w, h)
}

// figures is the columns at the right end of a row of the outline.
const figures = 21

// row draws one node of the outline: lines, title, what it asks for; beats that
// fired, visits, the gravest finding.
func (p *Plot) row(b branch, w int) string {
	th, m := p.env.Theme, p.m
	n := m.nodes[b.node]
	lines := p.lines(b)
	here := text.Fit(p.sign(n, b.node), 1, "")
	room := max(w-figures-3-text.Width(lines), 4)
	title := text.Fit(p.title(n), min(text.Width(p.title(n)), room), th.Signs.Ellipsis)
	guard := ""
	if words := p.asks(b); words != "" && room-text.Width(title) > 6 {
		guard = "  " + fmt.Sprintf(p.env.Text.Plot.If, words)
	}
	guard = text.Fit(guard, room-text.Width(title), th.Signs.Ellipsis)
	if b.node == p.at {
		return th.Selected.Render(text.Fit(th.Signs.Select+here+lines+title+guard+" "+p.figures(n, b.node), w, ""))
	}
	st := style.Style{}
	if !m.reach[b.node] {
		st = th.Warn
	}
	return text.Fit(" "+here+th.Rule.Render(lines)+st.Render(title)+th.Dim.Render(guard)+" "+p.coloured(n, b.node), w, "")
}

func (p *Plot) lines(b branch) string {
	s := p.env.Theme.Signs
	var out strings.Builder
	for level := 1; level < b.level; level++ {
		if b.last[level] {
			out.WriteString("  ")
		} else {
			out.WriteString(s.V + " ")
		}
	}
	switch {
	case b.level == 0:
	case b.last[b.level]:
		out.WriteString(s.BL + s.H)
	default:
		out.WriteString(s.TeeL + s.H)
	}
	return out.String()
}

// asks is what has to hold for the nearest way into a node.
func (p *Plot) asks(b branch) string {
	var parts []string
	if b.via >= 0 && !p.m.edges[b.via].exit.When.Empty() {
		parts = append(parts, p.m.edges[b.via].exit.When.Src)
	}
	if n := p.m.nodes[b.node]; !n.When.Empty() {
		parts = append(parts, n.When.Src)
	}
	return text.Line(strings.Join(parts, "; "))
}

// figures gives the columns of a node: "◆3/5   # 18 E".
func (p *Plot) figures(n *plot.Node, i int) string {
	beats, visits, sign := p.figure(n, i)
	return text.Fit(beats, 8, "") + " " + visits + " " + text.Fit(sign, 1, "") + " "
}

func (p *Plot) coloured(n *plot.Node, i int) string {
	th := p.env.Theme
	beats, visits, sign := p.figure(n, i)
	warn := th.Warn
	if sign == "E" {
		warn = th.Error
	}
	return th.Beat.Render(text.Fit(beats, 8, "")) + " " + p.heat(n).Render(visits) + " " + warn.Render(text.Fit(sign, 1, "")) + " "
}

func (p *Plot) figure(n *plot.Node, i int) (beats, visits, sign string) {
	if len(n.Beats) > 0 {
		beats = fmt.Sprintf("%s%d/%d", p.env.Theme.Signs.Beat, p.fired(n), len(n.Beats))
	}
	c := p.visits(n)
	words := fmt.Sprint(c.People)
	if c.Simulated > 0 {
		words += fmt.Sprintf("+%d", c.Simulated)
	}
	if !p.shades {
		words = ""
	}
	visits = text.Fit(p.shade(n), 1, "") + text.Spaces(7-text.Width(words)) + words
	return beats, visits, p.worst(i)
}

// visits is how often a node was entered.
func (p *Plot) visits(n *plot.Node) coverage.Count {
	if p.cover == nil {
		return coverage.Count{}
	}
	return p.cover.Nodes[n.ID]
}

// fired counts the beats of a node that ever fired.
func (p *Plot) fired(n *plot.Node) int {
	if p.cover == nil {
		return 0
	}
	all := 0
	for _, b := range n.Beats {
		if p.cover.Beats[n.ID+"."+b.ID].Any() {
			all++
		}
	}
	return all
}

// shade is how much a node was played, in one sign: # often, : some, . once or
// twice, ~ by simulated players only.
func (p *Plot) shade(n *plot.Node) string {
	switch c := p.visits(n); {
	case !p.shades || !c.Any():
		return ""
	case c.People == 0:
		return "~"
	case c.People < 3:
		return "."
	case c.People < 10:
		return ":"
	}
	return "#"
}

// heat is the colour of the shade.
func (p *Plot) heat(n *plot.Node) style.Style {
	th := p.env.Theme
	switch p.shade(n) {
	case "":
		return th.Dim
	case "~":
		return th.Told
	case ".":
		return style.Style{}
	}
	return th.Good
}

// stands reports whether the chat is in a node.
func (p *Plot) stands(n *plot.Node) bool {
	if p.cover == nil {
		return false
	}
	for _, at := range p.cover.At(n.ID) {
		if at.Branch.ID == p.here.ID && at.Stands {
			return true
		}
	}
	return false
}

// sign stands before a node: a dot where the chat is, "!" where no exits lead.
func (p *Plot) sign(n *plot.Node, i int) string {
	switch {
	case p.stands(n):
		return p.env.Theme.Signs.Bullet
	case !p.m.reach[i]:
		return "!"
	}
	return ""
}

// title is what a node is called, on one row.
func (p *Plot) title(n *plot.Node) string {
	if n.Title.Empty() {
		return n.ID
	}
	return text.Line(n.Title.In(p.env.Text.Code, p.m.script.Languages...))
}
