package widget

import (
	"slices"
	"strings"
	"time"

	"fabula/tui/style"
)

// Spark draws one mark per token gap, the newest n: low for a fast one, high
// for a slow one, on a scale from half to three times the median.
func Spark(gaps []time.Duration, n int, th *style.Theme) string {
	if n < 1 || len(gaps) == 0 {
		return ""
	}
	mid := float64(Median(gaps))
	if len(gaps) > n {
		gaps = gaps[len(gaps)-n:]
	}
	marks := th.Signs.Spark
	var b strings.Builder
	for _, g := range gaps {
		b.WriteString(marks[sparkLevel(float64(g), mid, len(marks))])
	}
	return b.String()
}

func sparkLevel(gap, mid float64, levels int) int {
	if mid <= 0 {
		return 0
	}
	x := (gap/mid - 0.5) / 2.5 * float64(levels)
	return min(max(int(x), 0), levels-1)
}

// Median gives the middle of ds, 0 of none.
func Median(ds []time.Duration) time.Duration { return Quantile(ds, 0.5) }

// Quantile gives the value at q of ds by the nearest rank, 0 of none.
func Quantile(ds []time.Duration, q float64) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(ds))
	return s[min(int(q*float64(len(s))), len(s)-1)]
}

// Bucket is one bar of a histogram.
type Bucket struct {
	Label string
	N     int
}

// Buckets counts gaps by the bounds a reader of latency thinks in.
func Buckets(gaps []time.Duration) []Bucket {
	bounds := []struct {
		label string
		below time.Duration
	}{{"<20", 20 * time.Millisecond}, {"20-40", 40 * time.Millisecond}, {"40-60", 60 * time.Millisecond},
		{"60-100", 100 * time.Millisecond}, {">100", 1 << 62}}
	out := make([]Bucket, len(bounds))
	for i, b := range bounds {
		out[i].Label = b.label
	}
	for _, g := range gaps {
		i := slices.IndexFunc(bounds, func(b struct {
			label string
			below time.Duration
		}) bool {
			return g < b.below
		})
		out[i].N++
	}
	return out
}

// Histogram draws the buckets of gaps on one row, the longest bar bar columns.
func Histogram(gaps []time.Duration, bar int, th *style.Theme) string {
	buckets := Buckets(gaps)
	top := 0
	for _, b := range buckets {
		top = max(top, b.N)
	}
	var parts []string
	for _, b := range buckets {
		if b.N == 0 {
			continue
		}
		n := max(b.N*bar/max(top, 1), 1)
		parts = append(parts, th.Dim.Render(b.Label)+" "+th.Accent.Render(strings.Repeat(th.Signs.Bar, n)))
	}
	return strings.Join(parts, "  ")
}
