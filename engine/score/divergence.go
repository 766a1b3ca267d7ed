package score

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fabula/engine"
)

// Divergence says how far an engine is from a reference over the same tokens.
type Divergence struct {
	Tokens int     `json:"tokens"`
	Mean   float64 `json:"mean"` // KL(reference ‖ other), nats a token
	Median float64 `json:"median"`
	P99    float64 `json:"p99"` // nearest rank
	Max    float64 `json:"max"`
	// SameTop is the share of places where both like the same token best.
	SameTop float64 `json:"same_top"`
	// Change is the mean of the change in the true token's probability, RMS its
	// root mean square.
	Change float64 `json:"change"`
	RMS    float64 `json:"rms"`
	// Ratio is the other's perplexity over the reference's.
	Ratio float64 `json:"ratio"`
	// Exact: both gave whole rows. Else the divergence is that of the named
	// tokens and the rest taken together, which is never more than the whole.
	Exact bool `json:"exact"`
}

// ErrTexts: the two did not score the same tokens.
var ErrTexts = errors.New("not the same tokens: a divergence needs one text and one vocabulary")

// Compare takes two readings of the same texts, scored with Rows, or with Top.
func Compare(reference, other []engine.Scored) (Divergence, error) {
	if len(reference) != len(other) {
		return Divergence{}, fmt.Errorf("%w: %d texts and %d", ErrTexts, len(reference), len(other))
	}
	d := Divergence{Exact: true}
	var kl []float64
	same, square, log := 0, 0.0, 0.0
	for i := range reference {
		a, b := reference[i].Tokens, other[i].Tokens
		if len(a) != len(b) {
			return Divergence{}, fmt.Errorf("%w: text %d has %d tokens and %d", ErrTexts, i, len(a), len(b))
		}
		for k := range a {
			if a[k].ID != b[k].ID {
				return Divergence{}, fmt.Errorf("%w: text %d, token %d is %d and %d", ErrTexts, i, k, a[k].ID, b[k].ID)
			}
			v, exact, err := at(a[k], b[k])
			if err != nil {
				return Divergence{}, fmt.Errorf("text %d, token %d: %w", i, k, err)
			}
			d.Exact = d.Exact && exact
			kl = append(kl, v)
			if top(a[k]) == top(b[k]) {
				same++
			}
			change := math.Exp(b[k].Logprob) - math.Exp(a[k].Logprob)
			d.Change += change
			square += change * change
			log += a[k].Logprob - b[k].Logprob
		}
	}
	d.sum(kl, same, square, log)
	return d, nil
}

func (d *Divergence) sum(kl []float64, same int, square, log float64) {
	d.Tokens = len(kl)
	if d.Tokens == 0 {
		return
	}
	n := float64(d.Tokens)
	for _, v := range kl {
		d.Mean += v / n
	}
	slices.Sort(kl)
	rank := func(q float64) float64 { return kl[max(int(math.Ceil(q*n))-1, 0)] }
	d.Median, d.P99, d.Max = rank(0.5), rank(0.99), kl[len(kl)-1]
	d.SameTop, d.Change, d.RMS = float64(same)/n, d.Change/n, math.Sqrt(square/n)
	d.Ratio = math.Exp(log / n)
}

// at is the divergence at one place.
func at(a, b engine.ScoredToken) (kl float64, exact bool, err error) {
	switch {
	case a.Row != nil && len(a.Row) == len(b.Row):
		return klOfRows(a.Row, b.Row), true, nil
	case len(a.Top) == 0 || len(b.Top) == 0:
		return 0, false, errors.New("neither rows nor likeliest tokens of both: score with Rows or Top")
	}
	return klOfTops(a, b), false, nil
}

func klOfRows(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		if p := math.Exp(float64(x)); p > 0 {
			sum += p * float64(x-b[i])
		}
	}
	return max(sum, 0)
}

// klOfTops compares the tokens that both name, the true one included, and
// everything else as one.
func klOfTops(a, b engine.ScoredToken) float64 {
	named := map[int32]float64{b.ID: b.Logprob}
	for _, t := range b.Top {
		named[t.ID] = float64(t.Logprob)
	}
	sum, restA, restB := 0.0, 1.0, 1.0
	seen := map[int32]bool{}
	add := func(id int32, x float64) {
		y, ok := named[id]
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		p := math.Exp(x)
		sum += p * (x - y)
		restA, restB = restA-p, restB-math.Exp(y)
	}
	add(a.ID, a.Logprob)
	for _, t := range a.Top {
		add(t.ID, float64(t.Logprob))
	}
	if restA > tiny {
		sum += restA * math.Log(restA/max(restB, tiny))
	}
	return max(sum, 0)
}

// tiny keeps what is left by rounding from counting as a rest.
const tiny = 1e-6

// top is the likeliest token, −1 where it is not known.
func top(t engine.ScoredToken) int32 {
	if len(t.Top) > 0 {
		return t.Top[0].ID
	}
	at, found := int32(-1), float32(math.Inf(-1))
	for i, v := range t.Row {
		if v > found {
			at, found = int32(i), v
		}
	}
	return at
}
