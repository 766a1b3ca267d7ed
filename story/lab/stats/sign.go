package stats

import (
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Significant is the level under which a two-sided p value decides.
const Significant = 0.05

// Sign is the outcome of an exact sign test on decisive votes; ties are no part
// of it and are to be reported beside it.
type Sign struct {
	Wins   int     `json:"wins"`
	Losses int     `json:"losses"`
	P      float64 `json:"p"`     // two-sided, exact
	MidP   float64 `json:"mid_p"` // half of the weight of the outcome itself: less strict than exact
}

// SignTest asks whether wins and losses are those of a fair coin. P is twice the
// smaller tail of the binomial at ½, at most 1; MidP counts the outcome itself
// half (H. O. Lancaster, Significance tests in discrete distributions, JASA 56,
// 1961). Verdicts go by P.
func SignTest(wins, losses int) Sign {
	s := Sign{Wins: wins, Losses: losses, P: 1, MidP: 1}
	n, k := wins+losses, min(wins, losses)
	if n == 0 {
		return s
	}
	b := distuv.Binomial{N: float64(n), P: 0.5}
	s.P = min(1, 2*b.CDF(float64(k)))
	s.MidP = min(1, 2*b.CDF(float64(k))-b.Prob(float64(k)))
	return s
}

// Decided reports whether the test tells the sides apart.
func (s Sign) Decided() bool { return s.P <= Significant }

// WinsNeeded is the least number of wins among n decisive votes that decides; n+1
// if none does.
func WinsNeeded(n int) int {
	half := (n + 1) / 2
	return half + sort.Search(n+1-half, func(i int) bool { return SignTest(half+i, n-half-i).Decided() })
}
