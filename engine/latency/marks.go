package latency

import (
	"slices"
	"time"
)

// Mark is how one token's gap compares with its reply's median.
type Mark int

// A strip shows one mark a token.
const (
	Fast   Mark = iota // at most the median
	Normal             // at most twice the median
	Slow               // a stall
)

// Marks gives a mark for each of the last n gaps (all of them for n ≤ 0),
// compared with the median of all gaps.
func Marks(gaps []time.Duration, n int) []Mark {
	if len(gaps) == 0 {
		return nil
	}
	median := nearest(gaps, 50)
	if n > 0 && len(gaps) > n {
		gaps = gaps[len(gaps)-n:]
	}
	marks := make([]Mark, len(gaps))
	for i, g := range gaps {
		marks[i] = mark(g, median)
	}
	return marks
}

func mark(gap, median time.Duration) Mark {
	switch {
	case gap <= median:
		return Fast
	case gap <= 2*median:
		return Normal
	}
	return Slow
}

// nearest is the exact nearest-rank percentile of at least one duration.
func nearest(ds []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(ds))
	rank := (len(sorted)*p + 99) / 100
	return sorted[max(rank, 1)-1]
}

// Levels scales the last width gaps to 0 … top for a sparkline; the longest
// of them is top.
func Levels(gaps []time.Duration, width, top int) []int {
	if len(gaps) > width {
		gaps = gaps[len(gaps)-max(width, 0):]
	}
	if len(gaps) == 0 {
		return nil
	}
	levels := make([]int, len(gaps))
	longest := slices.Max(gaps)
	if longest <= 0 {
		return levels
	}
	for i, g := range gaps {
		levels[i] = int((int64(g)*int64(top) + int64(longest)/2) / int64(longest))
	}
	return levels
}
