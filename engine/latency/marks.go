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
	median := nearest(slices.Sorted(slices.Values(gaps)), 50)
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
