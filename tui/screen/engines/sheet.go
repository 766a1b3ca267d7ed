package engines

import (
	"fmt"
	"strconv"
	"strings"

	"fabula/engine/latency"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// col is the column of names in the sheet.
const col = 12

// state says in a paragraph how the engine stands.
func (e *Engines) state(x *Entry, w int) widget.Rows {
	th, t := e.env.Theme, e.env.Text
	switch {
	case !x.there():
		return widget.Paragraph(t.Engines.Gone, 1, w, th.Warn)
	case e.serves(x):
		words := fmt.Sprintf(t.Engines.Serves, e.step(e.stock.Serving.Step))
		if e.stock.Serving.Loading {
			words = t.Engines.Loading
		}
		return widget.Paragraph(words, 1, w, th.Good)
	case x.Why != "":
		words := "! " + t.Why(x.Why, x.Args...)
		if !x.Since.IsZero() {
			words += " " + th.Signs.Bullet + " " + fmt.Sprintf(t.Engines.Since, e.moment(x.Since))
		}
		if !x.Check.IsZero() {
			words += " " + th.Signs.Bullet + " " + fmt.Sprintf(t.Engines.Check, e.moment(x.Check))
		}
		if x.Detail != "" && t.Why(x.Why, x.Args...) != x.Detail {
			words += " (" + text.Line(x.Detail) + ")"
		}
		return widget.Paragraph(words, 1, w, th.Warn)
	}
	return widget.Paragraph(t.Engines.Ready, 1, w, style.Style{})
}

// latency draws how long the selected engine took and, where one is marked and
// asked for, that one after it.
func (e *Engines) latency(w int) widget.Rows {
	x := e.selected()
	rows := e.took(x.key(), w)
	if e.beside && e.noPair() == "" {
		rows = append(append(rows, text.Spaces(w)), e.took(e.marked, w)...)
	}
	return rows
}

// took draws the latency of one engine: all stored replies, this session's, and
// the gaps of all as a histogram.
func (e *Engines) took(k key, w int) widget.Rows {
	th, t := e.env.Theme, e.env.Text.Engines
	f := e.figures[k]
	rows := widget.Rows{widget.Rule(t.Latency+" "+text.Line(k.name), string(k.kind), w, th)}
	if f.stored.Replies == 0 {
		return append(rows, widget.Paragraph(t.NoReplies, 1, w, th.Dim)...)
	}
	head := t.Stored
	if f.session.Replies == f.stored.Replies {
		head = t.AllSession
	}
	rows = append(rows, e.spreads(head, f.stored, w)...)
	if n := f.session.Replies; n > 0 && n < f.stored.Replies {
		rows = append(rows, e.spreads(t.Session, f.session, w)...)
	}
	if f.stored.Gaps.N > 0 {
		rows = append(rows, text.Fit(" "+th.Dim.Render(fmt.Sprintf(t.Histogram, f.stored.Gaps.N)), w, th.Signs.Ellipsis))
		rows = append(rows, widget.Histogram(screen.Bars(f.stored.bars[e.scale]), col, w, th)...)
	}
	return rows
}

// spreads draws the figures of many replies under a heading.
func (e *Engines) spreads(head string, m measured, w int) widget.Rows {
	th, t := e.env.Theme, e.env.Text
	note := fmt.Sprintf(t.Engines.Replies, m.Replies)
	if m.Recalled > 0 {
		note += ", " + fmt.Sprintf(t.Engines.Recalled, m.Recalled)
	}
	if m.Rate > 0 {
		note += "  " + fmt.Sprintf(t.Figure.Rate, m.Rate)
	}
	rows := widget.Rows{text.Fit(" "+th.Title.Render(head)+"  "+th.Dim.Render(note), w, th.Signs.Ellipsis)}
	if m.Cold.N == 0 || m.Reused.N == 0 { // all of one sort: the same as ttft
		m.Cold, m.Reused = latency.Spread{}, latency.Spread{}
	}
	for _, r := range []struct {
		name string
		of   latency.Spread
	}{
		{t.Figure.TTFT, m.TTFT}, {t.Engines.Cold, m.Cold}, {t.Engines.Cached, m.Reused}, {t.Figure.Gap, m.Gaps}, {t.Engines.Queue, m.Queue}, {t.Engines.Prefill, m.Prefill},
	} {
		if r.of.N > 0 && r.of.Max > 0 {
			rows = append(rows, widget.Pair(r.name+" "+t.Figure.MS, e.spread(r.of), col, w, th))
		}
	}
	return rows
}

// spread gives the percentiles that the count allows, the maximum and the count.
func (e *Engines) spread(s latency.Spread) string {
	f := e.env.Text.Figure
	part := func(name, value string) string {
		return name + " " + text.Fit(value, max(6, text.Width(value)), "") + " "
	}
	words := ""
	if s.P50 != nil {
		words += part(f.P50, screen.Millis(*s.P50))
	}
	if s.P95 != nil {
		words += part(f.P95, screen.Millis(*s.P95))
	}
	return words + part(f.Max, screen.Millis(s.Max)) + "n=" + strconv.Itoa(s.N)
}

// about draws what is known of the selected engine.
func (e *Engines) about(w int) widget.Rows {
	th, t, x := e.env.Theme, e.env.Text.Engines, e.selected()
	rows := append(widget.Rows{widget.Rule(t.Facts+" "+text.Line(x.Name), "", w, th)}, e.state(x, w)...)
	pair := func(name, value string) {
		if value != "" {
			rows = append(rows, widget.Pair(name, text.Line(value), col, w, th))
		}
	}
	speaks := make([]string, len(x.Languages))
	for i, code := range x.Languages {
		speaks[i] = e.env.Text.Language(code)
	}
	pair(t.Model, x.Model)
	pair(t.Speaks, strings.Join(speaks, ", "))
	if x.Toy {
		pair(t.ForUse, e.env.Text.Toy(x.Languages))
	}
	pair(t.File, strings.TrimSpace(size(x.Size)+" "+x.Precision))
	pair(t.Memory, e.memory(x))
	e.running(x, pair)
	pair(t.Licence, x.Licence)
	pair(t.Version, x.Version)
	pair(t.Origin, x.Origin)
	pair(t.Hash, x.Hash[:min(len(x.Hash), 16)])
	pair(t.Chosen, e.stock.Chosen)
	for i, c := range e.stock.Past[:min(len(e.stock.Past), 4)] {
		name := ""
		if i == 0 {
			name = t.Past
		}
		rows = append(rows, widget.Pair(name, e.moment(c.At)+" "+text.Line(c.Did), col, w, th))
	}
	return rows
}

// memory says what an engine needs, and what is free.
func (e *Engines) memory(x *Entry) string {
	t := e.env.Text.Engines
	var parts []string
	if x.Needs > 0 {
		parts = append(parts, fmt.Sprintf(t.Needs, size(x.Needs)))
	}
	if x.Needs > 0 && e.stock.Free > 0 {
		parts = append(parts, fmt.Sprintf(t.Free, size(e.stock.Free)))
	}
	if x.Note != "" {
		parts = append(parts, text.Line(x.Note))
	}
	return strings.Join(parts, ", ")
}

// running tells of the window and the runtime, of the one that serves as it is open.
func (e *Engines) running(x *Entry, pair func(name, value string)) {
	t, window, runtime := e.env.Text.Engines, x.Window, x.Runtime
	s := e.stock.Serving
	open := e.serves(x) && !s.Loading
	if open && s.Info.Context > 0 {
		window = s.Info.Context
	}
	if open && s.Info.Build.Runtime != "" {
		runtime = s.Info.Build.Runtime // with the layers that are on a card
	}
	if window > 0 {
		pair(t.Window, fmt.Sprintf(e.env.Text.Figure.Tokens, window))
	}
	pair(t.Runtime, runtime)
	if !open {
		return
	}
	if k := s.Info.Kept; k.Prompts > 0 {
		words := fmt.Sprintf(t.Prompts, k.Prompts)
		if k.Bytes > 0 {
			words += ", " + size(k.Bytes)
		}
		pair(t.Kept, words)
	}
	if s.Info.Note != "" {
		pair(t.Opened, s.Info.Note)
	}
	if s.Load > 0 {
		pair(t.Load, fmt.Sprintf("%.1f s", s.Load.Seconds()))
	}
	if s.Restarts > 0 {
		pair(t.Restarts, strconv.Itoa(s.Restarts))
	}
}
