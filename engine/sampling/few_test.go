package sampling_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/engine/sampling"
)

// largest gives the n largest logits as a backend would, and the log of the sum.
func largest(logits []float32, n int) ([]int32, []float32, float64) {
	ids := make([]int32, len(logits))
	sum := 0.0
	for i, x := range logits {
		ids[i] = int32(i)
		sum += math.Exp(float64(x))
	}
	slices.SortStableFunc(ids, func(a, b int32) int {
		switch {
		case logits[a] > logits[b]:
			return -1
		case logits[a] < logits[b]:
			return 1
		}
		return 0
	})
	ids = ids[:min(n, len(ids))]
	out := make([]float32, len(ids))
	for i, id := range ids {
		out[i] = logits[id]
	}
	return ids, out, math.Log(sum)
}

// The largest logits alone give the same tokens, probabilities and alternatives
// as all of them: found by the sampler or by the backend.
func TestFewDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(400, 1200).Draw(t, "vocabulary")
		set := drawSampling(t, n)
		set.Bias = map[int32]float32{3: float32(math.Inf(-1)), int32(n - 1): -2, int32(n + 4): -1}
		seed := rapid.Uint64().Draw(t, "seed")
		all, scan, given := sampling.New(set, seed), sampling.New(set, seed), sampling.New(set, seed)
		everything := make([]bool, n) // a mask has the sampler look at all logits
		for i := range everything {
			everything[i] = true
		}
		all.Allow(everything)
		top := rapid.IntRange(0, 20).Draw(t, "top")
		for _, s := range []*sampling.Sampler{all, scan, given} {
			s.Report(top)
		}
		for step := range uint64(25) {
			logits := modelLike(n, seed+step)
			if step%3 == 0 { // equal logits, at the border too
				for i := range logits {
					logits[i] = float32(math.Round(float64(logits[i])))
				}
			}
			want, err := all.Choose(logits)
			if err != nil {
				t.Fatal(err)
			}
			wantLP, wantTop := all.Explain()
			got, err := scan.Choose(logits)
			if err != nil {
				t.Fatal(err)
			}
			lp, alternatives := scan.Explain()
			if got != want || lp != wantLP || !slices.Equal(alternatives, wantTop) {
				t.Fatalf("step %d: chose %d %v %v, want %d %v %v", step, got, lp, alternatives, want, wantLP, wantTop)
			}
			if needs := given.Needs(); needs > 0 {
				got, err = given.ChooseBest(largest(logits, needs))
			} else {
				got, err = given.Choose(logits)
			}
			if err != nil {
				t.Fatal(err)
			}
			lp, alternatives = given.Explain()
			if got != want || math.Abs(float64(lp-wantLP)) > 1e-4 || len(alternatives) != len(wantTop) {
				t.Fatalf("step %d of the best: chose %d %v, want %d %v", step, got, lp, want, wantLP)
			}
			for i := range alternatives {
				if alternatives[i].ID != wantTop[i].ID {
					t.Fatalf("step %d: alternatives %v, want %v", step, alternatives, wantTop)
				}
			}
			for _, s := range []*sampling.Sampler{all, scan, given} {
				s.Accept(want)
			}
		}
	})
}

// One bad logit anywhere among many is found.
func TestFewRefuseBadLogits(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		for _, at := range []int{0, 30, 41, 100, 997, 1000, 1002} {
			logits := modelLike(1003, 5)
			logits[at] = bad
			s := sampling.New(engine.Sampling{Temperature: 1, TopK: 40}, 1)
			if id, err := s.Choose(logits); !errors.Is(err, sampling.ErrLogits) || !strings.Contains(err.Error(), fmt.Sprint("token ", at, " ")) {
				t.Errorf("%v of token %d: chose %d, error %v", bad, at, id, err)
			}
		}
	}
}

func TestNeeds(t *testing.T) {
	inf := float32(math.Inf(-1))
	for _, tt := range []struct {
		name string
		set  engine.Sampling
		need int
	}{
		{"greedy", engine.Sampling{}, 1},
		{"greedy, two banned", engine.Sampling{Bias: map[int32]float32{1: inf, 2: inf}}, 3},
		{"top-k", engine.Sampling{Temperature: 1, TopK: 40}, 40},
		{"top-k, one said", engine.Sampling{Temperature: 1, TopK: 40, RepeatPenalty: 1.1}, 41},
		{"raised", engine.Sampling{TopK: 40, Bias: map[int32]float32{1: 2}}, 0},
		{"a penalty that raises", engine.Sampling{RepeatPenalty: 0.9}, 0},
		{"top-p alone", engine.Sampling{Temperature: 1, TopP: 0.9}, 0},
		{"temperature alone", engine.Sampling{Temperature: 1}, 0},
	} {
		s := sampling.New(tt.set, 1)
		s.Accept(5)
		s.Accept(5)
		if got := s.Needs(); got != tt.need {
			t.Errorf("%s: needs %d, want %d", tt.name, got, tt.need)
		}
	}
	s := sampling.New(engine.Sampling{}, 1)
	if s.Report(20); s.Needs() != 20 {
		t.Errorf("with 20 alternatives: needs %d", s.Needs())
	}
	if s.Allow([]bool{true}); s.Needs() != 0 {
		t.Errorf("under a mask: needs %d", s.Needs())
	}
}

func TestChooseBestRefuses(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		ids    []int32
		logits []float32
		sum    float64
		is     error
	}{
		{nil, nil, 0, sampling.ErrLogits},
		{[]int32{1}, []float32{1, 2}, 0, sampling.ErrLogits},
		{[]int32{1}, []float32{float32(nan)}, 0, sampling.ErrLogits},
		{[]int32{1}, []float32{1}, nan, sampling.ErrLogits},
		{[]int32{7}, []float32{1}, 1, sampling.ErrNoToken},
	} {
		s := sampling.New(engine.Sampling{Bias: map[int32]float32{7: float32(math.Inf(-1))}}, 1)
		if _, err := s.ChooseBest(tt.ids, tt.logits, tt.sum); !errors.Is(err, tt.is) {
			t.Errorf("%v %v %v: %v", tt.ids, tt.logits, tt.sum, err)
		}
	}
}

// BenchmarkChoose is what a reply waits for in each step, by vocabulary; the
// share of a step that it costs is this over the step's time.
func BenchmarkChoose(b *testing.B) {
	set := engine.Sampling{Temperature: 0.7, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.15, Bias: map[int32]float32{0: float32(math.Inf(-1))}}
	for _, vocab := range []int{49_152, 151_936} {
		logits := modelLike(vocab, 3)
		for _, all := range []bool{true, false} {
			b.Run(fmt.Sprint(vocab, map[bool]string{true: " all", false: " few"}[all]), func(b *testing.B) {
				s := sampling.New(set, 1)
				if all {
					mask := make([]bool, vocab)
					for i := range mask {
						mask[i] = true
					}
					s.Allow(mask)
				}
				for i := range int32(64) {
					s.Accept(i * 7)
				}
				for b.Loop() {
					if _, err := s.Choose(logits); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(fmt.Sprint(vocab, " best"), func(b *testing.B) {
			s := sampling.New(set, 1)
			for i := range int32(64) {
				s.Accept(i * 7)
			}
			ids, best, sum := largest(logits, s.Needs())
			for b.Loop() {
				if _, err := s.ChooseBest(ids, best, sum); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
