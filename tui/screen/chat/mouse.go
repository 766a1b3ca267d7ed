package chat

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/inspect"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// hits are what can be clicked in the chat beside the inspector and what lies
// over the talk.
type hits struct {
	turns, offers, branches, composer widget.List
}

// mouse scrolls what lies under it. A click takes a choice, shows a branch,
// selects a turn, or gives the keyboard to the composer or the inspector.
func (c *Chat) mouse(m tea.MouseMsg) tea.Cmd {
	h := &c.hits
	lists := append(c.ins.Lists(), &h.offers, &h.branches)
	if c.over != nil {
		lists = append(c.over.lists(), lists...)
	}
	lists = append(lists, &h.turns, &h.composer)
	if m.Button == tea.MouseButtonWheelUp || m.Button == tea.MouseButtonWheelDown {
		return c.wheel(m, lists)
	}
	p := widget.Point(m, c.View, lists...)
	switch {
	case p.Item < 0:
	case p.List == &h.offers && p.Item < len(c.path.offers):
		return c.choose(p.Item)
	case p.List == &h.offers:
		return c.choose(more)
	case p.List == &h.branches:
		id := c.path.branches[p.Item].branch.ID
		return func() tea.Msg { return screen.GoTo{Branch: id} }
	case p.List == &h.composer:
		return c.clickComposer()
	case p.List == &h.turns:
		c.clickTurn(p.Item)
	case slices.Contains(c.ins.Lists(), p.List):
		return c.clickInspector(p)
	case p.Again:
		return c.key(widget.Enter)
	default:
		if b, ok := c.over.(*beside); ok {
			return b.move(p.Item - b.sel)
		}
	}
	return nil
}

// wheel scrolls the talk, or the list under the mouse that lies over or beside it.
func (c *Chat) wheel(m tea.MouseMsg, lists []*widget.List) tea.Cmd {
	l, _ := widget.Under(m.X, m.Y, c.View, lists...)
	switch h := &c.hits; {
	case l != nil && l != &h.turns && l != &h.offers && l != &h.branches && l != &h.composer:
		widget.Point(m, c.View, l)
	case c.over != nil && len(c.over.lists()) > 0:
		widget.Point(m, c.View, c.over.lists()...)
	case m.Button == tea.MouseButtonWheelUp:
		c.script.Scroll(-3)
	default:
		c.script.Scroll(3)
	}
	return nil
}

// clickTurn selects a turn, which is read. A line that is being written stays.
func (c *Chat) clickTurn(i int) {
	if c.over != nil && !c.aside() {
		return
	}
	if c.over != nil {
		c.leave()
	}
	if !c.reading {
		c.read()
	}
	c.script.Select(i)
}

func (c *Chat) clickComposer() tea.Cmd {
	if c.over == nil || c.aside() {
		c.over = nil
		c.compose()
	}
	return nil
}

// clickInspector gives the keyboard to the inspector; a click on one of its pages
// turns to it.
func (c *Chat) clickInspector(p widget.Pointed) tea.Cmd {
	if _, open := c.over.(*inspecting); !open && c.over == nil {
		tab := c.ins.Tab()
		c.openInspector()
		c.ins.Open(tab)
	}
	if finding := c.ins.Tab() == inspect.Findings; p.Again && finding && c.ins.Lists()[0] == p.List {
		return c.key(widget.Enter)
	}
	c.ins.Clicked(p)
	return nil
}
