package stats

import (
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// VotesFor is the number of decisive votes with which the sign test finds a true
// share of wins with the given power. The power of an exact test rises in
// sawteeth; the answer is the least number from which ten further ones hold too.
// It is -1 beyond Far.
func VotesFor(share, power float64) int {
	return enough(func(n int) bool {
		w := WinsNeeded(n)
		return atLeast(n, w, share)+atLeast(n, w, 1-share) >= power
	})
}

// VotesForMargin is the same for NonInferior where both sides are truly equal.
func VotesForMargin(margin, power float64) int {
	return enough(func(n int) bool {
		w := sort.Search(n+1, func(w int) bool { return NonInferior(w, n-w, margin).Standing == NotWorse })
		return atLeast(n, w, 0.5) >= power
	})
}

func enough(holds func(n int) bool) int {
	const tooth = 10
	run := 0
	for n := 1; n <= Far; n++ {
		if !holds(n) {
			run = 0
		} else if run++; run > tooth {
			return n - tooth
		}
	}
	return -1
}

// atLeast is the chance of w or more wins among n.
func atLeast(n, w int, share float64) float64 {
	switch {
	case w <= 0:
		return 1
	case w > n:
		return 0
	}
	return 1 - distuv.Binomial{N: float64(n), P: share}.CDF(float64(w-1))
}
