package lint

import "math"

// Rate is how often something was seen among n, with a 95 % interval.
type Rate struct {
	Hits int     `json:"hits"`
	N    int     `json:"n"`
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// z95 is the normal quantile of a two-sided 95 % interval.
const z95 = 1.959964

// NewRate gives the rate of hits among n with its Wilson interval: E. B.
// Wilson, Probable inference, JASA 22 (1927). Of n = 0 nothing is known, so the
// interval is 0 to 1.
func NewRate(hits, n int) Rate {
	if n <= 0 {
		return Rate{High: 1}
	}
	p, N := float64(hits)/float64(n), float64(n)
	mid := p + z95*z95/(2*N)
	half := z95 * math.Sqrt(p*(1-p)/N+z95*z95/(4*N*N))
	scale := 1 + z95*z95/N
	return Rate{hits, n, p, max(0, (mid-half)/scale), min(1, (mid+half)/scale)}
}
