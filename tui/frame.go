package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// View draws header, screen and footer: exactly as many rows as the window has.
func (a *app) View() string {
	defer a.crash.Catch()
	if a.w == 0 || a.h == 0 || a.leaving {
		return ""
	}
	if a.small() {
		return a.tooSmall()
	}
	rows := make(widget.Rows, 0, a.h)
	rows = append(rows, a.header())
	foot := a.footer()
	rows = append(rows, a.body().Fit(a.w, a.h-1-len(foot))...)
	rows = append(rows, foot...)
	frame := a.narrow.Replace(strings.Join(rows, "\n"))
	if a.flip {
		frame += "\x1b[m" // draws nothing; makes the renderer write, so that the cursor moves
	}
	return frame
}

// narrowing gives ASCII for characters that some terminals draw two columns
// wide: in the interface's words and in what NPCs say.
func narrowing(ascii bool) *strings.Replacer {
	if !ascii {
		return strings.NewReplacer()
	}
	return strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "~", "·", ".", "—", "-", "–", "-", "×", "x", "→", ">", "●", "*")
}

func (a *app) body() widget.Rows {
	if a.help != nil {
		return a.help.View()
	}
	return a.screens[a.front].View()
}

func (a *app) tooSmall() string {
	rows := widget.Rows{text.Fit(fmt.Sprintf(a.env.Text.Frame.TooSmall, a.w, a.h), a.w, a.env.Theme.Signs.Ellipsis)}
	return a.narrow.Replace(strings.Join(rows.Fit(a.w, a.h), "\n"))
}

// header names the world, the screens, and who serves.
func (a *app) header() string {
	th, t := a.env.Theme, a.env.Text.Frame
	left := " " + th.Title.Render(a.title()) + "  "
	a.tabs = a.tabs[:0]
	for _, x := range []struct{ id, key, label string }{{"world", "F2", t.World}, {"chat", "F5", t.Chat}, {"tree", "F6", t.Tree}} {
		words, from := x.key+" "+x.label, text.Width(left)
		if x.id == string(a.front) {
			left += " " + th.Accent.Render("["+words+"]")
		} else {
			left += "  " + th.Dim.Render(words) + " "
		}
		a.tabs = append(a.tabs, tab{x.id, from, text.Width(left)})
	}
	right := ""
	if a.env.Session != nil {
		right = a.env.Status(a.speak()).Short(a.env.Text) + " "
	}
	room := a.w - text.Width(left) - 1
	if text.Width(right) > room {
		right = text.Fit(right, max(room, 0), th.Signs.Ellipsis)
	}
	return text.Fit(left+text.Spaces(a.w-text.Width(left)-text.Width(right))+th.Dim.Render(right), a.w, "")
}

// tab is where the name of a screen was drawn, for the mouse: columns [from,to)
// of the header, and the key row that leads there.
type tab struct {
	id       string
	from, to int
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

func (a *app) title() string {
	name := a.o.Name
	if s := a.env.Session; s != nil && !s.Script().Title.Empty() {
		name = s.Script().Title.In(a.env.Text.Code, s.Script().Languages...)
	}
	name = text.Line(name)
	if limit := a.w / 4; text.Width(name) > limit {
		name = strings.TrimRight(text.Fit(name, limit, a.env.Theme.Signs.Ellipsis), " ")
	}
	return name
}

// speak is the language that matters for who serves.
func (a *app) speak() string {
	s := a.env.Session
	if b := a.chat.Speaks(); b != "" {
		return b
	}
	if l := s.Script().Languages; len(l) > 0 {
		return l[0]
	}
	return ""
}

// footer shows a toast, else what can be done.
func (a *app) footer() widget.Rows {
	th := a.env.Theme
	if a.toast.Text != "" {
		return a.toastRows()
	}
	if a.help != nil {
		return widget.Rows{text.Fit(" "+th.Dim.Render(a.env.Text.Frame.HelpClose), a.w, "")}
	}
	s := a.screens[a.front]
	return widget.Rows{widget.Footer(append(s.Keys(), a.keys()...), s.Typing(), a.w, th)}
}

func (a *app) footRows() int {
	if a.toast.Text == "" {
		return 1
	}
	return len(a.toastRows())
}

// toastRows draws a toast whole where a third of the window holds it: what an
// exit needs, or why something failed, is of no use when it is cut.
func (a *app) toastRows() widget.Rows {
	th := a.env.Theme
	st, sign := th.Accent, th.Signs.Info
	if a.toast.Error {
		st, sign = th.Error, "!"
	}
	lines := text.Wrap(text.Line(a.toast.Text), max(a.w-4, 1))
	if limit := max(a.h/3, 1); len(lines) > limit {
		lines = append(lines[:limit-1:limit-1], strings.Join(lines[limit-1:], " "))
	}
	var rows widget.Rows
	for _, line := range lines {
		rows = append(rows, text.Fit(" "+st.Render(sign+" "+text.Fit(line, min(text.Width(line), max(a.w-4, 1)), th.Signs.Ellipsis)), a.w, th.Signs.Ellipsis))
		sign = " "
	}
	return rows
}

// place tells the terminal where the cursor belongs. When it moved, a byte of
// the frame changes too: the renderer writes nothing for an equal frame.
func (a *app) place() {
	c := term.Cursor{}
	if a.help == nil && !a.small() && !a.leaving {
		x, y, show := a.screens[a.front].Cursor()
		c = term.Cursor{X: x, Y: y + 1, Show: show}
	}
	if c != a.cursor {
		a.cursor = c
		a.flip = !a.flip
	}
	if a.out != nil {
		a.out.SetCursor(c)
	}
}
