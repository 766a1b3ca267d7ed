package bench

import (
	"math/rand/v2"
	"slices"
)

// FewestForRatio is how many replies of each engine an interval of a ratio
// needs.
const FewestForRatio = 30

const (
	resamples = 2000
	tail      = 0.025 // of resamples, outside a 95 % interval on either side
)

// Ratio compares two engines by the ratio of their medians. Low and High are
// the 95 % percentile interval of a bootstrap over replies (Efron, 1979); both
// are 0 where there are too few replies of one.
type Ratio struct {
	Of   float64 `json:"of"`
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
}

// Compare gives the ratio of the medians of two lists of figures. The same
// lists give the same interval.
func Compare(a, b []float64) Ratio {
	mb := median(b)
	if mb <= 0 || len(a) == 0 {
		return Ratio{}
	}
	r := Ratio{Of: median(a) / mb}
	if min(len(a), len(b)) < FewestForRatio {
		return r
	}
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(from, into []float64) float64 {
		for i := range into {
			into[i] = from[random.IntN(len(from))]
		}
		return median(into)
	}
	ratios := make([]float64, 0, resamples)
	ia, ib := make([]float64, len(a)), make([]float64, len(b))
	for range resamples {
		if m := draw(b, ib); m > 0 {
			ratios = append(ratios, draw(a, ia)/m)
		}
	}
	slices.Sort(ratios)
	if n := float64(len(ratios)); n > 0 {
		r.Low, r.High = ratios[int(tail*n)], ratios[int((1-tail)*n)]
	}
	return r
}
