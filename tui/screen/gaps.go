package screen

import (
	"fmt"
	"strconv"
	"time"

	"fabula/engine/latency"
	"fabula/tui/widget"
)

// Bars words the classes of a histogram of durations, in milliseconds.
func Bars(bars []latency.Bar) []widget.Bar {
	const ms = time.Millisecond
	out := make([]widget.Bar, 0, len(bars))
	for _, b := range bars {
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

// Millis gives milliseconds for people: no more digits than mean something.
func Millis(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	if v < 10 && v > 0 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
