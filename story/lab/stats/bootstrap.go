package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Pair is one measurement of both sides on the same prompt.
type Pair struct {
	Prompt string // pairs of one prompt are drawn together: they are no independent evidence
	A, B   float64
}

// Estimate is a figure with a 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Interval
	Prompts int `json:"prompts"` // that were drawn from: the n that counts
}

// Rounds of the bootstrap by default.
const Rounds = 2000

// Difference is the mean of B − A over all pairs.
func Difference(pairs []Pair, seed uint64) Estimate {
	return Bootstrap(pairs, Rounds, seed, func(s Sums) float64 { return (s.B - s.A) / s.N })
}

// Ratio is the sum of B over the sum of A: rates where pairs hold counts. It is
// NaN where A sums to nothing.
func Ratio(pairs []Pair, seed uint64) Estimate {
	return Bootstrap(pairs, Rounds, seed, func(s Sums) float64 { return s.B / s.A })
}

// Sums are what a statistic of the bootstrap is computed of.
type Sums struct{ N, A, B float64 }

// Bootstrap draws prompts with replacement, sums their pairs and takes the middle
// 95 % of the statistic's values (percentile interval: B. Efron, R. J. Tibshirani,
// An Introduction to the Bootstrap, 1993, 13.3). Prompts are drawn and not pairs,
// because replies to one prompt resemble each other. The same pairs, in any order
// of prompts, and seed give the same figures; rounds in which the statistic is no
// number are left out. Without pairs everything is NaN.
func Bootstrap(pairs []Pair, rounds int, seed uint64, statistic func(Sums) float64) Estimate {
	prompts, all := byPrompt(pairs)
	e := Estimate{math.NaN(), Interval{math.NaN(), math.NaN()}, len(prompts)}
	if len(prompts) == 0 {
		return e
	}
	e.Value = statistic(all)
	r := rand.New(rand.NewPCG(seed, uint64(len(prompts))))
	values := make([]float64, 0, rounds)
	for range rounds {
		var s Sums
		for range prompts {
			s.add(prompts[r.IntN(len(prompts))])
		}
		if v := statistic(s); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	e.Interval = middle(values)
	return e
}

// middle is the interval of the middle 95 % of values, which it sorts.
func middle(values []float64) Interval {
	slices.Sort(values)
	return Interval{quantile(values, 0.025), quantile(values, 0.975)}
}

func (s *Sums) add(o Sums) { s.N, s.A, s.B = s.N+o.N, s.A+o.A, s.B+o.B }

func byPrompt(pairs []Pair) (prompts []Sums, all Sums) {
	sums := map[string]Sums{}
	var names []string
	for _, p := range pairs {
		s, known := sums[p.Prompt]
		if !known {
			names = append(names, p.Prompt)
		}
		s.add(Sums{1, p.A, p.B})
		sums[p.Prompt] = s
	}
	slices.Sort(names)
	for _, n := range names {
		prompts = append(prompts, sums[n])
		all.add(sums[n])
	}
	return prompts, all
}

// quantile interpolates between the sorted values (type 7 of R. J. Hyndman and
// Y. Fan, Sample quantiles in statistical packages, Amer. Statist. 50, 1996); NaN
// of none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	lo := int(at)
	hi := min(lo+1, len(sorted)-1)
	if sorted[lo] == sorted[hi] { // infinities too
		return sorted[lo]
	}
	return sorted[lo] + (at-float64(lo))*(sorted[hi]-sorted[lo])
}

// ascending gives the indexes of values from the least to the greatest.
func ascending(values []float64) []int {
	at := make([]int, len(values))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	return at
}
