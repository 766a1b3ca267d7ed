package sampling

import (
	"fmt"
	"math"

	"fabula/engine"
)

var banned = float32(math.Inf(-1))

// huge bounds adjusted logits, so that no penalty or bias makes one infinite.
const huge = math.MaxFloat32 / 4

func within(x float32) float32 { return min(x, huge) }

// adjust applies penalty, bias and mask to s.work and returns the likeliest
// token left. peak is the likeliest one of the untouched logits.
func (s *Sampler) adjust(peak candidate) (candidate, error) {
	penalised := s.penalise()
	if !penalised && len(s.set.Bias) == 0 && s.mask == nil {
		return peak, nil
	}
	for id, bias := range s.set.Bias {
		if id >= 0 && int(id) < len(s.work) && bias == bias {
			s.work[id] = within(s.work[id] + bias)
		}
	}
	if s.mask != nil {
		s.ban()
	}
	best := candidate{-1, banned}
	for i, x := range s.work {
		if x > best.logit {
			best = candidate{int32(i), x}
		}
	}
	if best.id < 0 {
		return best, fmt.Errorf("%w: bias and mask ban all %d", ErrNoToken, len(s.work))
	}
	return best, nil
}

// ban removes what the mask does not allow.
func (s *Sampler) ban() {
	for i := range s.work {
		if i >= len(s.mask) || !s.mask[i] {
			s.work[i] = banned
		}
	}
}

// penalise applies the repetition penalty and says whether it touched a logit.
func (s *Sampler) penalise() bool {
	penalty := float32(s.set.RepeatPenalty)
	if penalty == 1 {
		return false
	}
	touched := false
	for _, id := range s.recent.distinct() {
		if id < 0 || int(id) >= len(s.work) {
			continue
		}
		touched = true
		if s.work[id] > 0 {
			s.work[id] = within(s.work[id] / penalty)
		} else {
			s.work[id] = max(s.work[id]*penalty, -huge)
		}
	}
	return touched
}

// window holds the last accepted tokens and how often each occurs among them.
type window struct {
	ring  []int32
	next  int
	full  bool
	ids   []int32 // each once, in no order
	place map[int32]spot
}

// spot says where in window.ids a token stands and how often it is in the ring.
type spot struct{ at, count int }

func newWindow(s engine.Sampling) window {
	if s.RepeatPenalty == 1 {
		return window{}
	}
	// A reply is at most a context long; a huge window must not reserve memory.
	n := min(s.RepeatWindow, 1<<20)
	return window{ring: make([]int32, n), ids: make([]int32, 0, min(n, 1024)), place: make(map[int32]spot, min(n, 1024))}
}

func (w *window) distinct() []int32 { return w.ids }

func (w *window) push(id int32) {
	if len(w.ring) == 0 {
		return
	}
	if w.full {
		w.drop(w.ring[w.next])
	}
	w.ring[w.next] = id
	w.next++
	if w.next == len(w.ring) {
		w.next, w.full = 0, true
	}
	p, known := w.place[id]
	if !known {
		p.at = len(w.ids)
		w.ids = append(w.ids, id)
	}
	p.count++
	w.place[id] = p
}

// drop forgets one occurrence of id; the last one leaves the list by swapping
// with its end.
func (w *window) drop(id int32) {
	p := w.place[id]
	if p.count > 1 {
		p.count--
		w.place[id] = p
		return
	}
	last := w.ids[len(w.ids)-1]
	w.ids[p.at] = last
	moved := w.place[last]
	moved.at = p.at
	w.place[last] = moved
	w.ids = w.ids[:len(w.ids)-1]
	delete(w.place, id)
}
