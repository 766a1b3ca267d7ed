package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
	"fabula/tui/widget"
)

// statusRoom is how many columns who serves has at least where every tab has its
// name: with fewer, only the front's has.
const statusRoom = 20

// header names the world, the screens, and who serves.
func (a *app) header() string {
	th := a.env.Theme
	var right, name string
	if a.env.Session != nil {
		st := a.env.Status(a.speak())
		right = st.Short(a.env.Text) + " "
		if !st.Loading {
			name = text.Line(st.Name) + " "
		}
	}
	title := " " + th.Title.Render(a.title()) + " "
	left := title + a.drawTabs(true)
	if text.Width(left)+min(text.Width(right), statusRoom) >= a.w {
		left = title + a.drawTabs(false)
	}
	room := a.w - text.Width(left) - 1
	if text.Width(right) > room && strings.TrimSpace(name) != "" {
		right = name
	}
	if text.Width(right) > room {
		right = text.Fit(right, max(room, 0), th.Signs.Ellipsis)
	}
	return text.Fit(left+text.Spaces(a.w-text.Width(left)-text.Width(right))+th.Dim.Render(right), a.w, "")
}

// drawTabs draws the tabs; named gives each its name, else the front alone has it
// and the others their keys.
func (a *app) drawTabs(named bool) string {
	th := a.env.Theme
	var b strings.Builder
	for i, p := range pages {
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
			words = " " + th.Accent.Render("["+words+"]")
		case named:
			words = "  " + th.Dim.Render(words) + " "
		default:
			words = " " + th.Dim.Render(words)
		}
		b.WriteString(a.tabs.Item(i, words))
	}
	return b.String()
}

// click takes the left button on the header, whose tabs show their screens, or on
// the footer, whose hints do what their keys do.
func (a *app) click(m tea.MouseMsg) tea.Cmd {
	rows := a.rows()
	whole := func() widget.Rows { return append(widget.Rows{a.header()}, a.footer()...) }
	y := m.Y
	if y > 0 {
		y -= a.h - a.foot - 1
	}
	switch hit, i := widget.Under(m.X, y, whole, &a.tabs, &a.hints); hit {
	case &a.tabs:
		return a.press(string(pages[i].name))
	case &a.hints:
		if key, ok := widget.KeyNamed(rows[i].Keys[0]); ok {
			return a.key(key)
		}
	}
	return nil
}
