package score_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/score"
)

// model prefers a label by its place, whatever it stands for, and knows the
// answer a little: bias nats for the first label, sense for the option that
// holds "right".
type model struct {
	bias, sense float64
	asked       int
	err         error
}

func (m *model) Score(_ context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	m.asked++
	prompt := r.Messages[0].Parts[0]
	var out []engine.Scored
	for i, label := range r.Texts {
		p := -3.0
		if i == 0 {
			p += m.bias
		}
		if strings.Contains(prompt, label+": right") && strings.Contains(prompt, "matter") {
			p += m.sense
		}
		out = append(out, engine.Scored{Tokens: []engine.ScoredToken{{Text: label, Logprob: p}}, Computed: 4, Reused: 9})
	}
	return out, m.err
}

func question(options ...string) score.Question {
	return score.Question{Options: options, Ask: func(list string, neutral bool) []engine.Message {
		if !neutral {
			list += "matter"
		}
		return []engine.Message{{Role: engine.User, Parts: []string{list}}}
	}}
}

// Ensure that a liking for the first label decides nothing, since it is there
// without the matter too, and that the orders are averaged.
func TestChoose(t *testing.T) {
	m := &model{bias: 5, sense: 1}
	for at, options := range [][]string{{"right", "wrong", "none of these"}, {"wrong", "right", "none of these"}, {"wrong", "none of these", "right"}} {
		a, err := score.Choose(context.Background(), m, question(options...))
		if err != nil {
			t.Fatal(err)
		}
		want := math.E / (math.E + 2)
		if a.Best != at || math.Abs(a.P[at]-want) > 1e-9 || !a.Agree() || len(a.Orders) != 2 {
			t.Errorf("right at %d: %+v, want %.4f", at, a, want)
		}
		sum := 0.0
		for _, p := range a.Prior {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("the prior sums to %g", sum)
		}
	}
	if m.asked != 3*2*2 {
		t.Errorf("asked %d times, want twice an order", m.asked)
	}
	q := question("a", "b", "c", "d")
	q.Orders = 9
	if a, err := score.Choose(context.Background(), m, q); err != nil || len(a.Orders) != 4 {
		t.Errorf("%d orders of four options, %v", len(a.Orders), err)
	}
}

// Ensure that what is no choice is refused, and that a failing model is not an
// answer.
func TestChooseRefuses(t *testing.T) {
	if _, err := score.Choose(context.Background(), &model{}, question("alone")); !errors.Is(err, score.ErrOptions) {
		t.Errorf("one option: %v", err)
	}
	q := question("a", "b")
	q.Labels = []string{"A"}
	if _, err := score.Choose(context.Background(), &model{}, q); !errors.Is(err, score.ErrOptions) {
		t.Errorf("too few labels: %v", err)
	}
	broken := errors.New("broken")
	if _, err := score.Choose(context.Background(), &model{err: broken}, question("a", "b")); !errors.Is(err, broken) {
		t.Errorf("a failing model: %v", err)
	}
}

// read makes a scored text of rows of probabilities; the first token of each row
// is the true one.
func read(rows ...[]float64) engine.Scored {
	var s engine.Scored
	for _, row := range rows {
		t := engine.ScoredToken{ID: 0, Text: "ab", Logprob: math.Log(row[0])}
		for _, p := range row {
			t.Row = append(t.Row, float32(math.Log(p)))
		}
		s.Tokens = append(s.Tokens, t)
	}
	return s
}

// tops keeps only the n likeliest of each row.
func tops(s engine.Scored, n int) engine.Scored {
	out := engine.Scored{}
	for _, t := range s.Tokens {
		row := t.Row
		t.Row = nil
		used := map[int]bool{}
		for range n {
			best := -1
			for id, v := range row {
				if !used[id] && (best < 0 || v > row[best]) {
					best = id
				}
			}
			used[best] = true
			t.Top = append(t.Top, engine.TopToken{ID: int32(best), Logprob: row[best]})
		}
		out.Tokens = append(out.Tokens, t)
	}
	return out
}

// Ensure that perplexity is that of the definition, with its error.
func TestPerplexity(t *testing.T) {
	f := score.Perplexity(read([]float64{0.5, 0.5}, []float64{0.125, 0.875}), engine.Scored{})
	if f.Tokens != 2 || math.Abs(f.Perplexity-4) > 1e-9 || math.Abs(f.Bits-1) > 1e-9 || math.Abs(f.Error-math.Ln2) > 1e-9 {
		t.Errorf("got %+v, want a perplexity of 4, 1 bit a byte, an error of ln 2", f)
	}
	if f := score.Perplexity(); f != (score.Fit{}) {
		t.Errorf("of nothing: %+v", f)
	}
}

// Ensure that the divergence is that of the definition with whole rows, never
// more than that with the likeliest tokens only, and refuses other texts.
func TestCompare(t *testing.T) {
	a := read([]float64{0.5, 0.25, 0.25}, []float64{0.1, 0.8, 0.1}, []float64{1 - 2e-9, 1e-9, 1e-9})
	b := read([]float64{0.25, 0.5, 0.25}, []float64{0.1, 0.8, 0.1}, []float64{1 - 2e-9, 1e-9, 1e-9})
	want := 0.5*math.Log(2) + 0.25*math.Log(0.5)
	d, err := score.Compare([]engine.Scored{a}, []engine.Scored{b})
	if err != nil || !d.Exact || d.Tokens != 3 || math.Abs(d.Max-want) > 1e-6 || math.Abs(d.Mean-want/3) > 1e-6 || d.Median > 1e-6 {
		t.Errorf("got %+v, %v; want a largest of %g", d, err, want)
	}
	if math.Abs(d.SameTop-2.0/3) > 1e-9 || math.Abs(d.RMS-0.25/math.Sqrt(3)) > 1e-6 || math.Abs(d.Ratio-math.Cbrt(2)) > 1e-6 {
		t.Errorf("same top %g, RMS %g, ratio %g", d.SameTop, d.RMS, d.Ratio)
	}
	for n := 1; n <= 3; n++ {
		part, err := score.Compare([]engine.Scored{tops(a, n)}, []engine.Scored{tops(b, n)})
		if err != nil || part.Exact || part.Max > d.Max+1e-6 || n == 3 && math.Abs(part.Max-d.Max) > 1e-5 {
			t.Errorf("from the best %d: %+v, %v; whole %g", n, part, err, d.Max)
		}
	}
	if _, err := score.Compare([]engine.Scored{a}, []engine.Scored{read([]float64{1})}); !errors.Is(err, score.ErrTexts) {
		t.Errorf("another text: %v", err)
	}
	for name, other := range map[string]engine.Scored{"NaN": read([]float64{math.NaN(), math.NaN()}), "ruled out": read([]float64{0.5, 0})} {
		if _, err := score.Compare([]engine.Scored{read([]float64{0.5, 0.5})}, []engine.Scored{other}); !errors.Is(err, score.ErrNumbers) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bare := engine.Scored{Tokens: []engine.ScoredToken{{}}}
	if _, err := score.Compare([]engine.Scored{bare}, []engine.Scored{bare}); err == nil {
		t.Error("compared without rows and without likeliest tokens")
	}
}

// Ensure that the mass of a set is summed from rows, and from the likeliest
// tokens at least what they hold.
func TestMass(t *testing.T) {
	s := read([]float64{0.5, 0.3, 0.2})
	set := map[int32]bool{1: true, 2: true, 99: true}
	if got := score.Mass(s, set); math.Abs(got[0]-0.5) > 1e-6 {
		t.Errorf("of the row: %v", got)
	}
	if got := score.Mass(tops(s, 2), set); math.Abs(got[0]-0.3) > 1e-6 {
		t.Errorf("of the best two: %v", got)
	}
	if got := score.LogSumExp([]float32{1e4, 1e4}); math.Abs(got-1e4-math.Ln2) > 1e-3 {
		t.Errorf("of large values: %g", got)
	}
	if got := score.Softmax([]float64{1e4, 1e4, -1e4}); got[0] != 0.5 || got[2] != 0 {
		t.Errorf("softmax of large values: %v", got)
	}
}
