package stats

import (
	"math"
	"math/rand/v2"
)

// Scale says how far two ratings are from each other.
type Scale string

// The scales of Alpha.
const (
	Nominal Scale = "nominal" // same or not
	Ordinal Scale = "ordinal" // by how many ratings lie between
)

// Missing stands for a rating that was not given.
const Missing = -1

// Alpha is Krippendorff's α over units, each with the rating of every rater: an
// index of the scale from 0 on, or Missing. α is 1 where all agree and about 0
// where ratings are drawn by lot: K. Krippendorff, Computing Krippendorff's
// alpha-reliability (2011). Units with fewer than two ratings say nothing. The
// interval is that of a bootstrap over units, seeded. α is NaN if nothing can be
// compared or all ratings are one and the same: there is no disagreement to expect.
func Alpha(units [][]int, scale Scale, seed uint64) Agreement {
	var paired [][]float64
	top := 0
	for _, u := range units {
		for _, v := range u {
			top = max(top, v)
		}
	}
	for _, u := range units {
		if c := counts(u, top+1); sum(c) >= 2 {
			paired = append(paired, c)
		}
	}
	a := Agreement{alpha(paired, scale), Interval{math.NaN(), math.NaN()}, len(paired)}
	if math.IsNaN(a.Value) {
		return a
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(paired))))
	values := make([]float64, 0, Rounds)
	drawn := make([][]float64, len(paired))
	for range Rounds {
		for i := range drawn {
			drawn[i] = paired[r.IntN(len(paired))]
		}
		if v := alpha(drawn, scale); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	a.Interval = middle(values)
	return a
}

// counts says how often each value was given to a unit.
func counts(unit []int, values int) []float64 {
	c := make([]float64, values)
	for _, v := range unit {
		if v != Missing {
			c[v]++
		}
	}
	return c
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// alpha is 1 − observed ÷ expected disagreement of units given as counts.
func alpha(units [][]float64, scale Scale) float64 {
	if len(units) == 0 {
		return math.NaN()
	}
	k := len(units[0])
	totals := make([]float64, k)
	for _, u := range units {
		for v, n := range u {
			totals[v] += n
		}
	}
	n := sum(totals)
	var observed, expected float64
	for c := range k {
		for d := range c {
			far := distance(totals, d, c, scale)
			for _, u := range units {
				observed += u[c] * u[d] * far / (sum(u) - 1)
			}
			expected += totals[c] * totals[d] * far / (n - 1)
		}
	}
	if expected == 0 {
		return math.NaN()
	}
	return 1 - observed/expected
}

// distance is δ² of two values, c < d.
func distance(totals []float64, c, d int, scale Scale) float64 {
	if scale == Nominal {
		return 1
	}
	between := sum(totals[c:d+1]) - (totals[c]+totals[d])/2
	return between * between
}
