package plot

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Keys lists what can be done.
func (p *Plot) Keys() []widget.Binding {
	k, t := p.env.Text.Keys, p.env.Text.Plot
	row := func(id string, r lang.Row, disabled func() string, keys ...string) widget.Binding {
		return widget.Binding{ID: "plot." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, Disabled: disabled}
	}
	quiet := func(id string, r lang.Row, keys ...string) widget.Binding {
		b := row(id, r, nil, keys...)
		b.Footer = false
		return b
	}
	shape := t.ToGraph
	if p.graph {
		shape = t.ToOutline
	}
	along := quiet("right", t.Along, "l", "right")
	along.Label = "h l"
	rows := []widget.Binding{
		row("sheet", t.Sheet, p.noNode, "enter", "tab"),
		row("new", t.FromHere, p.noStart, "n"),
		row("outline", shape, nil, "o"),
		row("path", t.Path, p.noNode, "s"),
		row("find", t.Find, p.noNode, "/"),
		row("analyse", t.Analyse, p.noNode, "a"),
		row("edit", t.EditNode, p.noEdit, "e"),
		quiet("coverage", t.Cover, "v"),
		quiet("export", p.env.Text.Export.All, "x"),
		quiet("back", k.Back, "esc"),
		quiet("left", t.Along, "h", "left"), along,
		quiet("up", t.Sibling, "k", "up"), quiet("down", t.Sibling, "j", "down"),
		quiet("pageup", k.PageUp, "pgup"), quiet("pagedown", k.PageDown, "pgdown"),
		quiet("top", k.Top, "g", "home"), quiet("end", k.End, "G", "end"),
	}
	return append(rows, p.findKeys()...)
}

func (p *Plot) findKeys() []widget.Binding {
	t := p.env.Text.Plot
	typed := func(id string, r lang.Row, keys ...string) widget.Binding {
		return widget.Binding{ID: "plot.find." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, When: widget.Typing}
	}
	return []widget.Binding{typed("keep", t.Found, "enter"), typed("next", t.NextFound, "down"), typed("leave", t.LeaveFind, "esc")}
}

func (p *Plot) noNode() string {
	switch m := p.model(); {
	case m == nil:
		return p.env.Text.World.NotYet
	case len(m.nodes) == 0:
		return p.env.Text.Plot.Empty
	}
	return ""
}

func (p *Plot) noEdit() string {
	if why := p.noNode(); why != "" {
		return why
	}
	return p.env.NoFiles()
}

func (p *Plot) key(k tea.KeyMsg) tea.Cmd {
	if p.find != nil {
		return p.findKey(k)
	}
	b, instead, ok := screen.Press(p.Keys(), k)
	if !ok {
		return instead
	}
	switch b.ID {
	case "plot.sheet":
		p.sheet.focus = !p.sheet.focus
	case "plot.new":
		return p.begin()
	case "plot.outline":
		p.graph, p.asked = !p.graph, true
	case "plot.path":
		return p.path()
	case "plot.find":
		p.find, p.origin = widget.NewPrompt("", "", p.w), p.at
	case "plot.analyse":
		if p.examined == p.model().script {
			return screen.Say(p.proof())
		}
		return p.analyse()
	case "plot.edit":
		return p.env.Edit(p.m.nodes[p.at].Pos)
	case "plot.coverage":
		p.shades, p.drawing = !p.shades, nil
	case "plot.export":
		return screen.ExportOf("")
	case "plot.back":
		return p.back()
	default:
		p.move(b.Keys[len(b.Keys)-1])
	}
	return nil
}

// back leaves the way, then the sheet, then the screen.
func (p *Plot) back() tea.Cmd {
	switch {
	case p.way != nil:
		p.way = nil
		p.sheet.focus = false
	case p.sheet.focus:
		p.sheet.focus = false
	default:
		return func() tea.Msg { return screen.Open{Name: screen.Chat} }
	}
	return nil
}

// proof says what the last search came to.
func (p *Plot) proof() string {
	sp := p.report.Space
	words := p.env.Text.Way.Unproven
	if sp.Complete() {
		words = p.env.Text.Way.Proven
	}
	return fmt.Sprintf(words, sp.States) + " " + p.env.Theme.Signs.Bullet + " " + fmt.Sprintf(p.env.Text.Plot.FindingsOf, len(p.report.Findings))
}
