package sampling_test

import (
	"math"
	"math/rand/v2"
	"sort"

	"fabula/engine"
)

// reference is the package comment written down in the plainest way: full sort,
// math.Exp, no reuse. It returns the ids that may be drawn and their
// probabilities, by id.
func reference(logits []float32, s engine.Sampling, accepted []int32, mask []bool) map[int32]float64 {
	work := adjusted(logits, s, accepted, mask)
	ids := ranked(work)
	if len(ids) == 0 {
		return nil
	}
	if s.Temperature == 0 {
		return map[int32]float64{ids[0]: 1}
	}
	if s.TopK > 0 && s.TopK < len(ids) {
		ids = ids[:s.TopK]
	}
	if s.TopP > 0 && s.TopP < 1 {
		ids = nucleus(work, ids, s.TopP)
	}
	kept := ids[:1]
	for _, id := range ids[1:] {
		if work[id] == work[ids[0]] || math.Exp(work[id]-work[ids[0]]) >= s.MinP {
			kept = append(kept, id)
		}
	}
	return softmax(work, kept, s.Temperature)
}

func adjusted(logits []float32, s engine.Sampling, accepted []int32, mask []bool) []float64 {
	work := make([]float64, len(logits))
	for i, x := range logits {
		work[i] = float64(x)
	}
	window := s.RepeatWindow
	if window == 0 {
		window = 64
	}
	seen := map[int32]bool{}
	for _, id := range accepted[max(0, len(accepted)-window):] {
		seen[id] = true
	}
	for id := range seen {
		if s.RepeatPenalty == 0 || int(id) >= len(work) {
			continue
		}
		if work[id] > 0 {
			work[id] = float64(float32(work[id]) / float32(s.RepeatPenalty))
		} else {
			work[id] = float64(float32(work[id]) * float32(s.RepeatPenalty))
		}
	}
	for id, bias := range s.Bias {
		if int(id) < len(work) {
			work[id] = float64(float32(work[id]) + bias)
		}
	}
	for i := range work {
		if mask != nil && (i >= len(mask) || !mask[i]) {
			work[i] = math.Inf(-1)
		}
	}
	return work
}

func ranked(work []float64) []int32 {
	var ids []int32
	for i, x := range work {
		if !math.IsInf(x, -1) {
			ids = append(ids, int32(i))
		}
	}
	sort.SliceStable(ids, func(a, b int) bool { return work[ids[a]] > work[ids[b]] })
	return ids
}

func nucleus(work []float64, ids []int32, p float64) []int32 {
	probs := softmax(work, ids, 1)
	mass := 0.0
	for n, id := range ids {
		mass += probs[id]
		if mass >= p {
			return ids[:n+1]
		}
	}
	return ids
}

func softmax(work []float64, ids []int32, temperature float64) map[int32]float64 {
	total, peak := 0.0, work[ids[0]]
	for _, id := range ids {
		total += math.Exp((work[id] - peak) / temperature)
	}
	probs := map[int32]float64{}
	for _, id := range ids {
		probs[id] = math.Exp((work[id]-peak)/temperature) / total
	}
	return probs
}

// referenceLogprobs are those of the untouched logits.
func referenceLogprobs(logits []float32) []float64 {
	peak := math.Inf(-1)
	for _, x := range logits {
		peak = max(peak, float64(x))
	}
	total := 0.0
	for _, x := range logits {
		total += math.Exp(float64(x) - peak)
	}
	out := make([]float64, len(logits))
	for i, x := range logits {
		out[i] = float64(x) - peak - math.Log(total)
	}
	return out
}

// modelLike draws logits with the shape of a language model's: a few dozen
// likely tokens above a wide bell.
func modelLike(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	logits := make([]float32, n)
	for i := range logits {
		logits[i] = float32(r.NormFloat64() * 2.5)
	}
	for range 40 {
		logits[r.IntN(n)] = float32(10 + r.ExpFloat64()*2)
	}
	return logits
}
