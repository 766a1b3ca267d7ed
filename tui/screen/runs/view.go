package runs

import (
	"fmt"

	"fabula/story/playtest/play"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// View draws the list: playtests with what did not come true, players, and what
// was played before.
func (v *Runs) View() widget.Rows {
	th, t := v.env.Theme, v.env.Text.Runs
	switch {
	case v.err != nil && v.tests == 0:
		return append(widget.Rows{widget.Rule(t.Title, "", v.w, th)}, widget.Paragraph(v.err.Error(), 1, v.w, th.Error)...).Fit(v.w, v.h)
	case !v.read:
		return append(widget.Rows{widget.Rule(t.Title, "", v.w, th)}, widget.Paragraph(t.Reading, 1, v.w, th.Dim)...).Fit(v.w, v.h)
	}
	rows, from, to := v.window()
	for i := from; i < to; i++ {
		row := v.row(v.lines[i], i == v.list.At())
		if v.lines[i].title == "" {
			row = v.list.Item(i, row)
		}
		rows = append(rows, row)
	}
	return rows.Fit(v.w, v.h)
}

// window gives what stands above the list, and the lines of it that are drawn.
func (v *Runs) window() (above widget.Rows, from, to int) {
	switch {
	case v.err != nil: // of playtests that cannot be read
		above = widget.Paragraph(v.err.Error(), 1, v.w, v.env.Theme.Error)
	case v.tests == 0:
		above = widget.Paragraph(v.env.Text.Runs.NoTests, 1, v.w, v.env.Theme.Dim)
	}
	h := max(v.h-len(above), 1)
	from, to = v.list.Window(h)
	if from == 1 && v.list.At() < h { // the heading above the first row
		from, to = 0, min(h, len(v.lines))
	}
	return above, from, to
}

// row draws one line.
func (v *Runs) row(l line, selected bool) string {
	th := v.env.Theme
	if l.title != "" {
		return widget.Rule(l.title, v.sum(l.title), v.w, th)
	}
	mark, st, words := v.words(l)
	if selected {
		return th.Selected.Render(text.Fit(th.Signs.Select+mark+words, v.w, th.Signs.Ellipsis))
	}
	return text.Fit(" "+st.Render(mark)+words, v.w, th.Signs.Ellipsis)
}

// sum is what stands at the right of a heading.
func (v *Runs) sum(title string) string {
	t := v.env.Text.Runs
	switch title {
	case t.Title:
		n := 0
		for _, r := range v.all[:v.tests] {
			if r.failed() {
				n++
			}
		}
		return fmt.Sprintf(t.Sum, v.tests, n)
	case t.Stored:
		return fmt.Sprintf(t.StoredSum, len(v.past))
	}
	return ""
}

// The columns of verdicts and of names.
const (
	markColumn = 8
	nameColumn = 28
)

// words gives the verdict of a line with its colour, and what follows it.
func (v *Runs) words(l line) (mark string, st style.Style, words string) {
	th, t := v.env.Theme, v.env.Text.Runs
	fit := func(name string) string { return text.Fit(text.Line(name), nameColumn, th.Signs.Ellipsis) + "  " }
	switch {
	case l.past != nil:
		return text.Spaces(markColumn), th.Dim, fit(l.past.branch.Name) + fmt.Sprintf(t.StoredAt, text.Line(l.past.node), l.past.turn)
	case l.failure >= 0:
		f := l.run.result.Failures[l.failure]
		at := fmt.Sprintf(t.At, f.Turn)
		if f.Pos.File != "" {
			at += "  " + f.Pos.String()
		}
		return "  E ", th.Error, text.Line(at + "  " + v.env.Text.Finding(f.Code, f.Args))
	}
	mark, st = v.verdict(l.run)
	return text.Fit(mark, markColumn, ""), st, fit(l.run.name()) + text.Line(v.came(l.run))
}

// verdict says in a word what a run came to.
func (v *Runs) verdict(r *run) (string, style.Style) {
	th, t := v.env.Theme, v.env.Text.Runs
	switch {
	case r.waits:
		return t.Waits, th.Accent
	case r.failed():
		return t.Failed, th.Error
	case r.result != nil && r.result.Why != play.Stopped:
		return t.Passed, th.Good
	}
	return t.Never, th.Dim
}

// came says how a run ended.
func (v *Runs) came(r *run) string {
	t := v.env.Text
	switch {
	case r.err != nil:
		return fmt.Sprintf(t.Runs.Could, r.err)
	case r.result == nil:
		return ""
	}
	return fmt.Sprintf(t.Runs.Came, t.Play.Whys[r.result.Why], r.result.Node, r.result.Turns)
}
