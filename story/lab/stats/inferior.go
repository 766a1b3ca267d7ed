package stats

import "gonum.org/v1/gonum/stat/distuv"

// Standing says how a new side stands to an old one, given a margin.
type Standing string

// The standings.
const (
	NotWorse Standing = "not_worse" // not worse than the margin allows
	Worse    Standing = "worse"     // worse than the margin allows
	Open     Standing = "open"      // not enough votes to say either
)

// Inferiority is the outcome of a non-inferiority test.
type Inferiority struct {
	Standing Standing `json:"standing"`
	Margin   float64  `json:"margin"`
	P        float64  `json:"p"`       // one-sided, that the new side is worse than the margin allows, and yet won so often
	PWorse   float64  `json:"p_worse"` // one-sided, that it is not, and yet lost so often
}

// Alpha1 is the one-sided level of NonInferior: that of the 155 votes which a
// margin of 10 points takes for 80 % power.
const Alpha1 = 0.05

// NonInferior asks whether the new side wins at least ½ − margin of the decisive
// votes: exact binomial tails at ½ − margin, one-sided at 5 % each way. S. Wellek,
// Testing Statistical Hypotheses of Equivalence and Noninferiority (2010), 4.2.
// "Open" is no verdict in favour of either.
func NonInferior(wins, losses int, margin float64) Inferiority {
	out := Inferiority{Standing: Open, Margin: margin, P: 1, PWorse: 1}
	n := wins + losses
	if n == 0 {
		return out
	}
	b := distuv.Binomial{N: float64(n), P: 0.5 - margin}
	out.PWorse = b.CDF(float64(wins))
	if wins > 0 {
		out.P = 1 - b.CDF(float64(wins-1))
	}
	switch {
	case out.P <= Alpha1:
		out.Standing = NotWorse
	case out.PWorse <= Alpha1:
		out.Standing = Worse
	}
	return out
}
