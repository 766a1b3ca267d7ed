package sampling

import "math"

// exponential computes e^x for x ≤ 0 as 2^(n/1024) from a table, times 1+r for
// the remainder r of at most 1/2048 of an octave; relative error below 6e-8,
// the rounding of a float32. math.Exp is other code on each platform and rounds
// differently, which would let a seed give other tokens elsewhere. Products are
// converted where the language would otherwise let a compiler fuse them with
// the addition that follows.
type exponential struct{ table *[steps]uint64 } // bits of 2^(i/1024)

const (
	steps    = 1024
	stepBits = 10
	perNat   = steps / math.Ln2 // table steps in one nat
	lowest   = -700             // below this the result counts as 0
	// rounding, added to a number, leaves the nearest integer in its low bits.
	rounding = 0x1.8p52
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
	var t [steps]uint64
	for i := range t {
		v := 1.0
		for b, root := range roots {
			if i>>b&1 == 1 {
				v *= root
			}
		}
		t[i] = math.Float64bits(v)
	}
	return exponential{&t}
}

// of gives e^x for x ≤ 0.
func (e exponential) of(x float64) float64 {
	if !(x > lowest) {
		return 0
	}
	scaled := float64(x * perNat)
	shifted := scaled + rounding
	n := math.Float64bits(shifted)
	rest := float64((scaled - (shifted - rounding)) * (1 / perNat))
	return float64(math.Float64frombits(e.table[n%steps]+n>>stepBits<<52) * (1 + rest))
}

// sum adds e^(logit-peak) over all logits, in two interleaved halves so that
// the additions do not wait for each other. Most of a step is spent here.
func (e exponential) sum(logits []float32, peak float32) float64 {
	even, odd := 0.0, 0.0
	for len(logits) >= 2 {
		even += e.of(float64(logits[0] - peak))
		odd += e.of(float64(logits[1] - peak))
		logits = logits[2:]
	}
	if len(logits) == 1 {
		even += e.of(float64(logits[0] - peak))
	}
	return even + odd
}
