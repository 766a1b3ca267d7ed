package personas

import (
	"errors"
	"fmt"
	"strings"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/compare"
	"fabula/story/prompt"
	"fabula/story/versions"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

const column = 10 // of the names in the pane

// effective draws what every prompt of a persona begins with: how many tokens
// each kind of it takes of the window, the texts, and what comes to it only when
// a condition holds.
func (v *Personas) effective(p *personas.Persona, w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text
	rows := widget.Rows{widget.Pair(t.Personas.ID, text.Line(p.ID+"  "+p.Pos.String()), column, w, th)}
	if p.Speaks != "" {
		rows = append(rows, widget.Pair(t.Personas.Speaks, t.Language(p.Speaks), column, w, th))
	}
	k, ok := v.known[p.ID]
	switch {
	case !ok:
		return append(rows, text.Fit(" "+th.Dim.Render(t.Personas.Reading), w, ""))
	case k.err != nil:
		return append(rows, widget.Paragraph(k.err.Error(), 1, w, th.Error)...)
	}
	rows = append(rows, v.budget(k, w)...)
	for _, s := range k.fixed.Segments {
		rows = append(rows, text.Spaces(w), text.Fit(" "+th.Title.Render(t.Inspect.Segment(string(s.Kind)))+"  "+th.Dim.Render(fmt.Sprintf("%d %s  %s", s.Tokens, t.Figure.Token, text.Line(s.Source))), w, th.Signs.Ellipsis))
		rows = append(rows, widget.Paragraph(strings.TrimSpace(s.Text), 2, w, style.Style{})...)
	}
	return append(rows, v.conditional(p, w)...)
}

// barW is the columns of the whole window.
const barW = 24

// budget draws the tokens of each kind as bars against the window.
func (v *Personas) budget(k known, w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text.Personas
	window, words := k.fixed.Window, ""
	if window == 0 {
		window = 4096
		words = t.NoWindow
	} else {
		words = fmt.Sprintf(t.Window, window)
	}
	by := t.Estimated
	if k.fixed.Counted != "" {
		by = fmt.Sprintf(t.Counted, text.Line(k.fixed.Counted))
	}
	rows := widget.Rows{text.Spaces(w), text.Fit(" "+th.Title.Render(t.Budget), w, "")}
	rows = append(rows, widget.Paragraph(words+t.And+by, 1, w, th.Dim)...)
	of := map[prompt.Kind]int{}
	var kinds []prompt.Kind
	for _, s := range k.fixed.Segments {
		if of[s.Kind] == 0 {
			kinds = append(kinds, s.Kind)
		}
		of[s.Kind] += s.Tokens
	}
	bar := func(name string, n int, st style.Style) {
		full := min((n*barW+window-1)/window, barW)
		cells := st.Render(strings.Repeat(th.Signs.Bar, full)) + th.Rule.Render(strings.Repeat(th.Signs.Bullet, barW-full))
		rows = append(rows, widget.Pair(name, fmt.Sprintf("%6d ", n)+cells+th.Dim.Render(fmt.Sprintf(" %3d%%", n*100/window)), column, w, th))
	}
	for _, kind := range kinds {
		bar(v.env.Text.Inspect.Segment(string(kind)), of[kind], th.Accent)
	}
	st := th.Good
	if k.fixed.Tokens+k.fixed.Reply > window*3/4 {
		st = th.Warn
	}
	bar(t.Total, k.fixed.Tokens, st)
	bar(t.Reply, k.fixed.Reply, th.Told)
	bar(t.Left, max(window-k.fixed.Tokens-k.fixed.Reply, 0), th.Dim)
	return rows
}

// conditional lists what is in the prompt only while something holds.
func (v *Personas) conditional(p *personas.Persona, w int) widget.Rows {
	th, t, script := v.env.Theme, v.env.Text.Personas, v.env.Session.Script()
	words := func(x personas.Text) string { return text.Line(x.In(v.speaks(), script.Languages...)) }
	var rows widget.Rows
	add := func(kind, what, when string) {
		if when == "" {
			when = t.Always
		}
		rows = append(rows, text.Fit(" "+th.Accent.Render(kind)+"  "+th.Dim.Render(text.Line(when)), w, th.Signs.Ellipsis))
		rows = append(rows, widget.Paragraph(what, 3, w, style.Style{})...)
	}
	for _, s := range p.Secrets {
		add(t.Secret+" "+s.ID, words(s.Text), s.Unlock.Src)
	}
	for _, g := range p.Goals {
		add(v.env.Text.Inspect.Segment("goal"), words(g.Text), g.When.Src)
	}
	for _, k := range p.Knows {
		add(v.env.Text.Inspect.Segment("knows"), words(k.Text), k.When.Src)
	}
	samples := 0
	for _, s := range p.Samples {
		if !s.When.Empty() {
			samples++
		}
	}
	if samples > 0 {
		add(v.env.Text.Inspect.Segment("sample"), fmt.Sprintf(t.Samples, samples), t.WhenTheyHold)
	}
	if len(rows) == 0 {
		return nil
	}
	return append(widget.Rows{text.Spaces(w), text.Fit(" "+th.Title.Render(t.WhenHolds), w, "")}, rows...)
}

// found draws the findings in the persona's file, the selected one whole.
func (v *Personas) found(p *personas.Persona, w, h int) (widget.Rows, int) {
	th, t := v.env.Theme, v.env.Text
	all := v.of(p)
	l := &v.panes[found]
	l.SetLen(len(all))
	switch {
	case v.busy:
		return widget.Paragraph(t.World.Searching, 1, w, th.Dim), 0
	case v.examined != v.env.Session.Script():
		return widget.Paragraph(t.Personas.NotSearched, 1, w, th.Dim), 0
	case len(all) == 0:
		return widget.Paragraph(t.Personas.NoFindings, 1, w, th.Dim), 0
	}
	var rows widget.Rows
	top, foot := 0, 0
	for i, f := range all {
		at := len(rows)
		sign, st, mark := "W", th.Warn, " "
		if f.Level == lint.Error {
			sign, st = "E", th.Error
		}
		if i == l.At() {
			mark = th.Signs.Select
		}
		what, todo := lang.Finding(f.Code, f.Args, t.Code)
		item := widget.Rows{text.Fit(th.Accent.Render(mark)+st.Render(sign)+" "+th.Title.Render(text.Line(f.Pos.String())), w, th.Signs.Ellipsis)}
		item = append(item, widget.Paragraph(what, 3, w, style.Style{})...)
		if i == l.At() {
			item = append(item, widget.Paragraph(todo, 3, w, th.Dim)...)
			top, foot = at, at+len(item)
		}
		rows = append(rows, l.Items(i, item)...)
	}
	return rows, max(min(top, foot-h), 0)
}

// history lists the versions that replies were made with, and below them how the
// chosen one differs from the present.
func (v *Personas) history(p *personas.Persona, w, h int) (widget.Rows, int) {
	th, t := v.env.Theme, v.env.Text.Personas
	all := v.versions[p.ID]
	l := &v.panes[history]
	l.SetLen(len(all))
	if len(all) == 0 {
		return widget.Paragraph(t.NoVersions, 1, w, th.Dim), 0
	}
	now := v.env.Session.PersonaVersion(p.ID)
	var rows widget.Rows
	from, to := l.Window(max(h/2, 1))
	for i := from; i < to; i++ {
		x := all[i]
		words := fmt.Sprintf(t.Version, x.Ordinal, x.Replies, x.Last.In(v.env.Now().Location()).Format("2006-01-02 15:04"))
		if x.Hash == now.Hash {
			words += "  " + t.Present
		}
		if i == l.At() {
			rows = append(rows, l.Item(i, th.Selected.Render(text.Fit(th.Signs.Select+words, w, th.Signs.Ellipsis))))
			continue
		}
		rows = append(rows, l.Item(i, text.Fit(" "+words, w, th.Signs.Ellipsis)))
	}
	return append(rows, v.changes(p, all[l.At()], w)...), 0
}

// changes draws how the selected version differs from the present one.
func (v *Personas) changes(p *personas.Persona, x versions.Version, w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text.Personas
	rows := widget.Rows{text.Spaces(w)}
	switch d := v.diff; {
	case d.hash != x.Hash || d.lang != v.speaks():
		return append(rows, widget.Paragraph(t.PressCompare, 1, w, th.Dim)...)
	case errors.Is(d.err, errNoText):
		return append(rows, widget.Paragraph(fmt.Sprintf(t.NoText, v.env.Text.Language(d.lang)), 1, w, th.Dim)...)
	case d.err != nil:
		return append(rows, widget.Paragraph(d.err.Error(), 1, w, th.Error)...)
	}
	var parts []string
	for _, s := range v.known[p.ID].fixed.Segments {
		if versions.Fixed(s.Kind, s.Role) {
			parts = append(parts, s.Text)
		}
	}
	now := strings.Join(parts, "\n\n")
	if now == v.diff.old {
		return append(rows, widget.Paragraph(t.SameText, 1, w, th.Good)...)
	}
	return append(rows, widget.Flow(v.marked(compare.Unified(v.diff.old, now)), 1, w)...)
}

// around is how many characters of what is the same are shown beside a change.
const around = 60

// marked colours what is gone and what is new; without colours, signs say it.
func (v *Personas) marked(parts []compare.Part) []widget.Run {
	th := v.env.Theme
	plain := th.Warn == style.Style{}
	var runs []widget.Run
	for i, p := range parts {
		switch {
		case p.Side == compare.Both:
			runs = append(runs, widget.Run{Text: v.shortened(p.Text, i > 0, i < len(parts)-1), Style: th.Dim})
		case p.Side == compare.InA && plain:
			runs = append(runs, widget.Run{Text: "[-" + p.Text + "-]"})
		case plain:
			runs = append(runs, widget.Run{Text: "{+" + p.Text + "+}"})
		case p.Side == compare.InA:
			runs = append(runs, widget.Run{Text: "-" + p.Text, Style: th.Error})
		default:
			runs = append(runs, widget.Run{Text: "+" + p.Text, Style: th.Good})
		}
	}
	return runs
}

// shortened leaves the middle of a long stretch out, as far from changes as it is.
func (v *Personas) shortened(s string, before, after bool) string {
	r := []rune(s)
	head, tail := 0, 0
	if before {
		head = around
	}
	if after {
		tail = around
	}
	if len(r) <= head+tail+around {
		return s
	}
	return string(r[:head]) + " " + v.env.Theme.Signs.Ellipsis + " " + string(r[len(r)-tail:])
}
