package widget

import (
	"strings"

	"fabula/tui/style"
)

// Spark draws one mark per level, 0 the lowest of levels. A level beyond the
// highest mark draws as the highest.
func Spark(at []int, levels int, th *style.Theme) string {
	marks := th.Signs.Spark
	var b strings.Builder
	for _, n := range at {
		i := 0
		if levels > 1 {
			i = n * (len(marks) - 1) / (levels - 1)
		}
		b.WriteString(marks[min(max(i, 0), len(marks)-1)])
	}
	return b.String()
}

// Bar is one class of a histogram.
type Bar struct {
	Label string
	N     int
}

// Histogram draws the classes that are not empty on one row; the longest bar
// has size columns, none less than one.
func Histogram(bars []Bar, size int, th *style.Theme) string {
	top := 1
	for _, b := range bars {
		top = max(top, b.N)
	}
	var parts []string
	for _, b := range bars {
		if b.N > 0 {
			n := max(b.N*size/top, 1)
			parts = append(parts, th.Dim.Render(b.Label)+" "+th.Accent.Render(strings.Repeat(th.Signs.Bar, n)))
		}
	}
	return strings.Join(parts, "  ")
}
