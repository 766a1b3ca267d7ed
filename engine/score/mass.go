package score

import (
	"math"

	"fabula/engine"
)

// Mass is the summed probability of a set of tokens at each place of a text:
// how near a model is to a word, before any luck of sampling. Of places without
// a row only the likeliest tokens count, so that the mass is a lower bound.
func Mass(s engine.Scored, set map[int32]bool) []float64 {
	out := make([]float64, len(s.Tokens))
	for i, t := range s.Tokens {
		if t.Row != nil {
			for id := range set {
				if id >= 0 && int(id) < len(t.Row) {
					out[i] += math.Exp(float64(t.Row[id]))
				}
			}
			continue
		}
		for _, o := range t.Top {
			if set[o.ID] {
				out[i] += math.Exp(float64(o.Logprob))
			}
		}
	}
	return out
}
