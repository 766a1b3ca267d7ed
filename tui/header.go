package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
)

// tab is where the name of a screen was drawn, for the mouse: columns [from,to)
// of the header, and the key row that leads there.
type tab struct {
	id       string
	from, to int
}

// statusRoom is how many columns who serves has at least where every tab has its
// name: with fewer, only the front's has.
const statusRoom = 20

// header names the world, the screens, and who serves.
func (a *app) header() string {
	th := a.env.Theme
	right := ""
	if a.env.Session != nil {
		right = a.env.Status(a.speak()).Short(a.env.Text) + " "
	}
	title := " " + th.Title.Render(a.title()) + " "
	left := title + a.drawTabs(text.Width(title), true)
	if text.Width(left)+min(text.Width(right), statusRoom) >= a.w {
		left = title + a.drawTabs(text.Width(title), false)
	}
	room := a.w - text.Width(left) - 1
	if text.Width(right) > room {
		right = text.Fit(right, max(room, 0), th.Signs.Ellipsis)
	}
	return text.Fit(left+text.Spaces(a.w-text.Width(left)-text.Width(right))+th.Dim.Render(right), a.w, "")
}

// drawTabs draws the tabs from a column on; named gives each its name, else the
// front alone has it and the others their keys.
func (a *app) drawTabs(at int, named bool) string {
	th := a.env.Theme
	a.tabs = a.tabs[:0]
	var b strings.Builder
	for _, p := range pages {
		if p.over {
			continue
		}
		front := p.name == a.front
		words := strings.ToUpper(p.key)
		if named || front {
			words += " " + p.words(&a.env.Text.Pages).Tab
		}
		switch {
		case front:
			b.WriteString(" " + th.Accent.Render("["+words+"]"))
		case named:
			b.WriteString("  " + th.Dim.Render(words) + " ")
		default:
			b.WriteString(" " + th.Dim.Render(words))
		}
		to := at + text.Width(b.String())
		a.tabs = append(a.tabs, tab{string(p.name), to - text.Width(words) - 1, to})
	}
	return b.String()
}

// click takes the left button on the header.
func (a *app) click(m tea.MouseMsg) tea.Cmd {
	for _, t := range a.tabs {
		if m.Action == tea.MouseActionPress && m.X >= t.from && m.X < t.to {
			return a.press(t.id)
		}
	}
	return nil
}
