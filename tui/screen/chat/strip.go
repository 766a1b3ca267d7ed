package chat

import (
	"fmt"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// tallFrom is the height of the screen from which the gaps are drawn as a chart
// and a histogram; chartRows is how high these are.
const (
	tallFrom  = 48 // of a window of 50 rows
	chartRows = 5
)

// stripHeight is the rows of the figures above the composer.
func (c *Chat) stripHeight() int {
	if c.h < tallFrom {
		return 1
	}
	return 2 + chartRows
}

// strip draws the figures of the reply that streams, else of the last one.
func (c *Chat) strip(w int) widget.Rows {
	t, of, odds, ok := c.current()
	if c.h < tallFrom {
		return widget.Rows{c.figureRow(w, t, of, odds, ok, true)}
	}
	th, words := c.env.Theme, c.env.Text.Talk
	right := min(max(w/3, 30), 60)
	left := w - right - 1
	rows := widget.Rows{c.figureRow(w, t, of, odds, ok, false)}
	n := 0
	if c.sess.gaps != nil {
		n = c.sess.gaps.N()
	}
	rows = append(rows, widget.Rule(words.Latency, "", left, th)+th.Rule.Render(th.Signs.TeeT)+widget.Rule(fmt.Sprintf(words.GapsOf, n), "", right, th))
	bars := c.sess.bars()
	if bars == nil {
		bars = []widget.Bar{}
	}
	return append(rows, widget.Beside(c.chart(t.Gaps, left), widget.Histogram(bars, 8, right, th).Fit(right, chartRows), th.Rule.Render(th.Signs.V))...)
}

// chart draws a column for each of the last gaps, with the longest at the axis.
func (c *Chat) chart(gaps []time.Duration, w int) widget.Rows {
	const axis = 8
	th := c.env.Theme
	if len(gaps) == 0 {
		return widget.Rows{text.Fit(" "+th.Dim.Render(c.env.Text.Talk.NoGaps), w, "")}.Fit(w, chartRows)
	}
	n := min(len(gaps), w-axis-2)
	shownGaps := gaps[len(gaps)-n:]
	var top time.Duration
	values := make([]float64, n)
	for i, g := range shownGaps {
		top = max(top, g)
		values[i] = float64(g)
	}
	levels := make([]int, n)
	for i, m := range latency.Marks(gaps, n) {
		levels[i] = int(m)
	}
	rows := widget.Columns(values, levels, w-axis-2, chartRows, th) // the axis takes the rest
	for i := range rows {
		label := ""
		switch i {
		case 0:
			label = ms(top)
		case chartRows - 1:
			label = "0"
		}
		rows[i] = " " + th.Dim.Render(text.Spaces(axis-2-text.Width(label))+label) + th.Rule.Render(th.Signs.V) + " " + rows[i] + " "
	}
	return rows
}

// figureRow draws the figures in one row, the most important first as far as
// there is room, then a mark for each of the last tokens.
func (c *Chat) figureRow(w int, t latency.Timing, of engine.Info, odds *engine.Odds, ok, marked bool) string {
	th := c.env.Theme
	parts := c.waitingParts()
	if ok {
		parts = c.stripParts(t, of, odds)
	}
	used := 1
	var b strings.Builder
	b.WriteByte(' ')
	for _, p := range parts {
		if n := text.Width(p); used+n+1 <= w {
			b.WriteString(th.Dim.Render(p) + "  ")
			used += n + 2
		}
	}
	if room := min(w-used-1, 60); marked && room >= 6 && len(t.Gaps) > 0 {
		b.WriteString(th.Accent.Render(marks(t.Gaps, room, c)))
	}
	return text.Fit(b.String(), w, "")
}

func marks(gaps []time.Duration, n int, c *Chat) string {
	all := latency.Marks(gaps, n)
	levels := make([]int, len(all))
	for i, m := range all {
		levels[i] = int(m)
	}
	return widget.Spark(levels, int(latency.Slow)+1, c.env.Theme)
}

// waitingParts says how far a reply is that has no token yet.
func (c *Chat) waitingParts() []string {
	n := len(c.live)
	if n == 0 || c.live[n-1].Prefill == nil {
		return nil
	}
	p := c.live[n-1].Prefill
	return []string{fmt.Sprintf(c.env.Text.Figure.Prefill, p.Computed, p.Reused)}
}

// current gives the figures to show, and whose they are.
func (c *Chat) current() (latency.Timing, engine.Info, *engine.Odds, bool) {
	if n := len(c.live); n > 0 {
		s := c.live[n-1]
		var pre engine.Prefill
		if s.Prefill != nil {
			pre = *s.Prefill
		}
		t := latency.Measure(s.Engine.Kind, pre, s.Tokens, engine.Stats{Tokens: len(s.Tokens), Prefill: pre.At})
		return t, s.Engine, s.Odds, len(s.Tokens) > 0
	}
	for i := len(c.path.steps) - 1; i >= 0; i-- {
		if r := c.path.steps[i].Alternative.Reply; r != nil && len(r.Tokens) > 0 {
			return r.Timing(), r.Engine, r.Odds, true
		}
	}
	return latency.Timing{}, engine.Info{}, nil, false
}

// stripParts lists the figures, the most important first.
func (c *Chat) stripParts(t latency.Timing, of engine.Info, odds *engine.Odds) []string {
	f := c.env.Text.Figure
	var parts []string
	if t.TTFT > 0 { // else nothing was decoded: the tokens were given
		parts = append(parts, f.TTFT+" "+dur(t.TTFT))
	}
	switch {
	case t.Recalled:
		return append(parts, f.Recalled)
	case odds != nil:
		return append(parts, c.odds(odds))
	}
	if t.Rate > 0 {
		parts = append(parts, fmt.Sprintf(f.Rate, t.Rate))
	}
	if g := spreadWords(t.Gaps, c); g != "" {
		parts = append(parts, g)
	}
	prompt := t.Computed + t.Reused
	if used := prompt + t.Tokens; of.Context > 0 && prompt > 0 {
		parts = append(parts, fmt.Sprintf(f.Context, kilo(used), kilo(of.Context), used*100/of.Context))
	}
	return append(parts, c.startParts(t, of)...)
}

// coldBelow: a prompt of which no more than one token in so many was found in the
// cache began cold; the first few are the same in every prompt.
const coldBelow = 20

// startParts says what the first token waited for: cold or cached, the queue,
// reading against speaking, and who answered.
func (c *Chat) startParts(t latency.Timing, of engine.Info) []string {
	words := c.env.Text.Talk
	var parts []string
	switch prompt := t.Computed + t.Reused; {
	case t.Reused*coldBelow > prompt:
		parts = append(parts, fmt.Sprintf(words.Cached, t.Reused, t.Reused*100/prompt))
	case t.Computed > 0:
		parts = append(parts, fmt.Sprintf(words.Cold, t.Computed))
	}
	if c.w < besideFrom {
		return parts
	}
	if t.Prefill > 0 && t.Decode > 0 {
		parts = append(parts, fmt.Sprintf(words.PrefillDecode, dur(t.Prefill), dur(t.Decode)))
	}
	if t.Queue+t.Held >= noticed {
		parts = append(parts, fmt.Sprintf(words.Queue, dur(t.Queue+t.Held)))
	}
	return append(parts, text.Line(of.Name))
}
