// Package stats holds the statistics of the quality lab: what can be said of
// shares, votes, paired measurements and agreement, and what cannot.
//
//	shares        Wilson                      votes   Sign, NonInferior, Remaining
//	measurements  Bootstrap                   three   BradleyTerry
//	agreement     Kappa, Alpha                many    Holm
//
// Everything is pure: slices in, numbers out; what is random takes its seed.
// Methods are named with their source; tests hold published figures and those of
// scipy, statsmodels and gonum. Non-goals: wording, drawing, reading votes.
package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fabula/personas/lint"
)

// Interval is a 95 % interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Holds reports whether x lies in it.
func (i Interval) Holds(x float64) bool { return x >= i.Low && x <= i.High }

// z95 is the normal quantile of a two-sided 95 % interval.
var z95 = distuv.UnitNormal.Quantile(0.975)

// Wilson is the interval of a share: lint.NewRate, which the rates of the rules
// about voice use too.
func Wilson(hits, n int) Interval {
	r := lint.NewRate(hits, n)
	return Interval{r.Low, r.High}
}

// Holm adjusts p values of several questions asked of the same votes so that the
// chance of any false alarm stays that of one: S. Holm, A simple sequentially
// rejective multiple test procedure, Scand. J. Statist. 6 (1979). The order of
// the answer is that of p.
func Holm(p []float64) []float64 {
	order := ascending(p)
	out := make([]float64, len(p))
	top := 0.0
	for i, at := range order {
		top = max(top, math.Min(1, float64(len(p)-i)*p[at]))
		out[at] = top
	}
	return out
}
