package promotion

import (
	"fmt"
	"strings"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// View draws what would be written, or why nothing is, and the file.
func (v *Promotion) View() widget.Rows {
	rows := v.head()
	return append(rows, v.file.Scroll(v.text(), v.h-len(rows))...).Fit(v.w, v.h)
}

// head says of which turns the file is, where it would lie, what is left out.
func (v *Promotion) head() widget.Rows {
	th, t, d := v.env.Theme, v.env.Text.Promotion, v.draft
	note := ""
	if d.branch != "" {
		note = fmt.Sprintf(t.Stretch, text.Line(d.branch), d.from, d.to)
	}
	rows := widget.Rows{widget.Rule(t.Title, note, v.w, th)}
	say := func(s string, st style.Style) { rows = append(rows, widget.Paragraph(s, 1, v.w, st)...) }
	switch {
	case v.env.NoFiles() != "":
		say(v.env.NoFiles(), th.Warn)
		return rows
	case v.asked.Alternative == "":
		say(t.Nothing, th.Dim)
		return rows
	case v.wrote != "":
		say(fmt.Sprintf(v.env.Text.Promote.Wrote, v.wrote, len(d.patch.Lines)), th.Good)
	case v.busy:
		say(t.Busy, th.Dim)
	case d.err != nil:
		say(refusal(d.err, v.env.Text), th.Error)
	case len(d.spoils) > 0:
		v.spoils(say)
	default:
		say(fmt.Sprintf(t.Would, "plot/"+d.file, len(d.patch.Lines)), th.Title)
	}
	if d.patch == nil {
		return rows
	}
	for _, s := range d.patch.Skipped {
		say(fmt.Sprintf(v.env.Text.Promote.Turn, s.Turn, v.env.Text.Promoted(s.Why.Code, s.Why.Args)), th.Warn)
	}
	return rows
}

// spoils says which errors the world would have with the file.
func (v *Promotion) spoils(say func(string, style.Style)) {
	th, d := v.env.Theme, v.draft
	say(fmt.Sprintf(v.env.Text.Promote.Spoils, len(d.spoils)), th.Error)
	for _, f := range d.spoils {
		what, _ := lang.Finding(f.Code, f.Args, v.env.Text.Code)
		say(f.Pos.String()+": "+what, th.Error)
	}
}

// text is the file, its comments dimmed.
func (v *Promotion) text() widget.Rows {
	th, p := v.env.Theme, v.draft.patch
	if p == nil || len(p.Text) == 0 {
		return widget.Rows{text.Spaces(v.w)}
	}
	rows := widget.Rows{text.Spaces(v.w)}
	for row := range strings.SplitSeq(strings.TrimRight(string(p.Text), "\n"), "\n") {
		plain := strings.TrimLeft(row, " ")
		st := style.Style{}
		if strings.HasPrefix(plain, "#") {
			st = th.Dim
		}
		rows = append(rows, widget.Paragraph(plain, 1+len(row)-len(plain), v.w, st)...)
	}
	return rows
}
