package widget

import (
	"strconv"
	"strings"

	"fabula/tui/style"
	"fabula/tui/text"
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

// Columns draws one column of h rows for each value, from the left; the highest
// value fills its column, and one that is not 0 shows at least a mark. The level of
// a column, 0 to 2, chooses its style: fast, normal, slow. There are at most w values.
func Columns(values []float64, level []int, w, h int, th *style.Theme) Rows {
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	parts := len(th.Signs.Spark) + 1 // of one cell
	styles := []style.Style{th.Accent, th.Dim, th.Warn}
	rows := make(Rows, h)
	for y := range rows {
		below := (h - 1 - y) * parts
		var b strings.Builder
		for from := 0; from < len(values); {
			to := from
			var run strings.Builder
			for ; to < len(values) && level[to] == level[from]; to++ {
				run.WriteString(cell(values[to], top, h*parts, below, parts, th))
			}
			b.WriteString(styles[min(max(level[from], 0), 2)].Render(run.String()))
			from = to
		}
		rows[y] = b.String() + text.Spaces(w-len(values))
	}
	return rows
}

// cell gives the sign of a column in the row that begins below parts up.
func cell(v, top float64, full, below, parts int, th *style.Theme) string {
	n := 0
	if top > 0 && v > 0 {
		n = max(int(v/top*float64(full)+0.5), 1)
	}
	switch n -= below; {
	case n <= 0:
		return " "
	case n >= parts:
		return th.Signs.Bar
	}
	return th.Signs.Spark[n-1]
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
