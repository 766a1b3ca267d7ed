package score

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fabula/engine"
)

// Question is a choice among options, put to a model by labels: which label
// would it say next?
type Question struct {
	// Ask words the prompt around the list of labelled options. It is asked
	// twice for each order: with the matter in question, and with neutral set
	// without it, which shows how much the model likes each label anyway. Both
	// have to end where the label is to be said.
	Ask     func(list string, neutral bool) []engine.Message
	Options []string
	// Labels stand for the options, one each; nil = A, B, C … They should be
	// one token of one kind each: longer ones are compared by their mean.
	Labels []string
	// Orders in which the options are listed, so that no place wins by being
	// the first; 0 = 2, at most one per option.
	Orders   int
	Priority engine.Priority
}

// Answer is how a model chooses.
type Answer struct {
	P    []float64 // by option, sums to 1
	Best int       // index of the likeliest option
	// Orders holds the same for each order alone: where they disagree, the
	// place decides and not the matter.
	Orders [][]float64
	// Prior is the share of each option without the matter, by option, the mean
	// over the orders.
	Prior    []float64
	Computed int // tokens run through the model
	Reused   int // tokens found
}

// Agree reports whether every order gives the same best option.
func (a Answer) Agree() bool {
	for _, p := range a.Orders {
		if best(p) != a.Best {
			return false
		}
	}
	return true
}

// ErrOptions: a question needs two options at least, and a label for each.
var ErrOptions = errors.New("a choice needs two options at least, and as many labels")

// Choose has a model answer a question: the log-probability of each label, less
// that without the matter (contextual calibration, Zhao et al. 2021, arXiv
// 2102.09690), averaged over the orders.
func Choose(ctx context.Context, s engine.Scorer, q Question) (Answer, error) {
	labels := q.Labels
	if labels == nil {
		labels = letters(len(q.Options))
	}
	if len(q.Options) < 2 || len(labels) != len(q.Options) {
		return Answer{}, fmt.Errorf("%w: %d options, %d labels", ErrOptions, len(q.Options), len(labels))
	}
	n := len(q.Options)
	orders := min(max(q.Orders, 2), n)
	a := Answer{Prior: make([]float64, n)}
	sum := make([]float64, n)
	for k := range orders {
		shift := k * n / orders
		list := listing(q.Options, labels, shift)
		with, err := a.labels(ctx, s, q, list, labels, false)
		if err != nil {
			return a, err
		}
		without, err := a.labels(ctx, s, q, list, labels, true)
		if err != nil {
			return a, err
		}
		prior, logits := Softmax(without), make([]float64, n)
		for i := range labels {
			option := (i + shift) % n
			logits[option] = with[i] - without[i]
			sum[option] += logits[option] / float64(orders)
			a.Prior[option] += prior[i] / float64(orders)
		}
		a.Orders = append(a.Orders, Softmax(logits))
	}
	a.P = Softmax(sum)
	a.Best = best(a.P)
	return a, nil
}

// labels gives the mean log-probability a token of each label, by place.
func (a *Answer) labels(ctx context.Context, s engine.Scorer, q Question, list string, labels []string, neutral bool) ([]float64, error) {
	scored, err := s.Score(ctx, engine.ScoreRequest{Messages: q.Ask(list, neutral), Texts: labels, Priority: q.Priority})
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(labels))
	for i, x := range scored {
		if len(x.Tokens) == 0 {
			return nil, fmt.Errorf("%w: label %q is no token", ErrOptions, labels[i])
		}
		out[i] = x.Logprob() / float64(len(x.Tokens))
		a.Computed += x.Computed
		if i == 0 { // that the labels share the prompt is not counted
			a.Reused += x.Reused
		}
	}
	return out, nil
}

// listing writes one option a line behind the label of its place.
func listing(options, labels []string, shift int) string {
	var b strings.Builder
	for i, l := range labels {
		fmt.Fprintf(&b, "%s: %s\n", l, options[(i+shift)%len(options)])
	}
	return b.String()
}

func letters(n int) []string {
	out := make([]string, min(n, 26))
	for i := range out {
		out[i] = string(rune('A' + i))
	}
	return out
}

// best is the index of the largest value, the first of equals.
func best(values []float64) int {
	at := 0
	for i, v := range values {
		if v > values[at] {
			at = i
		}
	}
	return at
}
