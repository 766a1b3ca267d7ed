package inspect

import (
	"fmt"
	"strings"

	"fabula/story"
	"fabula/story/prompt"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// change says how a segment compares with the prompt before.
type change int

const (
	alike change = iota
	fresh
	gone
	differs
)

// compared is a segment as the list shows it: of this prompt, or gone from the
// one before.
type compared struct {
	prompt.Segment
	mark   string // what the template writes before it
	change change
	was    string // text before, where it differs
}

// segments lists the prompt, with what is gone where it is compared.
func (x *Inspector) segments() []compared {
	var out []compared
	for i, s := range x.sent.Segments {
		c := compared{Segment: s}
		if i < len(x.sent.Marks) {
			c.mark = x.sent.Marks[i]
		}
		out = append(out, c)
	}
	if !x.diff || !x.earlier.ok {
		return out
	}
	return against(out, x.earlier.Segments)
}

// against compares segments with those of the prompt before, each once: by text,
// then by kind and source.
func against(now []compared, was []prompt.Segment) []compared {
	used := make([]bool, len(was))
	match := func(c compared, text bool) int {
		for i, s := range was {
			if !used[i] && s.Kind == c.Kind && (text && s.Text == c.Text || !text && s.Source == c.Source) {
				return i
			}
		}
		return -1
	}
	for _, text := range []bool{true, false} {
		for i := range now {
			c := &now[i]
			if text {
				c.change = fresh
			} else if c.change == alike {
				continue
			}
			if j := match(*c, text); j >= 0 {
				used[j] = true
				c.change, c.was = alike, ""
				if !text {
					c.change, c.was = differs, was[j].Text
				}
			}
		}
	}
	for i, s := range was {
		if !used[i] {
			now = append(now, compared{Segment: s, change: gone})
		}
	}
	return now
}

// segment gives the selected segment.
func (x *Inspector) segment() (prompt.Segment, bool) {
	all := x.segments()
	if i := x.list[Prompt].At(); i < len(all) && all[i].change != gone {
		return all[i].Segment, true
	}
	return prompt.Segment{}, false
}

// prompt draws the list of segments, sums, and the text of the selected one.
func (d *drawing) prompt(h int) {
	step, _ := d.x.step()
	t := d.x.words()
	switch {
	case step.Alternative.Reply == nil:
		d.dim(t.NoPrompt)
		return
	case !d.x.sent.ok:
		d.dim(t.Reading)
		return
	}
	all := d.x.segments()
	l := &d.x.list[Prompt]
	l.SetLen(len(all))
	foot := d.sums(step)
	room := max(min(len(all), (h-len(foot))/2), 1)
	from, to := l.Window(room)
	for i := from; i < to; i++ {
		d.rows = append(d.rows, l.Item(i, d.row(i, all[i])))
	}
	d.rows = append(d.rows, foot...)
	if l.At() < len(all) {
		d.rows = append(d.rows, d.shown(all[l.At()], h-len(d.rows))...)
	}
}

// row is one segment of the list: its number, kind, tokens and source.
func (d *drawing) row(i int, c compared) string {
	st, sign := style.Style{}, " "
	switch c.change {
	case fresh:
		st, sign = d.th.Good, "+"
	case gone:
		st, sign = d.th.Warn, "-"
	case differs:
		st, sign = d.th.Beat, "~"
	}
	if d.off(c.Segment) {
		st, sign = d.th.Dim, "x"
	}
	kind := text.Fit(d.x.env.Text.Inspect.Segment(string(c.Kind)), 9, d.th.Signs.Ellipsis)
	line := fmt.Sprintf("%s%2d %s %4d  %s", sign, i+1, kind, c.Tokens, d.origin(c.Segment))
	return text.Fit(d.mark(i == d.x.list[Prompt].At())+st.Render(text.Fit(line, d.w-1, d.th.Signs.Ellipsis)), d.w, "")
}

func (d *drawing) off(s prompt.Segment) bool {
	for _, p := range d.x.off {
		if p.Kind == s.Kind && p.Source == s.Source {
			return true
		}
	}
	return false
}

// origin says where a segment comes from: of history, the turn by its number.
func (d *drawing) origin(s prompt.Segment) string {
	for _, step := range d.x.steps {
		if string(step.Turn.ID) == s.Source {
			return fmt.Sprintf(d.x.words().InTurn, step.Turn.Depth)
		}
	}
	out := text.Line(s.Source)
	if len(s.Because) > 0 {
		out += " " + d.th.Signs.Bullet + " “" + text.Line(strings.Join(s.Because, " ")) + "”"
	}
	return out
}

// sums draws what the prompt takes of the window, and what was asked of it.
func (d *drawing) sums(step story.Step) widget.Rows {
	t, r := d.x.words(), step.Alternative.Reply
	n := d.x.sent.Control
	for _, s := range d.x.sent.Segments {
		n += s.Tokens
	}
	line := fmt.Sprintf(t.TotalOpen, n, r.Sampling.MaxTokens)
	if r.Engine.Context > 0 {
		line = fmt.Sprintf(t.Total, n, r.Engine.Context, r.Sampling.MaxTokens)
	}
	if d.x.sent.Control > 0 {
		line += " " + d.th.Signs.Bullet + " " + fmt.Sprintf(t.Control, d.x.sent.Control)
	}
	if d.x.diff && d.x.earlier.ok {
		line = fmt.Sprintf(t.DiffWith, d.x.earlier.step.Turn.Depth) + " " + d.th.Signs.Bullet + " " + line
	}
	rows := widget.Rows{widget.Rule("", line, d.w, d.th)}
	if len(d.x.off) > 0 {
		rows = append(rows, text.Fit(" "+d.th.Warn.Render(text.Fit(fmt.Sprintf(t.Off, Parts(d.x.off, d.x.env.Text)), d.w-2, d.th.Signs.Ellipsis)), d.w, ""))
	}
	return rows
}

// Parts words a list of segments by where they come from.
func Parts(parts []prompt.Part, t *lang.Strings) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = t.Inspect.Segment(string(p.Kind))
		if p.Source != "" && p.Source != string(p.Kind) {
			names[i] += " " + text.Line(p.Source)
		}
	}
	return strings.Join(names, t.Way.List)
}

// shown draws the text of a segment, scrolled: with the template's marks, or with
// the lines that came and went.
func (d *drawing) shown(c compared, h int) widget.Rows {
	var rows widget.Rows
	add := func(s string, st style.Style) { rows = append(rows, widget.Paragraph(s, 1, d.w, st)...) }
	if d.x.marks && c.mark != "" {
		add(visible(c.mark), d.th.Key)
	}
	if d.x.diff && c.change == differs {
		for _, l := range lines(c.was, c.Text) {
			add(l.sign+" "+l.text, map[string]style.Style{"+": d.th.Good, "-": d.th.Warn}[l.sign])
		}
	} else {
		add(c.Text, style.Style{})
	}
	if n := len(d.x.sent.Segments); d.x.marks && n < len(d.x.sent.Marks) && c.change != gone && d.x.list[Prompt].At() == n-1 {
		add(visible(d.x.sent.Marks[n]), d.th.Key)
	}
	d.x.scroll = max(min(d.x.scroll, len(rows)-h), 0)
	return rows[d.x.scroll:].Fit(d.w, max(h, 0))
}

// visible shows the line feeds of a template as signs too.
func visible(s string) string { return strings.ReplaceAll(s, "\n", "\\n") }

// Text gives the whole prompt as it was sent, the template's marks included
// where they are shown.
func (x *Inspector) Text() string {
	var b strings.Builder
	for i, s := range x.sent.Segments {
		if x.marks && i < len(x.sent.Marks) {
			b.WriteString(x.sent.Marks[i])
		}
		b.WriteString(s.Text)
		if !x.marks && !strings.HasSuffix(s.Text, "\n") {
			b.WriteByte('\n')
		}
	}
	if n := len(x.sent.Segments); x.marks && n < len(x.sent.Marks) {
		b.WriteString(x.sent.Marks[n])
	}
	return b.String()
}

// line is a line of a comparison: sign "+", "-" or " ".
type line struct{ sign, text string }

// lines compares two texts line by line: a longest common subsequence, since a
// segment has few lines.
func lines(was, is string) []line {
	a, b := strings.Split(strings.TrimSuffix(was, "\n"), "\n"), strings.Split(strings.TrimSuffix(is, "\n"), "\n")
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	var out []line
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, line{" ", a[i]})
			i, j = i+1, j+1
		case j < len(b) && (i == len(a) || n[i][j+1] > n[i+1][j]):
			out = append(out, line{"+", b[j]})
			j++
		default:
			out = append(out, line{"-", a[i]})
			i++
		}
	}
	return out
}
