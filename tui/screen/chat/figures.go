package chat

import (
	"fmt"
	"strconv"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/story"
	"fabula/tui/screen"
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
	return screen.Bars(t.gaps.Bars(20*ms, 40*ms, 60*ms, 100*ms))
}

// ms gives milliseconds for people.
func ms(d time.Duration) string { return screen.Millis(d) }

// dur gives a time with its unit: seconds once milliseconds no longer help.
func dur(d time.Duration) string {
	if d >= 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return ms(d) + "ms"
}

// replyFigures lists the numbers below a reply, most important first.
func (c *Chat) replyFigures(r *story.Reply) []string {
	if r == nil || len(r.Tokens) == 0 {
		return nil
	}
	f, t := c.env.Text.Figure, r.Timing()
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
