package tui

import (
	"fmt"
	"strings"

	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// help is the page behind a screen's keys: every binding with a sentence, the
// reason of those that do nothing now, and what the figures mean.
type help struct {
	env  *screen.Env
	name screen.Name
	rows []widget.Binding
	w, h int
	top  int // first row shown
}

func newHelp(env *screen.Env, name screen.Name, groups ...[]widget.Binding) *help {
	h := &help{env: env, name: name}
	for _, g := range groups {
		h.rows = append(h.rows, g...)
	}
	return h
}

// SetSize sets columns and rows.
func (h *help) SetSize(w, height int) { h.w, h.h = w, height }

// key scrolls; it reports whether help is to close.
func (h *help) key(k string) bool {
	if k == "esc" || k == "enter" {
		return true
	}
	switch page := h.h - 2; k { // one row stays in view
	case "down", "j":
		h.top++
	case "up", "k":
		h.top--
	case "pgdown", " ":
		h.top += page
	case "pgup":
		h.top -= page
	case "home", "g":
		h.top = 0
	case "end", "G":
		h.top = len(h.body())
	}
	h.top = max(min(h.top, len(h.body())-(h.h-1)), 0)
	return false
}

// View draws the page.
func (h *help) View() widget.Rows {
	title := map[screen.Name]string{screen.Chat: h.env.Text.Frame.Chat, screen.World: h.env.Text.Frame.World, screen.Tree: h.env.Text.Frame.Tree}[h.name]
	rows := widget.Rows{widget.Rule(fmt.Sprintf(h.env.Text.Frame.HelpTitle, title), "", h.w, h.env.Theme)}
	body := h.body()
	from := max(min(h.top, len(body)-(h.h-1)), 0) // the window may have grown
	return append(rows, body[from:]...).Fit(h.w, h.h)
}

// helpColumn is the room for keys and terms.
const helpColumn = 17

func (h *help) body() widget.Rows {
	th, t := h.env.Theme, h.env.Text.Help
	var rows widget.Rows
	for _, b := range merged(h.rows) {
		hint, st := b.Hint, style.Style{}
		if why := b.Why(); why != "" {
			hint, st = hint+" ("+fmt.Sprintf(t.NotNow, why)+")", th.Dim
		}
		rows = append(rows, h.entry(b.Label, hint, th.Key, st)...)
	}
	if h.name != screen.Chat {
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
			keys = append(keys, k)
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
