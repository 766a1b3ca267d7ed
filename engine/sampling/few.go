package sampling

import (
	"fmt"
	"math"
	"slices"
)

// Needs is how many of the largest logits decide the next choice and what Explain
// tells of it; 0 when all do: without top-k at a temperature above 0, under a mask,
// and where a bias or a penalty below 1 can raise any token. It grows with the
// tokens that the penalty holds down, so it is asked for every step.
func (s *Sampler) Needs() int {
	n := 1
	switch {
	case s.mask != nil || s.raises:
		return 0
	case s.set.Temperature == 0:
	case s.set.TopK == 0:
		return 0
	default:
		n = s.set.TopK
	}
	// Each token that is held down can make room for one that is not.
	return max(n+len(s.bias)+len(s.recent.distinct()), s.top)
}

// ChooseBest is Choose for a backend that gives only the largest logits, at least
// Needs of them, best first and of equals the lower id first, and logSum, the
// logarithm of the sum of exp(logit) over the whole vocabulary.
func (s *Sampler) ChooseBest(ids []int32, logits []float32, logSum float64) (int32, error) {
	s.step = step{}
	if len(ids) == 0 || len(ids) != len(logits) || math.IsNaN(logSum) || math.IsInf(logSum, 0) {
		return 0, fmt.Errorf("%w: %d logits of %d tokens, log of their sum %v", ErrLogits, len(logits), len(ids), logSum)
	}
	s.likely = s.likely[:0]
	for i, x := range logits {
		if x-x != 0 {
			return 0, fmt.Errorf("%w: token %d has %v", ErrLogits, ids[i], x)
		}
		s.likely = append(s.likely, candidate{ids[i], x})
	}
	c, err := s.among(s.likely)
	if err != nil {
		return 0, err
	}
	s.step = step{id: c.id, raw: c.logit, peak: logits[0], logSum: logSum, some: true, chosen: true}
	return c.id, nil
}

// chooseFew is Choose where the n largest logits decide.
func (s *Sampler) chooseFew(logits []float32, n int) (int32, error) {
	if err := s.gatherLargest(logits, n); err != nil {
		return 0, err
	}
	c, err := s.among(s.pool)
	if err != nil {
		return 0, err
	}
	peak := s.pool[0].logit
	for _, o := range s.pool {
		peak = max(peak, o.logit)
	}
	s.given = append(s.given[:0], logits...)
	s.step = step{id: c.id, raw: c.logit, peak: peak, chosen: true}
	return c.id, nil
}

// The exponent of a float32 is all ones in NaN and infinities only; adding unit
// then carries into the sign, which the exponent alone leaves clear.
const (
	exponent = 0x7f80_0000
	unit     = 0x0080_0000
)

func overflow(x float32) uint32 { return math.Float32bits(x)&exponent + unit }

// gatherLargest puts the n largest logits into s.pool, of equals those of lower
// id, and refuses any that is not finite. Nearly all are below the worst of the
// pool, so four are looked at together.
func (s *Sampler) gatherLargest(logits []float32, n int) error {
	s.pool = s.pool[:0]
	for i, x := range logits[:n] {
		s.pool = append(s.pool, candidate{int32(i), x})
	}
	heapifyWorst(s.pool)
	floor, carry := s.pool[0].logit, uint32(0)
	for _, x := range logits[:n] {
		carry |= overflow(x)
	}
	at := n
	for ; at+4 <= len(logits); at += 4 {
		q := (*[4]float32)(logits[at:])
		carry |= overflow(q[0]) | overflow(q[1]) | overflow(q[2]) | overflow(q[3])
		if q[0] > floor || q[1] > floor || q[2] > floor || q[3] > floor {
			floor = s.offer(at, q[:])
		}
	}
	for i, x := range logits[at:] {
		carry |= overflow(x)
		s.offer(at+i, logits[at+i:at+i+1])
	}
	if carry>>31 != 0 {
		_, err := peakOf(logits) // says which
		return err
	}
	return nil
}

// offer puts logits into the full pool that are larger than its worst, and gives
// the worst that is left.
func (s *Sampler) offer(at int, logits []float32) float32 {
	for i, x := range logits {
		if x > s.pool[0].logit {
			s.pool[0] = candidate{int32(at + i), x}
			sinkWorst(s.pool, 0)
		}
	}
	return s.pool[0].logit
}

// among chooses from tokens among which the likeliest are, and returns the chosen
// one with its untouched logit.
func (s *Sampler) among(list []candidate) (candidate, error) {
	s.kept = s.kept[:0]
	best := candidate{-1, banned}
	for _, c := range list {
		c.logit = s.adjusted(c)
		if c.logit == banned {
			continue
		}
		s.kept = append(s.kept, c)
		if best.id < 0 || c.before(best) {
			best = c
		}
	}
	if best.id < 0 {
		return best, fmt.Errorf("%w: bias bans all %d", ErrNoToken, len(list))
	}
	id := best.id
	if s.set.Temperature > 0 {
		s.cutLikeliest(best.logit)
		s.dropUnlikely(best.logit)
		id = s.pick(best.logit)
	}
	at := slices.IndexFunc(list, func(c candidate) bool { return c.id == id })
	return list[at], nil
}

// cutLikeliest is cutTopK for a few tokens in any order; it leaves what is left in order
// of id.
func (s *Sampler) cutLikeliest(peak float32) {
	sortLikeliest(s.kept)
	s.kept = s.kept[:min(s.set.TopK, len(s.kept))]
	s.heap = append(s.heap[:0], s.kept...)
	slices.SortFunc(s.kept, func(a, b candidate) int { return int(a.id) - int(b.id) })
	if s.set.TopP == 0 {
		return
	}
	wanted, mass := s.set.TopP*s.massOfKept(peak), 0.0
	for i, c := range s.heap {
		if mass += s.exp.of(float64(c.logit - peak)); mass >= wanted {
			s.kept = slices.DeleteFunc(s.kept, s.heap[i].before)
			return
		}
	}
}

// sortLikeliest puts the likeliest first. Insertion is right for what a backend gives:
// in order, but for the few that a penalty or a bias lowered.
func sortLikeliest(list []candidate) {
	if len(list) > 512 {
		slices.SortFunc(list, func(a, b candidate) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(list); i++ {
		c, at := list[i], i
		for ; at > 0 && c.before(list[at-1]); at-- {
			list[at] = list[at-1]
		}
		list[at] = c
	}
}

// adjusted is a logit after penalty and bias.
func (s *Sampler) adjusted(c candidate) float32 {
	x := c.logit
	if s.set.RepeatPenalty != 1 && s.recent.has(c.id) {
		x = penalised(x, float32(s.set.RepeatPenalty))
	}
	if b, ok := s.biased[c.id]; ok {
		x = within(x + b)
	}
	return x
}
