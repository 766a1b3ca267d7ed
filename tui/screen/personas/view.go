package personas

import (
	"fmt"
	"strings"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

const (
	twoPanes   = 100 // columns from which the pane stands beside the list
	threePanes = 160 // columns from which the file stands beside the pane
	listW      = 36
	narrowest  = 24 // of a reply beside others
)

// View draws the screen.
func (v *Personas) View() widget.Rows {
	th, t := v.env.Theme, v.env.Text.Personas
	p := v.selected()
	h := v.h - 1
	if v.line != nil {
		h -= widget.PromptRows
	}
	rows := widget.Rows{widget.Rule(t.Title, v.note(), v.w, th)}
	line := th.Rule.Render(th.Signs.V)
	switch {
	case p == nil:
		rows = append(rows, text.Fit(" "+th.Dim.Render(t.Empty), v.w, ""))
	case v.w < twoPanes && v.focus:
		rows = append(rows, v.pane(p, v.tab, v.w, h)...)
	case v.w < twoPanes:
		rows = append(rows, v.rows(v.w, h)...)
	case v.w >= threePanes && v.tab != file && v.tab != trying: // replies need the room
		rest := v.w - listW - 1
		right := rest * 2 / 5
		rows = append(rows, widget.Beside(widget.Beside(v.rows(listW, h), v.pane(p, v.tab, rest-right-1, h), line), v.pane(p, file, right, h), line)...)
	default:
		rows = append(rows, widget.Beside(v.rows(listW, h), v.pane(p, v.tab, v.w-listW-1, h), line)...)
	}
	if v.line != nil {
		title, note := fmt.Sprintf(t.TryOn, v.name(p), seeds), v.env.Text.Language(p.Language(v.speaks()))
		rows = append(rows.Fit(v.w, v.h-widget.PromptRows), v.line.View(title, note, th.Signs.Select, v.w, th)...)
	}
	return rows.Fit(v.w, v.h)
}

// note says how many there are, and the language that is looked at.
func (v *Personas) note() string {
	if v.env.Session == nil {
		return ""
	}
	note := fmt.Sprintf("%d", len(v.all())) + " " + v.env.Theme.Signs.Bullet + " " + v.env.Text.Language(v.speaks())
	if v.busy {
		note += " " + v.env.Theme.Signs.Bullet + " " + v.env.Text.World.Searching
	}
	return note
}

func (v *Personas) name(p *personas.Persona) string {
	return text.Line(p.Name.In(v.env.Text.Code, v.env.Session.Script().Languages...))
}

// rows lists the personas: name, version, tokens, findings.
func (v *Personas) rows(w, h int) widget.Rows {
	th := v.env.Theme
	var rows widget.Rows
	from, to := v.list.Window(h)
	for i := from; i < to; i++ {
		p := v.all()[i]
		version, tokens, errs, warns := v.figures(p)
		room := max(w-text.Width(version)-text.Width(tokens)-12, 6)
		head := text.Fit(v.name(p), room, th.Signs.Ellipsis) + " " + version + " " + tokens + " "
		if i == v.list.At() {
			rows = append(rows, v.list.Item(i, th.Selected.Render(text.Fit(th.Signs.Select+" "+head+errs+" "+warns, w, ""))))
			continue
		}
		rows = append(rows, v.list.Item(i, text.Fit("  "+head+th.Error.Render(errs)+" "+th.Warn.Render(warns), w, "")))
	}
	return rows.Fit(w, h)
}

// figures gives what the list shows of a persona.
func (v *Personas) figures(p *personas.Persona) (version, tokens, errs, warns string) {
	version = "-"
	if n := v.env.Session.PersonaVersion(p.ID).Ordinal; n > 0 {
		version = fmt.Sprintf("v%d", n)
	}
	tokens = text.Spaces(9)
	if k, ok := v.known[p.ID]; ok && k.err == nil {
		tokens = fmt.Sprintf("%5d ", k.fixed.Tokens) + v.env.Text.Figure.Token
	}
	e, w := 0, 0
	for _, f := range v.of(p) {
		if f.Level == lint.Error {
			e++
		} else {
			w++
		}
	}
	if e > 0 {
		errs = fmt.Sprintf("E%d", e)
	}
	if w > 0 {
		warns = fmt.Sprintf("W%d", w)
	}
	return text.Fit(version, 4, ""), tokens, errs, warns
}

// pane draws one pane with its heading: the names of all, the shown one in
// brackets.
func (v *Personas) pane(p *personas.Persona, t tab, w, h int) widget.Rows {
	th := v.env.Theme
	body, top := v.content(p, t, w, h-1)
	l := &v.panes[t]
	if t != found && t != history {
		l.SetLen(max(len(body)-(h-1), 0) + 1)
		top = l.At()
	}
	head := v.heading(t, w)
	below := len(body) - top - (h - 1)
	note := ""
	if top > 0 {
		note = th.Signs.Up + fmt.Sprint(top)
	}
	if below > 0 {
		note += " " + th.Signs.Down + fmt.Sprint(below)
	}
	return append(widget.Rows{widget.Rule(head, strings.TrimSpace(note), w, th)}, l.Area(body[min(top, len(body)):].Fit(w, h-1))...)
}

func (v *Personas) heading(t tab, w int) string {
	words := v.env.Text.Personas
	names := [tabs]string{words.Effective, words.File, words.Findings, words.History, words.Trying}
	if w < 60 || t == file && v.tab != file {
		return names[t]
	}
	var out []string
	for i, n := range names {
		if tab(i) == t {
			n = "[" + n + "]"
		}
		out = append(out, v.heads.Item(i, n))
	}
	return strings.Join(out, "  ")
}

// content draws what a pane holds, and the first row to show where the pane
// has a selection.
func (v *Personas) content(p *personas.Persona, t tab, w, h int) (rows widget.Rows, top int) {
	switch t {
	case effective:
		return v.effective(p, w), 0
	case file:
		return v.file(p, w), 0
	case found:
		return v.found(p, w, h)
	case history:
		return v.history(p, w, h)
	}
	return v.trying(p, w), 0
}

// file draws the lines of the file, numbered; those with a finding are marked.
func (v *Personas) file(p *personas.Persona, w int) widget.Rows {
	th := v.env.Theme
	signs := map[int]string{}
	for _, f := range v.of(p) {
		if signs[f.Pos.Line] != "E" {
			signs[f.Pos.Line] = map[bool]string{true: "E", false: "W"}[f.Level == lint.Error]
		}
	}
	var rows widget.Rows
	for i, line := range v.known[p.ID].file {
		sign, st := " ", style.Style{}
		if s, marked := signs[i+1]; marked {
			sign, st = s, th.Warn
		}
		rows = append(rows, text.Fit(th.Error.Render(sign)+th.Dim.Render(fmt.Sprintf("%4d ", i+1))+st.Render(text.Fit(text.Sanitise(line), max(w-6, 1), th.Signs.Ellipsis)), w, ""))
	}
	return rows
}

// trying draws what three seeds made of a line, beside each other where there is
// room.
func (v *Personas) trying(p *personas.Persona, w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text
	if v.try.persona != p.ID || v.try.said == "" {
		return widget.Paragraph(t.Personas.TryHint, 1, w, th.Dim)
	}
	rows := widget.Flow([]widget.Run{{Text: t.Chat.You + "  ", Style: th.Player}, {Text: v.try.said}}, 1, w)
	rows = append(rows, text.Spaces(w))
	if v.try.err != nil {
		rows = append(rows, widget.Paragraph(v.try.err.Error(), 1, w, th.Error)...)
	}
	n := max(len(v.try.replies), 1)
	if w < narrowest*n {
		for i := range v.try.replies {
			rows = append(append(rows, v.reply(i, w)...), text.Spaces(w))
		}
		return rows
	}
	each := (w - (n - 1)) / n
	var all widget.Rows
	for i := range v.try.replies {
		width := each
		if i == n-1 {
			width = w - (n-1)*(each+1)
		}
		one := v.reply(i, width)
		if i == 0 {
			all = one
			continue
		}
		h := max(len(all), len(one))
		left := (each + 1) * i
		all = widget.Beside(all.Fit(left-1, h), one.Fit(width, h), th.Rule.Render(th.Signs.V))
	}
	return append(rows, all...)
}

// reply draws one of the replies: its seed, its words, what was found in it.
func (v *Personas) reply(i, w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text
	s := v.try.replies[i]
	head := fmt.Sprintf(t.Figure.Seed, s.Seed)
	if s.Engine.Name != "" {
		head += "  " + text.Line(s.Engine.Name)
	}
	rows := widget.Rows{text.Fit(" "+th.Dim.Render(text.Fit(head, max(w-2, 1), th.Signs.Ellipsis)), w, "")}
	words := s.Text
	if words == "" {
		words = th.Signs.Ellipsis
	}
	rows = append(rows, widget.Paragraph(words, 1, w, style.Style{})...)
	if i < len(v.try.done) {
		for _, f := range v.try.done[i].Findings {
			rows = append(rows, widget.Paragraph(t.Finding(f.Code, f.Args), 1, w, th.Warn)...)
		}
	}
	return rows
}
