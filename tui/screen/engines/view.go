package engines

import (
	"fmt"
	"strings"
	"time"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

const (
	twoPanes   = 100 // columns from which the sheet stands beside the list
	threePanes = 160 // columns from which facts and latency stand beside each other
	most       = 7   // engines that are seen above the sheet in a narrow window
)

// View draws the screen.
func (e *Engines) View() widget.Rows {
	th, t := e.env.Theme, e.env.Text.Engines
	rows, h := widget.Rows{widget.Rule(t.Title, e.note(), e.w, th)}, e.h-1
	if e.pull != nil {
		h -= widget.PromptRows
	}
	line := th.Rule.Render(th.Signs.V)
	switch {
	case e.err != nil:
		rows = append(rows, widget.Paragraph(e.err.Error(), 1, e.w, th.Error)...)
	case e.nothing() != "":
		rows = append(rows, widget.Paragraph(e.nothing(), 1, e.w, th.Dim)...)
	case e.w < twoPanes:
		n := min(len(e.entries), most, h/2)
		rows = append(append(rows, e.names(e.w, n)...), e.sheet(e.w, h-n, true)...)
	case e.w < threePanes:
		left := e.w * 2 / 5
		rows = append(rows, widget.Beside(e.left(left, h), e.sheet(e.w-left-1, h, false), line)...)
	default:
		left, middle := e.w*3/10, e.w*2/5
		right := e.w - left - middle - 2
		first, second := e.latency(middle), e.about(right)
		if e.facts {
			first, second = e.about(middle), e.latency(right)
		}
		rows = append(rows, widget.Beside(widget.Beside(e.left(left, h), first.Fit(middle, h), line), second.Fit(right, h), line)...)
	}
	if e.pull != nil {
		rows = append(rows.Fit(e.w, e.h-widget.PromptRows), e.pull.View(t.PullFrom, "", th.Signs.Select, e.w, th)...)
	}
	return rows.Fit(e.w, e.h)
}

// note says how many engines there are, and who serves.
func (e *Engines) note() string {
	if !e.known {
		return ""
	}
	note := fmt.Sprintf("%d", len(e.entries))
	if s := e.stock.Serving; s.Info.Name != "" {
		words := e.env.Text.Engine.Serves
		if s.Loading {
			words = e.env.Text.Engine.Loading
		}
		note += " " + e.env.Theme.Signs.Bullet + " " + fmt.Sprintf(words, text.Line(s.Info.Name))
	}
	return note
}

// left draws the list, and the ladder below it.
func (e *Engines) left(w, h int) widget.Rows {
	ladder := e.ladder(w)
	n := max(min(len(e.entries), h-len(ladder)-1), min(3, h))
	rows := append(e.names(w, n), text.Spaces(w))
	return append(rows, ladder...).Fit(w, h)
}

// names draws the list in h rows.
func (e *Engines) names(w, h int) widget.Rows {
	var rows widget.Rows
	from, to := e.list.Window(h)
	for i := from; i < to; i++ {
		rows = append(rows, e.list.Item(i, e.row(i, w)))
	}
	return rows.Fit(w, h)
}

// row draws an engine: sign, name, kind, size, precision and, where there is
// room, what it speaks.
func (e *Engines) row(i, w int) string {
	th, x := e.env.Theme, &e.entries[i]
	mark := " "
	if x.key() == e.marked {
		mark = "+"
	}
	sign, st := e.sign(x)
	tail := " " + text.Fit(string(x.Kind), 8, "") + " " + text.Fit(size(x.Size), 8, "") + " " + text.Fit(text.Line(x.Precision), 7, th.Signs.Ellipsis)
	if w >= 64 {
		tail += " " + text.Fit(e.languages(x), w-60, th.Signs.Ellipsis)
	}
	name := text.Fit(text.Line(x.Name), max(w-5-text.Width(tail), 6), th.Signs.Ellipsis)
	if i == e.list.At() {
		return th.Selected.Render(text.Fit(th.Signs.Select+mark+sign+" "+name+tail, w, ""))
	}
	return text.Fit(" "+th.Accent.Render(mark)+st.Render(sign+" "+name)+th.Dim.Render(tail), w, "")
}

// sign gives the mark before an engine: it serves, or it cannot.
func (e *Engines) sign(x *Entry) (string, style.Style) {
	switch {
	case e.serves(x):
		return "*", e.env.Theme.Good
	case x.Why != "" || !x.there():
		return "!", e.env.Theme.Warn
	}
	return " ", style.Style{}
}

// languages lists what an engine speaks.
func (e *Engines) languages(x *Entry) string {
	if len(x.Languages) == 0 {
		return ""
	}
	return text.Line(strings.Join(x.Languages, " "))
}

// size gives a size for people, "" for none.
func size(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", max(n>>20, 1))
}

// sheet draws what is known of the selected engine, scrolled.
func (e *Engines) sheet(w, h int, ladder bool) widget.Rows {
	first, second := e.latency(w), e.about(w)
	if e.facts {
		first, second = second, first
	}
	body := append(append(first, text.Spaces(w)), second...)
	if ladder {
		body = append(append(body, text.Spaces(w)), e.ladder(w)...)
	}
	e.scroll.SetLen(max(len(body)-h, 0) + 1)
	top := e.scroll.At()
	if below := len(body) - top - h; below > 0 {
		more := text.Fit(" "+e.env.Theme.Dim.Render(fmt.Sprintf(e.env.Text.Engines.More, below+1)), w, "")
		return e.scroll.Area(append(append(widget.Rows{}, body[top:top+h-1]...), more))
	}
	return e.scroll.Area(append(widget.Rows{}, body[top:]...).Fit(w, h))
}

// ladder draws who answers when those above cannot, and how to add more.
func (e *Engines) ladder(w int) widget.Rows {
	th, t := e.env.Theme, e.env.Text
	rows := widget.Rows{widget.Rule(t.Engines.Ladder, "", w, th)}
	step := 0
	for _, r := range e.stock.Ladder {
		if r.Step == "" {
			rows = append(rows, hung("!", text.Line(r.Name)+": "+t.Why(r.Why, r.Args...), w, th.Warn)...)
			continue
		}
		step++
		rows = append(rows, hung(fmt.Sprint(step), text.Line(r.Name)+" "+th.Signs.Bullet+" "+e.step(r.Step), w, style.Style{})...)
	}
	rows = append(rows, widget.Paragraph(t.Engines.Pull, 1, w, th.Dim)...)
	return append(rows, widget.Paragraph(t.Engines.Build, 1, w, th.Dim)...)
}

// hung draws text beside a sign of one column.
func hung(sign, words string, w int, st style.Style) widget.Rows {
	rows := widget.Paragraph(words, 3, w, st)
	if len(rows) > 0 {
		rows[0] = " " + st.Render(sign) + rows[0][2:]
	}
	return rows
}

// step words a step of the ladder.
func (e *Engines) step(code string) string {
	if words, ok := e.env.Text.Engines.Steps[code]; ok {
		return words
	}
	return text.Line(code)
}

// moment gives a time of today, else a day.
func (e *Engines) moment(at time.Time) string {
	now := e.env.Now()
	if at = at.In(now.Location()); at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format("2006-01-02 15:04")
}
