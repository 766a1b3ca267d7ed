package qa

import (
	"fmt"
	"strconv"
	"time"

	"fabula/engine/latency"
	"fabula/story"
)

// delays gathers the timing of replies. What was recalled without a model has
// no speed of one, and is not in the plots.
type delays struct {
	replies int
	first   []time.Duration
	labels  []string
	gaps    []time.Duration
}

func (d *delays) add(label string, r *story.Reply) {
	d.replies++
	t := r.Timing()
	if t.Recalled || r.TTFT <= 0 {
		return
	}
	d.first, d.labels = append(d.first, r.TTFT), append(d.labels, label)
	d.gaps = append(d.gaps, t.Gaps...)
}

// plotted is one picture with its table, in the units of the SVG.
type plotted struct {
	Title, Caption Said
	Bars           []bar
	Marks, Ends    []tick
	Head, Row      []string
}

type bar struct {
	X, Y, W, H, Label string
	Late              bool
}

type tick struct{ X, Y, Label string }

// The box of a plot.
const (
	left, right  = 56.0, 710.0
	top, bottom  = 14.0, 170.0
	widestBar    = 40.0
	mostFirstBar = 600 // replies drawn; the last ones of more
)

func (d *delays) plots() []plotted {
	var out []plotted
	if len(d.first) > 0 {
		out = append(out, d.firstTokens())
	}
	if len(d.gaps) > 0 {
		out = append(out, d.gapBars())
	}
	return out
}

func (d *delays) firstTokens() plotted {
	first, labels := d.first, d.labels
	if n := len(first); n > mostFirstBar {
		first, labels = first[n-mostFirstBar:], labels[n-mostFirstBar:]
	}
	spread := latency.SpreadOf(d.first)
	p := plotted{Title: words.First, Caption: words.FirstCaption, Marks: marks(story.Millis(spread.Max))}
	p.Head, p.Row = row(spread)
	heights := make([]float64, len(first))
	for i, t := range first {
		heights[i] = story.Millis(t)
		labels[i] = fmt.Sprintf("%s: %.0f ms", labels[i], heights[i])
	}
	p.draw(heights, labels)
	p.Ends = []tick{{X: num(left), Label: "1"}, {X: num(right), Label: strconv.Itoa(len(first))}}
	if spread.P95 != nil {
		for i, t := range first {
			p.Bars[i].Late = t > *spread.P95
		}
	}
	return p
}

// edges of the gap plot, in milliseconds.
var edges = []int{2, 5, 10, 20, 30, 50, 75, 100, 150, 250, 500, 1000}

func (d *delays) gapBars() plotted {
	h := latency.NewHistogram()
	for _, g := range d.gaps {
		h.Record(g)
	}
	at := make([]time.Duration, len(edges))
	for i, ms := range edges {
		at[i] = time.Duration(ms) * time.Millisecond
	}
	bars := h.Bars(at...)
	heights, labels := make([]float64, len(bars)), make([]string, len(bars))
	most := 0.0
	for i, b := range bars {
		heights[i] = float64(b.N)
		most = max(most, heights[i])
		labels[i] = fmt.Sprintf("%d–%d ms: %d", b.From.Milliseconds(), b.To.Milliseconds(), b.N)
		if b.To == 0 {
			labels[i] = fmt.Sprintf("≥ %d ms: %d", b.From.Milliseconds(), b.N)
		}
	}
	p := plotted{Title: words.Gaps, Caption: words.GapsCaption, Marks: marks(most)}
	p.Head, p.Row = row(latency.SpreadOf(d.gaps))
	p.draw(heights, labels)
	for i, b := range bars {
		p.Ends = append(p.Ends, tick{X: num(place(i, len(bars))), Label: strconv.FormatInt(b.From.Milliseconds(), 10)})
	}
	return p
}

// place is the middle of the i-th of n bars.
func place(i, n int) float64 { return left + (float64(i)+0.5)*(right-left)/float64(n) }

func (p *plotted) draw(heights []float64, labels []string) {
	most := 0.0
	for _, h := range heights {
		most = max(most, h)
	}
	width := min((right-left)/float64(len(heights))*0.8, widestBar)
	for i, h := range heights {
		tall := 0.0
		if most > 0 {
			tall = h / most * (bottom - top)
		}
		p.Bars = append(p.Bars, bar{X: num(place(i, len(heights)) - width/2), Y: num(bottom - tall), W: num(width), H: num(tall), Label: labels[i]})
	}
}

// marks label the height of a plot at half and whole.
func marks(most float64) []tick {
	return []tick{{Y: num(top), Label: fmt.Sprintf("%.0f", most)}, {Y: num((top + bottom) / 2), Label: fmt.Sprintf("%.0f", most/2)}}
}

func row(s latency.Spread) (head, cells []string) {
	head, cells = []string{"n"}, []string{strconv.Itoa(s.N)}
	for _, c := range []struct {
		name string
		at   *time.Duration
	}{{"p50", s.P50}, {"p95", s.P95}, {"p99", s.P99}, {"max", &s.Max}} {
		if c.at != nil {
			head, cells = append(head, c.name), append(cells, fmt.Sprintf("%.1f", story.Millis(*c.at)))
		}
	}
	return head, cells
}

func num(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
