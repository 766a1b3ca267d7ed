package latency

import (
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The range of a histogram: a microsecond to an hour, three digits.
const (
	lowest  = int64(time.Microsecond)
	highest = int64(time.Hour)
	digits  = 3
)

// Fewest samples for a 95 % upper bound on a percentile: the smallest n with
// pⁿ ≤ 0.05. Below, a percentile is a guess and is not given.
const (
	FewestP50 = 5
	FewestP95 = 59
	FewestP99 = 299
)

// Histogram counts durations with three significant digits. Histograms merge;
// percentiles never do. It is not safe for concurrent use.
type Histogram struct {
	counts *hdrhistogram.Histogram
	max    time.Duration // exact
}

// NewHistogram makes an empty one.
func NewHistogram() *Histogram {
	return &Histogram{counts: hdrhistogram.New(lowest, highest, digits)}
}

// Record counts d; below 0 counts as 0, above an hour as an hour.
func (h *Histogram) Record(d time.Duration) {
	d = max(d, 0)
	h.max = max(h.max, d)
	// The value is inside the range, so recording it cannot fail.
	_ = h.counts.RecordValue(min(int64(d), highest))
}

// Merge adds what other counted.
func (h *Histogram) Merge(other *Histogram) {
	h.counts.Merge(other.counts)
	h.max = max(h.max, other.max)
}

// N is how many durations were counted.
func (h *Histogram) N() int { return int(h.counts.TotalCount()) }

// Max is the longest duration, exactly.
func (h *Histogram) Max() time.Duration { return h.max }

// At gives the nearest-rank percentile p in (0, 100], whatever the count: the
// smallest duration that at least p % of all do not exceed.
func (h *Histogram) At(p float64) time.Duration {
	if h.N() == 0 {
		return 0
	}
	// The library rounds the rank to the nearest; asking for the percentile
	// of a whole rank gives that rank.
	rank := math.Ceil(p * float64(h.N()) / 100)
	return min(time.Duration(h.counts.ValueAtPercentile(100*rank/float64(h.N()))), h.max)
}

// Bar is the count of durations in [From, To).
type Bar struct {
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"` // 0 in the last bar: open
	N    int           `json:"n"`
}

// Bars counts between edges, which ascend; the last bar is open. A duration
// that is an edge to three digits counts as the edge.
func (h *Histogram) Bars(edges ...time.Duration) []Bar {
	bars := make([]Bar, 0, len(edges)+1)
	var from time.Duration
	for _, to := range append(edges, 0) {
		bars = append(bars, Bar{From: from, To: to})
		from = to
	}
	for _, b := range h.counts.Distribution() {
		if b.Count == 0 {
			continue
		}
		i := 0
		for i < len(edges) && b.To >= int64(edges[i]) { // b.To: the largest that counts alike
			i++
		}
		bars[i].N += int(b.Count)
	}
	return bars
}

// Spread says how durations are spread. A nil percentile means that there are
// too few samples for it: show Max.
type Spread struct {
	N   int            `json:"n"`
	P50 *time.Duration `json:"p50,omitempty"`
	P95 *time.Duration `json:"p95,omitempty"`
	P99 *time.Duration `json:"p99,omitempty"`
	Max time.Duration  `json:"max"`
}

// Spread gives the percentiles that the count allows.
func (h *Histogram) Spread() Spread {
	return spread(h.N(), h.max, h.At)
}

// SpreadOf gives the spread of a few durations, such as one reply's gaps,
// exactly and without a histogram's memory: a screen asks at every look.
func SpreadOf(ds []time.Duration) Spread {
	sorted := slices.Sorted(slices.Values(ds))
	var longest time.Duration
	if n := len(sorted); n > 0 {
		longest = sorted[n-1]
	}
	return spread(len(sorted), longest, func(p float64) time.Duration { return nearest(sorted, p) })
}

// spread asks for the percentiles that the count allows.
func spread(n int, longest time.Duration, at func(p float64) time.Duration) Spread {
	s := Spread{N: n, Max: longest}
	for _, p := range []struct {
		into   **time.Duration
		at     float64
		fewest int
	}{{&s.P50, 50, FewestP50}, {&s.P95, 95, FewestP95}, {&s.P99, 99, FewestP99}} {
		if n >= p.fewest {
			d := at(p.at)
			*p.into = &d
		}
	}
	return s
}

// nearest is the nearest-rank percentile p in (0, 100] of at least one
// duration, in order.
func nearest(sorted []time.Duration, p float64) time.Duration {
	rank := int(math.Ceil(p * float64(len(sorted)) / 100))
	return sorted[max(rank, 1)-1]
}
