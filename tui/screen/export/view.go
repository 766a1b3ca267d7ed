package export

import (
	"fmt"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// View draws the dialog: the fields, then the files that they make.
func (d *Dialog) View() widget.Rows {
	th, t := d.env.Theme, d.env.Text.Export
	rows := widget.Rows{widget.Rule(t.Title, "", d.w, th)}
	for i, f := range d.form() {
		rows = append(rows, d.list.Item(i, d.field(i, f[0], f[1])))
	}
	rows = append(rows, widget.Rule(t.Files, d.sum(), d.w, th))
	files := d.listed()
	return append(rows, d.files.Scroll(files, d.fileRows())...).Fit(d.w, d.h)
}

// fileRows is how many rows there are for files.
func (d *Dialog) fileRows() int { return max(d.h-fields-2, 1) }

// form gives name and value of every field.
func (d *Dialog) form() [fields][2]string {
	t := d.env.Text.Export
	what, lines, secrets, format := t.AllBranches, t.AllLines, t.Kept, ""
	if d.one {
		what = fmt.Sprintf(t.ThisBranch, text.Line(d.name))
	}
	if d.ask.Approved {
		lines = t.ApprovedOnly
	}
	if d.ask.Redact {
		secrets = t.Masked
	}
	if all := d.env.Export.Formats; len(all) > 0 {
		format = all[d.format]
		format += "  " + d.env.Theme.Signs.Bullet + " " + t.Formats[format]
	}
	return [fields][2]string{{t.What, what}, {t.Format, format}, {t.Lines, lines}, {t.Secrets, secrets}, {t.Folder, text.Line(d.folder)}}
}

// column is how many columns the names of fields take.
func (d *Dialog) column() int {
	n := 0
	for _, f := range d.form() {
		n = max(n, text.Width(f[0]))
	}
	return n
}

// room is how many columns the folder has.
func (d *Dialog) room() int { return max(d.w-d.column()-3, 1) }

func (d *Dialog) field(i int, name, value string) string {
	th, at := d.env.Theme, d.list.At() == i
	name = text.Fit(name, d.column(), "")
	if at && d.typing != nil && i == fieldFolder {
		rows, _, _ := d.typing.View(1, "", th)
		return text.Fit(th.Signs.Select+th.Title.Render(name)+" "+rows[0], d.w, "")
	}
	if at {
		return th.Selected.Render(text.Fit(th.Signs.Select+name+" "+value, d.w, th.Signs.Ellipsis))
	}
	return text.Fit(" "+th.Dim.Render(name)+" "+value, d.w, th.Signs.Ellipsis)
}

// sum says how much would be written.
func (d *Dialog) sum() string {
	n := 0
	for _, f := range d.p.made.Files {
		n += len(f.Data)
	}
	if d.busy || d.p.err != nil || n == 0 {
		return ""
	}
	return fmt.Sprintf(d.env.Text.Export.Sum, len(d.p.made.Files), size(int64(n)))
}

// listed is the rows below the fields: what is refused or warned of, then files.
func (d *Dialog) listed() widget.Rows {
	th, t := d.env.Theme, d.env.Text.Export
	switch {
	case d.env.Export.Render == nil:
		return widget.Paragraph(t.NoFormats, 1, d.w, th.Dim)
	case d.p.err != nil && !d.busy:
		return widget.Paragraph("E "+fmt.Sprintf(t.Refused, d.p.err), 1, d.w, th.Error)
	case len(d.p.made.Files) == 0:
		return widget.Paragraph(t.Reading, 1, d.w, th.Dim)
	}
	var rows widget.Rows
	for _, w := range d.p.made.Warnings {
		rows = append(rows, widget.Paragraph("W "+fmt.Sprintf(t.Warnings[w.Code], w.Arg), 1, d.w, th.Warn)...)
	}
	for i, f := range d.p.made.Files {
		words, st := d.state(d.p.there[i])
		note := fmt.Sprintf("%9s  ", size(int64(len(f.Data))))
		room := max(d.w-text.Width(note)-stateRoom-2, 1)
		rows = append(rows, text.Fit(" "+text.Fit(text.Line(f.Name), room, th.Signs.Ellipsis)+note+st.Render(words), d.w, ""))
	}
	return rows
}

// stateRoom is how many columns the state of a file takes.
const stateRoom = 24

func (d *Dialog) state(s state) (string, style.Style) {
	th, t := d.env.Theme, d.env.Text.Export
	switch {
	case !s.exists:
		return t.Fresh, th.Good
	case s.same:
		return t.Same, th.Dim
	}
	return fmt.Sprintf(t.Replaces, size(s.size)), th.Warn
}

// size writes a number of bytes.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
