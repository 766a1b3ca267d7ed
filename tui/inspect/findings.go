package inspect

import (
	"fmt"
	"strings"

	"fabula/personas/lint"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// finding is a finding with the step that it was made in.
type finding struct {
	lint.Finding
	step int
}

// gather lists the findings of the whole path, oldest first.
func (x *Inspector) gather() {
	x.found = x.found[:0]
	for i, s := range x.steps {
		for _, f := range s.Alternative.Findings {
			x.found = append(x.found, finding{f, i})
		}
	}
	x.list[Findings].SetLen(len(x.found))
}

// firstFound is the first finding at or after the turn.
func (x *Inspector) firstFound() int {
	for i, f := range x.found {
		if f.step >= x.at {
			return i
		}
	}
	return max(len(x.found)-1, 0)
}

// findings draws them in two rows each: what and where, and the words.
func (d *drawing) findings(h int) {
	x := d.x
	if len(x.found) == 0 {
		d.dim(x.words().NoFindings)
		return
	}
	from, to := x.list[Findings].Window(max(h/2, 1))
	for i := from; i < to; i++ {
		f := x.found[i]
		st, sign := d.th.Dim, d.th.Signs.Info
		switch f.Level {
		case lint.Error:
			st, sign = d.th.Error, "E"
		case lint.Warning:
			st, sign = d.th.Warn, "W"
		}
		where := fmt.Sprintf(x.words().InTurn, x.steps[f.step].Turn.Depth)
		head := d.mark(i == x.list[Findings].At()) + st.Render(sign) + " " + d.th.Dim.Render(where) + "  " + text.Line(x.env.Text.Finding(f.Code, f.Args))
		item := widget.Rows{text.Fit(head, d.w, d.th.Signs.Ellipsis), text.Fit("     "+d.quote(f), d.w, d.th.Signs.Ellipsis)}
		d.rows = append(d.rows, x.list[Findings].Items(i, item)...)
	}
}

// around is how many characters of the text are shown on either side.
const around = 12

// quote shows the place in the reply that a finding is about.
func (d *drawing) quote(f finding) string {
	said := d.x.steps[f.step].Alternative.Text
	from, to := f.Span[0], f.Span[1]
	if from < 0 || to > len(said) || from >= to {
		return ""
	}
	left, right := []rune(said[:from]), []rune(said[to:])
	cut := d.th.Signs.Ellipsis
	before, after := string(left), string(right)
	if len(left) > around {
		before = cut + string(left[len(left)-around:])
	}
	if len(right) > around {
		after = string(right[:around]) + cut
	}
	row := func(s string) string { return strings.ReplaceAll(text.Sanitise(s), "\n", " ") }
	return d.th.Dim.Render(row(before)) + d.th.Error.Render(row(said[from:to])) + d.th.Dim.Render(row(after))
}
