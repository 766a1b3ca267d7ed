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
	// Ratio is the other's perplexity over the reference's, Error its standard
	// error by the differences of the same tokens.
	Ratio float64 `json:"ratio"`
	Error float64 `json:"ratio_error"`
	// Exact: both gave whole rows. Else the divergence is that of the named
	// tokens and the rest taken together, which is never more than the whole.
	Exact bool `json:"exact"`
}

// ErrTexts: the two did not score the same tokens.
var ErrTexts = errors.New("not the same tokens: a divergence needs one text and one vocabulary")

// ErrNumbers: an engine gave something that is no probability.
var ErrNumbers = errors.New("probabilities that are no numbers")

// Place is how far two readings of one token are apart, given the same text
// before it.
type Place struct {
	KL    float64 // KL(reference ‖ other), nats
	Exact bool    // of the whole rows; else of what both name and the rest as one
	Same  bool    // both like the same token best
	// LogA and LogB are the log-probabilities of the token that stands there, of the
	// reference and of the other.
	LogA, LogB float64
}

// Places compares two readings of one text token by token; both were scored with
// Rows, or with Top. Errors wrap ErrTexts where the tokens differ.
func Places(reference, other engine.Scored) ([]Place, error) {
	a, b := reference.Tokens, other.Tokens
	if len(a) != len(b) {
		return nil, fmt.Errorf("%w: %d tokens and %d", ErrTexts, len(a), len(b))
	}
	out := make([]Place, len(a))
	for k := range a {
		if a[k].ID != b[k].ID {
			return nil, fmt.Errorf("%w: token %d is %d and %d", ErrTexts, k, a[k].ID, b[k].ID)
		}
		p, err := At(a[k], b[k])
		if err != nil {
			return nil, fmt.Errorf("token %d: %w", k, err)
		}
		out[k] = p
	}
	return out, nil
}

// At compares two readings of one place, whatever token stands there. Errors wrap
// ErrNumbers where an engine gave NaN, or ruled out what the reference did not: no
// figure of such a place could be held against a limit.
func At(a, b engine.ScoredToken) (Place, error) {
	kl, exact, err := at(a, b)
	if err != nil {
		return Place{}, err
	}
	for _, x := range []float64{kl, a.Logprob, b.Logprob} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return Place{}, fmt.Errorf("%w: KL %v, log-probabilities %v and %v", ErrNumbers, kl, a.Logprob, b.Logprob)
		}
	}
	return Place{KL: kl, Exact: exact, Same: top(a) == top(b), LogA: a.Logprob, LogB: b.Logprob}, nil
}

// Compare takes two readings of the same texts, scored with Rows, or with Top.
func Compare(reference, other []engine.Scored) (Divergence, error) {
	if len(reference) != len(other) {
		return Divergence{}, fmt.Errorf("%w: %d texts and %d", ErrTexts, len(reference), len(other))
	}
	var all []Place
	for i := range reference {
		places, err := Places(reference[i], other[i])
		if err != nil {
			return Divergence{}, fmt.Errorf("text %d: %w", i, err)
		}
		all = append(all, places...)
	}
	return Pool(all), nil
}

// Pool makes one divergence of places. Without any all figures are 0.
func Pool(places []Place) Divergence {
	d := Divergence{Tokens: len(places), Exact: true}
	if d.Tokens == 0 {
		return d
	}
	n := float64(d.Tokens)
	kl := make([]float64, 0, len(places))
	same, square, log := 0, 0.0, 0.0
	for _, p := range places {
		d.Exact = d.Exact && p.Exact
		d.Mean += p.KL / n
		kl = append(kl, p.KL)
		if p.Same {
			same++
		}
		change := math.Exp(p.LogB) - math.Exp(p.LogA)
		d.Change += change / n
		square += change * change / n
		log += (p.LogA - p.LogB) / n
	}
	slices.Sort(kl)
	rank := func(q float64) float64 { return kl[max(int(math.Ceil(q*n))-1, 0)] }
	d.Median, d.P99, d.Max = rank(0.5), rank(0.99), kl[len(kl)-1]
	d.SameTop, d.RMS, d.Ratio = float64(same)/n, math.Sqrt(square), math.Exp(log)
	d.Error = d.Ratio * standardError(places, log)
	return d
}

// standardError is that of the mean of LogA − LogB. The two readings of a token
// rise and fall together, so it is far smaller than that of either perplexity.
func standardError(places []Place, mean float64) float64 {
	n := float64(len(places))
	if n < 2 {
		return 0
	}
	sum := 0.0
	for _, p := range places {
		d := p.LogA - p.LogB - mean
		sum += d * d
	}
	return math.Sqrt(sum / (n - 1) / n)
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
