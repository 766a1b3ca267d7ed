package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// help is the page behind a screen's keys: every binding with a sentence, the
// reason of those that do nothing now, and what the figures mean.
type help struct {
	env     *screen.Env
	about   string // the screen's name
	figures bool   // what the chat's figures mean stands below
	list    []widget.Binding
	w, h    int
	rows    widget.List // scrolled
}

// helpName is the name of help among what lies over a screen.
const helpName screen.Name = "help"

// explain shows help for the uppermost screen, or takes it away.
func (a *app) explain() tea.Cmd {
	name := a.topName()
	if name == helpName {
		a.close()
		return nil
	}
	h := &help{env: a.env, figures: name == screen.Chat, list: a.rows()}
	if p, ok := pageOf(string(name)); ok {
		h.about = p.words(&a.env.Text.Pages).Tab
	}
	return a.lay(helpName, h)
}

// SetSize sets columns and rows.
func (h *help) SetSize(w, height int) { h.w, h.h = w, height }

// Typing is never so.
func (h *help) Typing() bool { return false }

// Cursor is never shown.
func (h *help) Cursor() (x, y int, show bool) { return 0, 0, false }

// Shown reads nothing.
func (h *help) Shown() tea.Cmd { return nil }

// Keys lists what can be done.
func (h *help) Keys() []widget.Binding {
	k := h.env.Text.Keys
	return []widget.Binding{
		{ID: "help.down", Keys: []string{"j", "down"}, Label: "j k", Name: k.Down.Name, Hint: k.Down.Hint, Footer: true},
		{ID: "help.up", Keys: []string{"k", "up"}, Name: k.Up.Name, Hint: k.Up.Hint},
		{ID: "help.pagedown", Keys: []string{"pgdown", " "}, Name: k.PageDown.Name, Hint: k.PageDown.Hint, Footer: true},
		{ID: "help.pageup", Keys: []string{"pgup"}, Name: k.PageUp.Name, Hint: k.PageUp.Hint},
		{ID: "help.top", Keys: []string{"g", "home"}, Name: k.Top.Name, Hint: k.Top.Hint},
		{ID: "help.end", Keys: []string{"G", "end"}, Name: k.End.Name, Hint: k.End.Hint},
		{ID: "help.back", Keys: []string{"enter"}, Name: k.CloseOver.Name, Hint: k.CloseOver.Hint},
	}
}

// Update takes one message.
func (h *help) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		b, ok := widget.Find(h.Keys(), m, false)
		if ok && b.ID == "help.back" {
			return func() tea.Msg { return screen.Close{} }
		}
		if ok {
			h.rows.Key(b.Keys[0], h.h-1)
		}
	case tea.MouseMsg:
		widget.Point(m, h.View, &h.rows)
	}
	return nil
}

// View draws the page.
func (h *help) View() widget.Rows {
	rows := widget.Rows{widget.Rule(fmt.Sprintf(h.env.Text.Frame.HelpTitle, h.about), "", h.w, h.env.Theme)}
	return append(rows, h.rows.Scroll(h.body(), h.h-1)...).Fit(h.w, h.h)
}

// helpColumn is the room for keys and terms.
const helpColumn = 17

func (h *help) body() widget.Rows {
	th, t := h.env.Theme, h.env.Text.Help
	var rows widget.Rows
	for _, b := range merged(h.list) {
		hint, st := b.Hint, style.Style{}
		if why := b.Why(); why != "" {
			hint, st = hint+" ("+fmt.Sprintf(t.NotNow, why)+")", th.Dim
		}
		rows = append(rows, h.entry(b.Label, hint, th.Key, st)...)
	}
	if !h.figures {
		return rows
	}
	rows = append(rows, text.Spaces(h.w), text.Fit(" "+th.Title.Render(t.Figures), h.w, ""))
	for _, m := range t.Meaning {
		name := strings.NewReplacer("{beat}", th.Signs.Beat, "{arrow}", th.Signs.Arrow, "{info}", th.Signs.Info).Replace(m.Name)
		rows = append(rows, h.entry(name, m.Hint, th.Accent, style.Style{})...)
	}
	return rows
}

// merged joins rows that do the same by other keys.
func merged(rows []widget.Binding) []widget.Binding {
	var out []widget.Binding
	at := map[string]int{}
	for _, b := range rows {
		b.Label = shownKeys(b)
		if i, ok := at[b.Hint]; ok {
			out[i].Label += " " + b.Label
			continue
		}
		at[b.Hint] = len(out)
		out = append(out, b)
	}
	return out
}

// shownKeys lists all keys of a row.
func shownKeys(b widget.Binding) string {
	if len(b.Keys) > 2 && b.Label != "" {
		return b.Label
	}
	keys := make([]string, 0, len(b.Keys))
	for _, k := range b.Keys {
		if len(k) > 1 && k[0] == 'f' && k[1] >= '0' && k[1] <= '9' {
			k = "F" + k[1:]
		}
		if k[0] < 0x80 { // full-width twins go without saying
			keys = append(keys, widget.Spelt(k))
		}
	}
	return strings.Join(keys, " ")
}

func (h *help) entry(name, hint string, nameStyle, hintStyle style.Style) widget.Rows {
	var rows widget.Rows
	for i, row := range text.Wrap(hint, h.w-helpColumn-4) {
		head := text.Spaces(helpColumn)
		if i == 0 {
			head = nameStyle.Render(text.Fit(name, helpColumn, h.env.Theme.Signs.Ellipsis))
		}
		rows = append(rows, text.Fit(" "+head+" "+hintStyle.Render(row), h.w, ""))
	}
	return rows
}
