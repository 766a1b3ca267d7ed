package sampling_test

import (
	"math"
	"slices"
	"testing"

	"fabula/engine"
	"fabula/engine/sampling"
)

// Choose and Explain together are Next, even when the logits are overwritten
// and the token is accepted in between.
func TestChooseAndExplainAreNext(t *testing.T) {
	for _, set := range []engine.Sampling{
		{}, {Temperature: 1, TopP: 0.9}, {Temperature: 0.7, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.15},
	} {
		whole, halves := sampling.New(set, 5), sampling.New(set, 5)
		whole.Report(4)
		halves.Report(4)
		for step := range uint64(12) {
			logits := modelLike(3000, step/3)
			id, lp, top, err := whole.Next(logits)
			if err != nil {
				t.Fatal(err)
			}
			whole.Accept(id)
			got, err := halves.Choose(logits)
			if err != nil {
				t.Fatal(err)
			}
			halves.Accept(got)
			for i := range logits {
				logits[i] = float32(math.NaN())
			}
			if l, a := halves.Explain(); got != id || l != lp || !slices.Equal(a, top) {
				t.Fatalf("%+v, step %d: token %d %v %v, Next gives %d %v %v", set, step, got, l, a, id, lp, top)
			}
		}
	}
}

func TestExplainNothing(t *testing.T) {
	s := sampling.New(engine.Sampling{}, 1)
	s.Report(3)
	if lp, top := s.Explain(); lp != 0 || top != nil {
		t.Errorf("before any choice: %v %v", lp, top)
	}
	if _, err := s.Choose([]float32{1, 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Choose(nil); err == nil {
		t.Fatal("no logits pass")
	}
	if lp, top := s.Explain(); lp != 0 || top != nil {
		t.Errorf("after a choice that failed: %v %v", lp, top)
	}
}
