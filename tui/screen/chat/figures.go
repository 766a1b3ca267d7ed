package chat

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/story"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// tally keeps the token gaps of this session for the histogram.
type tally struct {
	gaps    *latency.Histogram
	replies int
}

func (t *tally) add(r *story.Reply) {
	if r.Engine.Kind == engine.Recall {
		return // nothing was decoded
	}
	if t.gaps == nil {
		t.gaps = latency.NewHistogram()
	}
	t.replies++
	for _, g := range r.Timing().Gaps {
		t.gaps.Record(g)
	}
}

// bars is the histogram of the session in classes a reader thinks in.
func (t *tally) bars() []widget.Bar {
	if t.gaps == nil || t.gaps.N() == 0 {
		return nil
	}
	const ms = time.Millisecond
	var out []widget.Bar
	for _, b := range t.gaps.Bars(20*ms, 40*ms, 60*ms, 100*ms) {
		label := fmt.Sprintf("%d-%d", b.From/ms, b.To/ms)
		switch {
		case b.To == 0:
			label = fmt.Sprintf(">%d", b.From/ms)
		case b.From == 0:
			label = fmt.Sprintf("<%d", b.To/ms)
		}
		out = append(out, widget.Bar{Label: label, N: b.N})
	}
	return out
}

// ms gives milliseconds for people: no more digits than mean something.
func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	if v < 10 && v > 0 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// dur gives a time with its unit: seconds once milliseconds no longer help.
func dur(d time.Duration) string {
	if d >= 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return ms(d) + "ms"
}

func timing(r *story.Reply) latency.Timing {
	return latency.Measure(r.Engine.Kind, r.Prefill, r.Tokens, r.Stats)
}

// replyFigures lists the numbers below a reply, most important first.
func (c *Chat) replyFigures(r *story.Reply) []string {
	if r == nil || len(r.Tokens) == 0 {
		return nil
	}
	f, t := c.env.Text.Figure, timing(r)
	if t.Recalled {
		return []string{f.Recalled, f.TTFT + " " + dur(t.TTFT), text.Line(r.Engine.Name)}
	}
	var out []string
	if t.TTFT > 0 {
		out = append(out, f.TTFT+" "+dur(t.TTFT))
	}
	if r.Odds != nil {
		out = append([]string{c.odds(r.Odds)}, out...)
		return append(out, text.Line(r.Engine.Name), fmt.Sprintf(f.Prefill, t.Computed, t.Reused))
	}
	out = append(out, fmt.Sprintf(f.Tokens, t.Tokens))
	if t.Rate > 0 {
		out = append(out, fmt.Sprintf(f.Rate, t.Rate))
	}
	if t.Stall > 0 {
		out = append(out, f.MaxGap+" "+dur(t.Stall))
	}
	out = append(out, text.Line(r.Engine.Name))
	if t.Computed+t.Reused > 0 {
		out = append(out, fmt.Sprintf(f.Prefill, t.Computed, t.Reused))
	}
	return out
}

// strip is the row of figures above the composer: of the reply that streams,
// else of the last one.
func (c *Chat) strip(w int) string {
	th := c.env.Theme
	t, of, odds, ok := c.current()
	if !ok {
		return text.Spaces(w)
	}
	parts := c.stripParts(t, of.Context, odds)
	used := 1
	var b strings.Builder
	b.WriteByte(' ')
	for _, p := range parts {
		if n := text.Width(p); used+n+1 <= w {
			b.WriteString(th.Dim.Render(p) + "  ")
			used += n + 2
		}
	}
	if room := min(w-used-1, 60); room >= 6 && len(t.Gaps) > 0 {
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

// current gives the figures to show, and whose they are.
func (c *Chat) current() (latency.Timing, engine.Info, *engine.Odds, bool) {
	if n := len(c.live); n > 0 {
		s := c.live[n-1]
		var pre engine.Prefill
		if s.Prefill != nil {
			pre = *s.Prefill
		}
		t := latency.Measure(s.Engine.Kind, pre, s.Tokens, engine.Stats{Tokens: len(s.Tokens)})
		return t, s.Engine, s.Odds, len(s.Tokens) > 0
	}
	for i := len(c.path.steps) - 1; i >= 0; i-- {
		if r := c.path.steps[i].Alternative.Reply; r != nil && len(r.Tokens) > 0 {
			return timing(r), r.Engine, r.Odds, true
		}
	}
	return latency.Timing{}, engine.Info{}, nil, false
}

func (c *Chat) stripParts(t latency.Timing, window int, odds *engine.Odds) []string {
	f := c.env.Text.Figure
	parts := []string{f.TTFT + " " + dur(t.TTFT)}
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
	if used := t.Computed + t.Reused + t.Tokens; window > 0 && t.Computed+t.Reused > 0 {
		parts = append(parts, fmt.Sprintf(f.Context, kilo(used), kilo(window), used*100/window))
	}
	return parts
}

// spreadWords gives the percentiles that the count of gaps allows.
func spreadWords(gaps []time.Duration, c *Chat) string {
	if len(gaps) == 0 {
		return ""
	}
	f, s := c.env.Text.Figure, latency.SpreadOf(gaps)
	words := f.Gap
	if s.P50 != nil {
		words += " " + f.P50 + " " + ms(*s.P50)
	}
	if s.P95 != nil {
		words += " " + f.P95 + " " + ms(*s.P95)
	}
	return words + " " + f.Max + " " + dur(s.Max)
}

func kilo(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
}
