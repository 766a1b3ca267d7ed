package personas

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Keys lists what can be done.
func (v *Personas) Keys() []widget.Binding {
	k, t := v.env.Text.Keys, v.env.Text.Personas
	row := func(id string, r lang.Row, disabled func() string, keys ...string) widget.Binding {
		return widget.Binding{ID: "personas." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, Disabled: disabled}
	}
	quiet := func(id string, r lang.Row, keys ...string) widget.Binding {
		b := row(id, r, nil, keys...)
		b.Footer = false
		return b
	}
	typed := func(id string, r lang.Row, key string) widget.Binding {
		b := row(id, r, nil, key)
		b.When = widget.Typing
		return b
	}
	pane := row("pane", t.Pane, v.nobody, "enter")
	right := row("right", t.NextTab, v.nobody, "l", "right")
	right.Label = "h l"
	return []widget.Binding{
		pane, right, quiet("left", t.PrevTab, "h", "left"),
		row("try", t.Try, v.noTry, "t"),
		row("edit", t.Edit, v.noEdit, "e"),
		row("versions", t.Versions, v.nobody, "v"),
		row("compare", t.Compare, v.noVersion, "c"),
		row("analyse", t.Analyse, v.nobody, "a"),
		row("language", t.Language, v.oneLanguage, "."),
		quiet("reload", k.Reload, "r"),
		quiet("back", k.Back, "esc"),
		quiet("up", k.Up, "k", "up"), quiet("down", k.Down, "j", "down"),
		quiet("pageup", k.PageUp, "pgup"), quiet("pagedown", k.PageDown, "pgdown"),
		quiet("top", k.Top, "g", "home"), quiet("end", k.End, "G", "end"),
		typed("try.send", t.Send, "enter"), typed("try.leave", t.Leave, "esc"),
	}
}

func (v *Personas) nobody() string {
	if v.selected() == nil {
		return v.env.Text.Personas.Empty
	}
	return ""
}

func (v *Personas) oneLanguage() string {
	if v.env.Session == nil || len(v.env.Session.Script().Languages) < 2 {
		return v.env.Text.Personas.OneLanguage
	}
	return ""
}

func (v *Personas) noEdit() string {
	if why := v.nobody(); why != "" {
		return why
	}
	return v.env.NoFiles()
}

func (v *Personas) noTry() string {
	switch {
	case v.nobody() != "":
		return v.nobody()
	case v.try.begins || v.try.running != nil:
		return v.env.Text.Personas.Running
	}
	return ""
}

// noVersion is why nothing can be compared.
func (v *Personas) noVersion() string {
	p := v.selected()
	if p == nil || v.tab != history || len(v.versions[p.ID]) == 0 {
		return v.env.Text.Personas.NoVersion
	}
	return ""
}

func (v *Personas) key(m tea.KeyMsg) tea.Cmd {
	if v.line != nil {
		return v.lineKey(m)
	}
	b, instead, ok := screen.Press(v.Keys(), m)
	if !ok {
		return instead
	}
	switch b.ID {
	case "personas.pane":
		v.focus = !v.focus
	case "personas.right":
		v.turn(1)
	case "personas.left":
		v.turn(-1)
	case "personas.try":
		v.tab, v.focus = trying, true
		v.line = widget.NewPrompt(v.try.said, "", v.w)
	case "personas.edit":
		return v.env.Edit(v.place())
	case "personas.versions":
		v.tab, v.focus = history, true
	case "personas.compare":
		return v.compare()
	case "personas.analyse":
		return v.analyse()
	case "personas.language":
		v.lang = (v.lang + 1) % len(v.env.Session.Script().Languages)
		return v.load()
	case "personas.reload":
		return func() tea.Msg { return screen.Reload{} }
	case "personas.back":
		return v.back()
	default:
		v.move(b.Keys[0])
	}
	return nil
}

// back stops a reply, then leaves the pane, then the screen.
func (v *Personas) back() tea.Cmd {
	switch {
	case v.try.running != nil:
		v.try.running.CancelAll()
	case v.focus:
		v.focus = false
	default:
		return func() tea.Msg { return screen.Open{Name: screen.Chat} }
	}
	return nil
}

// turn shows another pane.
func (v *Personas) turn(by int) { v.tab = (v.tab + tab(by) + tabs) % tabs }

// move moves in the list, or in the pane that has the keyboard.
func (v *Personas) move(k string) {
	if v.focus {
		v.panes[v.tab].Key(k, v.h-2)
		return
	}
	v.selected()
	before := v.list.At()
	v.list.Key(k, v.h-2)
	v.another(before)
}

// another begins the panes anew where another persona is selected than before.
func (v *Personas) another(before int) {
	if v.list.At() != before {
		v.panes, v.diff = [tabs]widget.List{}, difference{}
	}
}

// mouse gives the mouse to the list or pane that lies under it, and by a click
// the keyboard; a pane's name shows it.
func (v *Personas) mouse(m tea.MouseMsg) {
	if v.line != nil {
		return
	}
	before, lists := v.list.At(), []*widget.List{&v.list, &v.heads}
	for i := range v.panes {
		lists = append(lists, &v.panes[i])
	}
	p := widget.Point(m, v.View, lists...)
	switch {
	case m.Button != tea.MouseButtonLeft || p.List == nil:
	case p.List == &v.heads:
		v.tab, v.focus = tab(p.Item), true
	default:
		v.focus = p.List != &v.list || p.Again
	}
	v.another(before)
}

// place is where an editor opens: at the selected finding, the line that is
// looked at, or the beginning.
func (v *Personas) place() source.Pos {
	p := v.selected()
	at := p.Pos
	switch all := v.of(p); {
	case v.tab == found && v.panes[found].At() < len(all):
		return all[v.panes[found].At()].Pos
	case v.tab == file && v.focus:
		at.Line = v.panes[file].At() + 1
	}
	return at
}

func (v *Personas) analyse() tea.Cmd {
	v.tab = found
	s := v.env.Session.Script()
	if v.busy || v.examined == s {
		return nil
	}
	v.busy = true
	return screen.Examine(s)
}

// lineKey takes a key while a line is written.
func (v *Personas) lineKey(m tea.KeyMsg) tea.Cmd {
	over, kept := v.line.Key(m, v.env.Now())
	if !over {
		return nil
	}
	said := v.line.Text()
	switch v.line = nil; {
	case !kept:
		return nil
	case said == "":
		return screen.Say(v.env.Text.Chat.Nothing)
	}
	return v.ask(said)
}
