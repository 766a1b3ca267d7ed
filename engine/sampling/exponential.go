package sampling

import "math"

// exponential computes e^x for x ≤ 0 from a table of 2^(i/1024) and a second
// order remainder; relative error below 1e-10. math.Exp is faster code on some
// platforms and rounds differently on each, which would let a seed give other
// tokens elsewhere. Products are converted where the language would otherwise
// let a compiler fuse them with the addition that follows.
type exponential struct{ table *[steps]float64 }

const (
	steps    = 1024
	stepBits = 10
	perNat   = steps / math.Ln2 // table steps in one nat
	lowest   = -700             // below this the result counts as 0
	rounding = 0x1.8p52         // adding and subtracting it rounds to an integer
)

// newExponential fills the table from square roots, which IEEE 754 rounds
// exactly, so that it is the same everywhere.
func newExponential() exponential {
	var roots [stepBits]float64 // roots[b] = 2^(2^b/1024)
	r := 2.0
	for b := stepBits - 1; b >= 0; b-- {
		r = math.Sqrt(r)
		roots[b] = r
	}
	var t [steps]float64
	for i := range t {
		v := 1.0
		for b, root := range roots {
			if i>>b&1 == 1 {
				v *= root
			}
		}
		t[i] = v
	}
	return exponential{&t}
}

// of gives e^x for x ≤ 0.
func (e exponential) of(x float64) float64 {
	if !(x > lowest) {
		return 0
	}
	scaled := float64(x * perNat)
	whole := float64(scaled+rounding) - rounding
	rest := float64((scaled - whole) * (1 / perNat))
	n := int64(whole)
	power := math.Float64frombits(uint64(n>>stepBits+1023) << 52)
	series := 1 + float64(rest*float64(1+float64(rest*0.5)))
	return float64(float64(e.table[n&(steps-1)]*power) * series)
}

// sum adds e^(logit-peak) over all logits, in two interleaved halves so that
// the additions do not wait for each other.
func (e exponential) sum(logits []float32, peak float32) float64 {
	even, odd := 0.0, 0.0
	i := 0
	for ; i+1 < len(logits); i += 2 {
		even += e.of(float64(logits[i] - peak))
		odd += e.of(float64(logits[i+1] - peak))
	}
	if i < len(logits) {
		even += e.of(float64(logits[i] - peak))
	}
	return even + odd
}
