package export

import (
	"context"
	"fmt"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story/export"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Keys lists what can be done.
func (d *Dialog) Keys() []widget.Binding {
	k, t := d.env.Text.Keys, d.env.Text.Export
	row := func(id string, r lang.Row, footer bool, keys ...string) widget.Binding {
		return widget.Binding{ID: "export." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: footer}
	}
	typed := func(id string, r lang.Row, key string) widget.Binding {
		b := row(id, r, true, key)
		b.When = widget.Typing
		return b
	}
	write := row("write", t.Write, true, "enter")
	write.Disabled = d.nothing
	next := row("next", t.Next, true, "l", "right", " ")
	next.Label = "h l"
	down := row("down", t.Down, true, "j", "down", "tab")
	down.Label = "j k"
	return []widget.Binding{
		write, next, row("prev", t.Previous, false, "h", "left"), down, row("up", k.Up, false, "k", "up", "shift+tab"),
		row("edit", t.EditFolder, true, "e"), row("preview", t.Preview, true, "p"),
		row("pagedown", k.PageDown, false, "pgdown"), row("pageup", k.PageUp, false, "pgup"),
		row("back", lang.Row{Name: k.CloseOver.Name, Hint: k.CloseOver.Hint}, true, "esc"),
		typed("edit.keep", k.Keep, "enter"), typed("edit.leave", k.Leave, "esc"),
	}
}

// nothing is why no file can be written.
func (d *Dialog) nothing() string {
	t := d.env.Text.Export
	switch {
	case d.env.Export.Render == nil:
		return t.NoFormats
	case d.folder == "":
		return t.NoFolder
	case d.busy:
		return t.NotYet
	case d.p.err != nil:
		return fmt.Sprintf(t.Refused, d.p.err)
	case len(d.p.made.Files) == 0:
		return t.NotYet
	}
	return ""
}

func (d *Dialog) key(m tea.KeyMsg) tea.Cmd {
	if d.typing != nil {
		return d.typed(m)
	}
	b, ok := widget.Find(d.Keys(), m, false)
	if !ok {
		return nil
	}
	if b.ID != "export.write" {
		d.asked = false
	}
	if why := b.Why(); why != "" {
		return screen.Say(why)
	}
	switch b.ID {
	case "export.write":
		return d.write()
	case "export.next":
		return d.change(1)
	case "export.prev":
		return d.change(-1)
	case "export.down":
		d.list.Select((d.list.At() + 1) % fields)
	case "export.up":
		d.list.Select((d.list.At() + fields - 1) % fields)
	case "export.edit":
		d.edit()
	case "export.preview":
		return d.load()
	case "export.pagedown":
		d.files.Move(d.fileRows() - 1)
	case "export.pageup":
		d.files.Move(1 - d.fileRows())
	case "export.back":
		return func() tea.Msg { return screen.Close{} }
	}
	return nil
}

func (d *Dialog) edit() {
	d.list.Select(fieldFolder)
	d.typing = widget.NewComposer()
	d.typing.SetWidth(d.room())
	d.typing.SetValue(d.folder)
}

func (d *Dialog) typed(m tea.KeyMsg) tea.Cmd {
	switch m.String() {
	case "esc":
		d.typing = nil
	case "enter":
		d.folder, d.typing = d.typing.Line(), nil
		return d.load()
	default:
		d.typing.LineKey(m, d.env.Now())
	}
	return nil
}

// change gives the selected field another value.
func (d *Dialog) change(by int) tea.Cmd {
	switch d.list.At() {
	case fieldWhat:
		d.one = !d.one && d.chosen != ""
	case fieldFormat:
		if n := len(d.env.Export.Formats); n > 0 {
			d.format = (d.format + by + n) % n
		}
	case fieldLines:
		d.ask.Approved = !d.ask.Approved
	case fieldSecrets:
		d.ask.Redact = !d.ask.Redact
	case fieldFolder:
		d.edit()
		return nil
	}
	return d.load()
}

// mouse scrolls the files, a click selects a field, and another changes it.
func (d *Dialog) mouse(m tea.MouseMsg) tea.Cmd {
	if d.typing != nil {
		return nil
	}
	lists := []*widget.List{&d.files, &d.list}
	if m.Button == tea.MouseButtonWheelUp || m.Button == tea.MouseButtonWheelDown {
		lists = lists[:1]
	}
	p := widget.Point(m, d.View, lists...)
	if p.List == &d.list {
		d.asked = false
	}
	if p.Again {
		return d.change(1)
	}
	return nil
}

const taskID = "export"

// write asks once where files would be replaced, then writes what was previewed.
func (d *Dialog) write() tea.Cmd {
	t := d.env.Text.Export
	if n := d.p.replaced(); n > 0 && !d.asked {
		d.asked = true
		return screen.Say(fmt.Sprintf(t.Ask, n))
	}
	d.asked = false
	p, format := d.p, d.env.Export.Formats[d.format]
	run := func(ctx context.Context, report func(int, int, string)) error {
		if keep := p.made.Keep; keep != nil { // no file has an id that could be given again
			if err := keep(); err != nil {
				return err
			}
		}
		for i, f := range p.made.Files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !p.there[i].exists && look(filepath.Join(p.folder, filepath.FromSlash(f.Name)), nil).exists {
				return fmt.Errorf(t.Appeared, f.Name)
			}
			if err := export.Write(p.folder, []export.File{f}); err != nil {
				return err
			}
			report(i+1, len(p.made.Files), f.Name)
		}
		return nil
	}
	return func() tea.Msg {
		return screen.Task{ID: taskID, Title: fmt.Sprintf(t.Task, format, d.folder), Run: run}
	}
}
