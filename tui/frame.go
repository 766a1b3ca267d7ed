package tui

import (
	"fmt"
	"strings"

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
	return a.narrow.Replace(strings.Join(rows, "\n"))
}

// narrowing gives ASCII for characters that some terminals draw two columns
// wide: in the interface's words and in what NPCs say.
func narrowing(ascii bool) *strings.Replacer {
	if !ascii {
		return strings.NewReplacer()
	}
	return strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "~", "·", ".", "—", "-", "–", "-", "×", "x", "→", ">", "●", "*")
}

func (a *app) tooSmall() string {
	rows := widget.Rows{text.Fit(fmt.Sprintf(a.env.Text.Frame.TooSmall, a.w, a.h), a.w, a.env.Theme.Signs.Ellipsis)}
	return a.narrow.Replace(strings.Join(rows.Fit(a.w, a.h), "\n"))
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

// footer shows a task that runs, and below it a toast, else what can be done.
func (a *app) footer() widget.Rows {
	var rows widget.Rows
	if a.tour != nil {
		rows = a.tourRows()
	}
	if len(a.tasks) > 0 {
		rows = append(rows, a.taskRow())
	}
	if a.toast.Text != "" {
		return append(rows, a.toastRows()...)
	}
	return append(rows, widget.Footer(a.rows(), a.top().Typing(), a.w, a.env.Theme, &a.hints))
}

func (a *app) footRows() int {
	n := 1
	if a.toast.Text != "" {
		n = len(a.toastRows())
	}
	if len(a.tasks) > 0 {
		n++
	}
	if a.tour != nil {
		n += len(a.tourRows())
	}
	return n
}

// keyOf gives the key of a row of the frame, as it is shown.
func (a *app) keyOf(id string) string {
	for _, b := range a.keys() {
		if b.ID == id {
			return b.Shown()
		}
	}
	return ""
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

// cursor is where the terminal's cursor belongs.
func (a *app) cursor() term.Cursor {
	if a.small() || a.leaving {
		return term.Cursor{}
	}
	x, y, show := a.top().Cursor()
	dx, dy := a.within()
	return term.Cursor{X: x + dx, Y: y + dy + 1, Show: show}
}
