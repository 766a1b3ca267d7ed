package sampling

import (
	"math"

	"fabula/engine"
)

// reach is how far below the likeliest logit the first gathering of candidates
// goes, in nats; it widens by half until it holds what top-k and top-p need.
const reach = 6

// draw applies top-k, top-p, min-p and temperature to s.work, whose largest
// logit is peak, and draws one token.
func (s *Sampler) draw(peak float32) int32 {
	s.kept = s.kept[:0]
	switch {
	case s.set.TopK > 0 && s.set.TopK < len(s.work):
		s.keepTopK(peak)
	case s.set.TopP > 0:
		wanted := s.set.TopP * s.exp.sum(s.work, peak)
		s.gatherMass(peak, wanted)
		s.cut(peak, len(s.kept), wanted)
	default:
		s.gather(banned)
	}
	s.dropUnlikely(peak)
	return s.pick(peak)
}

// keepTopK leaves the k likeliest, then what top-p leaves of them.
func (s *Sampler) keepTopK(peak float32) {
	for width := float32(reach); ; width *= 1.5 {
		s.gather(peak - width)
		if len(s.kept) >= s.set.TopK || math.IsInf(float64(peak-width), -1) {
			break
		}
	}
	s.cutTopK(peak)
}

// cutTopK leaves the k likeliest of the kept tokens, then what top-p leaves.
func (s *Sampler) cutTopK(peak float32) {
	s.cut(peak, s.set.TopK, math.Inf(1))
	if s.set.TopP > 0 {
		s.cut(peak, len(s.kept), s.set.TopP*s.massOfKept(peak))
	}
}

// gatherMass gathers the likeliest tokens until they hold the mass wanted.
func (s *Sampler) gatherMass(peak float32, wanted float64) {
	for width := float32(reach); ; width *= 1.5 {
		s.gather(peak - width)
		if s.massOfKept(peak) >= wanted || math.IsInf(float64(peak-width), -1) {
			return
		}
	}
}

// gather keeps the tokens at or above floor, in order of id; banned ones never.
func (s *Sampler) gather(floor float32) {
	s.kept = s.kept[:0]
	floor = max(floor, -math.MaxFloat32)
	for i, x := range s.work {
		if x >= floor {
			s.kept = append(s.kept, candidate{int32(i), x})
		}
	}
}

// cut leaves at most count of the kept tokens, likeliest first, stopping with
// the one whose mass reaches the mass wanted. What is left stays in order of id.
func (s *Sampler) cut(peak float32, count int, wanted float64) {
	if len(s.kept) == 0 {
		return
	}
	s.heap = append(s.heap[:0], s.kept...)
	heapify(s.heap)
	last, mass := s.heap[0], 0.0
	for n := 0; n < count && len(s.heap) > 0 && (n == 0 || mass < wanted); n++ {
		last = s.heap[0]
		s.heap = pop(s.heap)
		mass += s.exp.of(float64(last.logit - peak))
	}
	left := s.kept[:0]
	for _, c := range s.kept {
		if !last.before(c) {
			left = append(left, c)
		}
	}
	s.kept = left
}

// dropUnlikely applies min-p.
func (s *Sampler) dropUnlikely(peak float32) {
	if s.set.MinP == 0 {
		return
	}
	left := s.kept[:0]
	for _, c := range s.kept {
		if c.logit == peak || s.exp.of(float64(c.logit-peak)) >= s.set.MinP {
			left = append(left, c)
		}
	}
	s.kept = left
}

// pick draws from the kept tokens, walked in order of id.
func (s *Sampler) pick(peak float32) int32 {
	s.weights = s.weights[:0]
	total := 0.0
	for _, c := range s.kept {
		w := s.weight(c.logit, peak)
		s.weights = append(s.weights, w)
		total += w
	}
	mark := float64(float64(s.source.Uint64()>>11)*0x1p-53) * total
	chosen, sum := s.kept[0], 0.0
	for i, c := range s.kept {
		w := s.weights[i]
		if w == 0 {
			continue
		}
		chosen = c
		sum += w
		if sum > mark {
			break
		}
	}
	return chosen.id
}

// weight is the unnormalised probability at the sampler's temperature.
func (s *Sampler) weight(logit, peak float32) float64 {
	return s.exp.of(float64(logit-peak) / s.set.Temperature)
}

func (s *Sampler) massOfKept(peak float32) float64 {
	total := 0.0
	for _, c := range s.kept {
		total += s.exp.of(float64(c.logit - peak))
	}
	return total
}

// logNormaliser is the logarithm of the sum of exp(logit).
func (s *Sampler) logNormaliser(logits []float32, peak float32) float64 {
	return float64(peak) + math.Log(s.exp.sum(logits, peak))
}

// alternatives lists the likeliest tokens of the untouched logits.
func (s *Sampler) alternatives(logits []float32, logZ float64) []engine.TopToken {
	if s.top == 0 {
		return nil
	}
	s.best = s.best[:0]
	for i, x := range logits {
		if n := len(s.best); n == s.top {
			if x <= s.best[n-1].logit {
				continue
			}
			s.best = s.best[:n-1]
		}
		s.best = insert(s.best, candidate{int32(i), x})
	}
	return s.reported(s.best, logZ)
}

// reported lists the first of some tokens, best first.
func (s *Sampler) reported(list []candidate, logZ float64) []engine.TopToken {
	s.report = s.report[:0]
	for _, c := range list[:min(s.top, len(list))] {
		s.report = append(s.report, engine.TopToken{ID: c.id, Logprob: logprob(c.logit, logZ)})
	}
	return s.report
}

// insert puts c where it ranks in a sorted list.
func insert(list []candidate, c candidate) []candidate {
	list = append(list, c)
	i := len(list) - 1
	for ; i > 0 && c.before(list[i-1]); i-- {
		list[i] = list[i-1]
	}
	list[i] = c
	return list
}
