package tensorrt

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/tensorrt/graph"
	"fabula/engine/worker"
)

// SelfTest is how a plan compared with the CPU engine on the same tokens, each
// model being given the true text so far (teacher-forced).
type SelfTest struct {
	Date      time.Time `json:"date"`
	Reference string    `json:"reference"` // what it was compared with
	Prefix    int       `json:"prefix"`    // tokens before the first position that was compared
	Positions int       `json:"positions"`
	Top1      float64   `json:"top1"`       // share of positions where both prefer the same token
	MeanKL    float64   `json:"mean_kl"`    // of the plan's distribution from the reference's, in nats
	KL99      float64   `json:"kl_99"`      // exceeded at one position of a hundred
	MaxLogit  float64   `json:"max_logit"`  // greatest difference of two logits
	Prefill   float64   `json:"prefill_kl"` // at the one position behind a prefix computed at once
	ForkKL    float64   `json:"fork_kl"`    // of a forked sequence, decoded in one batch with its origin or as a run of tokens, from the origin alone
	Passed    bool      `json:"passed"`
	Why       string    `json:"why,omitempty"`

	limits limits
}

// Limits of a plan that may be used, by what it was made of. The reference multiplies quantised weights by
// activations of eight bits, which the plan does not; what that alone does to
// SmolLM2-135M in Q4_1 is in MEASURED.md.
//
// Activations of eight bits are given more room: whether a character still speaks as
// before is for the drift gate to say, this only finds plans that are broken.
var (
	tolerance      = limits{0.95, 0.02}
	tolerance8bits = limits{0.90, 0.06}
)

type limits struct{ leastTop1, mostKL float64 }

func limitsOf(precision string) limits {
	if strings.HasPrefix(precision, "INT8") && precision != "INT8 "+string(graph.OfWeights) {
		return tolerance8bits
	}
	return tolerance
}

// Compare runs the test: the first prefix ids are given to both at once, each
// further one alone. The plan must have room for all ids.
func Compare(ctx context.Context, reference, plan worker.Backend, ids []int32, prefix int) (*SelfTest, error) {
	t := &SelfTest{Date: time.Now().UTC().Truncate(time.Second), Reference: reference.Facts().Precision + " on " + reference.Facts().Runtime, Prefix: prefix, Positions: len(ids) - prefix, limits: limitsOf(plan.Facts().Precision)}
	var kls []float64
	same := 0
	for at := prefix; at < len(ids); at++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := at
		if at == prefix {
			from = 0
		}
		want, err := decode(reference, from, ids[from:at+1])
		if err != nil {
			return nil, fmt.Errorf("self-test, CPU engine: %w", err)
		}
		want = slices.Clone(want)
		got, err := decode(plan, from, ids[from:at+1])
		if err != nil {
			return nil, fmt.Errorf("self-test: %w", err)
		}
		if i := slices.IndexFunc(got, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }); i >= 0 {
			return nil, fmt.Errorf("self-test: %w: logit %d at position %d is %v", engine.ErrIncompatible, i, at, got[i])
		}
		kls = append(kls, divergence(want, got))
		if best(want) == best(got) {
			same++
		}
		for i := range want {
			t.MaxLogit = max(t.MaxLogit, math.Abs(float64(want[i]-got[i])))
		}
	}
	t.judge(kls, same)
	return t, nil
}

func (t *SelfTest) judge(kls []float64, same int) {
	t.Prefill = kls[0]
	t.Top1 = float64(same) / float64(len(kls))
	for _, kl := range kls {
		t.MeanKL += kl / float64(len(kls))
	}
	slices.Sort(kls)
	t.KL99 = kls[min(len(kls)-1, len(kls)*99/100)]
	t.decide()
}

func (t *SelfTest) decide() {
	l := t.limits
	t.Passed = t.Top1 >= l.leastTop1 && t.MeanKL <= l.mostKL && t.ForkKL <= l.mostKL
	switch {
	case t.ForkKL > l.mostKL:
		t.Why = fmt.Sprintf("a forked sequence differs from its origin by a KL of %.4f (at most %.2f)", t.ForkKL, l.mostKL)
	case !t.Passed:
		t.Why = fmt.Sprintf("top-1 agreement %.3f (at least %.2f), mean KL %.4f (at most %.2f)", t.Top1, l.leastTop1, t.MeanKL, l.mostKL)
	}
}

// decode appends ids in chunks and gives the logits after the last.
func decode(b worker.Backend, at int, ids []int32) ([]float32, error) {
	chunk := max(b.Facts().Chunk, 1)
	for len(ids) > chunk {
		if _, err := b.Decode([]worker.Run{{At: at, IDs: ids[:chunk]}}); err != nil {
			return nil, err
		}
		at, ids = at+chunk, ids[chunk:]
	}
	scores, err := b.Decode([]worker.Run{{At: at, IDs: ids, Want: 1}})
	if err != nil {
		return nil, err
	}
	if len(scores) != 1 || scores[0].IDs != nil {
		return nil, fmt.Errorf("%d scores came where the whole vocabulary was asked for", len(scores))
	}
	return scores[0].Logits, nil
}

func best(logits []float32) int {
	top := 0
	for i, v := range logits {
		if v > logits[top] {
			top = i
		}
	}
	return top
}

// divergence is KL(want ‖ got) in nats.
func divergence(want, got []float32) float64 {
	p, q := normaliser(want), normaliser(got)
	kl := 0.0
	for i := range want {
		lp := float64(want[i]) - p
		kl += math.Exp(lp) * (lp - float64(got[i]) + q)
	}
	return kl
}

// normaliser is log Σ exp.
func normaliser(logits []float32) float64 {
	most, sum := float64(logits[best(logits)]), 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - most)
	}
	return most + math.Log(sum)
}
