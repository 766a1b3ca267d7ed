package widget

import (
	"strconv"
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

// Histogram draws a row for each class that is not empty: its label in a column
// of col, a bar, the count. The longest bar takes what the widest count leaves;
// none is shorter than one.
func Histogram(bars []Bar, col, w int, th *style.Theme) Rows {
	top := 1
	for _, b := range bars {
		top = max(top, b.N)
	}
	room := max(w-col-3-len(strconv.Itoa(top)), 1)
	var rows Rows
	for _, b := range bars {
		if b.N == 0 {
			continue
		}
		bar := strings.Repeat(th.Signs.Bar, max(b.N*room/top, 1))
		rows = append(rows, Pair(b.Label, th.Accent.Render(bar)+" "+th.Dim.Render(strconv.Itoa(b.N)), col, w, th))
	}
	return rows
}
