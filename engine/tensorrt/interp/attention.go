package interp

import (
	"fmt"
	"math"

	"fabula/engine/tensorrt/graph"
)

// attended is one attention: its operands and their sizes.
type attended struct {
	op              graph.Attention
	q, k, v         Array // [B,S,H,D]
	cacheK, cacheV  []float32
	heads, keyHeads int
	tokens, size    int
	span            int
	weights         []float32 // scratch: of one query
}

func attention(op graph.Attention, in []Array, out *Array) error {
	a := attended{
		op: op, q: in[0], k: in[1], v: in[2], cacheK: in[3].F, cacheV: in[4].F,
		heads: in[0].Dims[2], keyHeads: in[1].Dims[2], tokens: in[0].Dims[1], size: in[0].Dims[3], span: in[3].Dims[3],
	}
	for b, past := range in[5].I {
		if past < 0 || int(past) > a.span {
			return fmt.Errorf("%d tokens in a span of %d", past, a.span)
		}
		for s := range a.tokens {
			for h := range a.heads {
				at := ((b*a.tokens+s)*a.heads + h) * a.size
				a.query(b, s, h, int(past), out.F[at:at+a.size])
			}
		}
	}
	return nil
}

// query computes one head of one token.
func (a *attended) query(b, s, h, past int, out []float32) {
	at := ((b*a.tokens+s)*a.heads + h) * a.size
	q := a.q.F[at : at+a.size]
	keyHead := b*a.keyHeads + h/(a.heads/a.keyHeads) // among all heads of all sequences
	first := 0
	if a.op.Window > 0 {
		first = max(0, past+s+1-a.op.Window)
	}
	a.weights = a.weights[:0]
	for pos := first; pos <= past+s; pos++ {
		score := float32(0)
		for d, v := range q {
			score += v * a.key(b, keyHead, d, pos, past)
		}
		a.weights = append(a.weights, score*a.op.Scale)
	}
	softmax(a.weights)
	for d := range out {
		for i, w := range a.weights {
			out[d] += w * a.value(b, keyHead, d, first+i, past)
		}
	}
}

func (a *attended) key(b, keyHead, d, pos, past int) float32 {
	if pos < past {
		return a.cacheK[(keyHead*a.size+d)*a.span+pos]
	}
	return a.k.F[a.fresh(b, keyHead, d, pos-past)]
}

func (a *attended) value(b, keyHead, d, pos, past int) float32 {
	if pos < past {
		return a.cacheV[(keyHead*a.span+pos)*a.size+d]
	}
	return a.v.F[a.fresh(b, keyHead, d, pos-past)]
}

// fresh is the place of an element of new token s.
func (a *attended) fresh(b, keyHead, d, s int) int {
	return ((b*a.tokens+s)*a.keyHeads+keyHead%a.keyHeads)*a.size + d
}

func softmax(x []float32) {
	most, sum := x[0], float32(0)
	for _, v := range x {
		most = max(most, v)
	}
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - most)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}
