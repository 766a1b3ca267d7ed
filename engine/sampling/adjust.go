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
// token left. peak is the likeliest one of the untouched logits. All logits are
// looked at again only if the peak may have been overtaken.
func (s *Sampler) adjust(peak candidate) (candidate, error) {
	stands := s.penalise(peak)
	for _, b := range s.bias {
		if int(b.id) < len(s.work) {
			s.work[b.id] = within(s.work[b.id] + b.logit)
			stands = stands && b.id != peak.id && peak.before(candidate{b.id, s.work[b.id]})
		}
	}
	if s.mask != nil {
		s.ban()
		stands = false
	}
	if stands {
		return peak, nil
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

// biases lists the bias of every token that can have one.
func biases(set map[int32]float32) []candidate {
	var list []candidate
	for id, bias := range set {
		if id >= 0 && bias == bias {
			list = append(list, candidate{id, bias})
		}
	}
	return list
}

// ban removes what the mask does not allow.
func (s *Sampler) ban() {
	for i := range s.work {
		if i >= len(s.mask) || !s.mask[i] {
			s.work[i] = banned
		}
	}
}

// penalise applies the repetition penalty and says whether peak surely still is
// the likeliest token. A penalty below 1 may raise another one.
func (s *Sampler) penalise(peak candidate) bool {
	penalty := float32(s.set.RepeatPenalty)
	if penalty == 1 {
		return true
	}
	stands := penalty > 1
	for _, id := range s.recent.distinct() {
		if id < 0 || int(id) >= len(s.work) {
			continue
		}
		stands = stands && id != peak.id
		s.work[id] = penalised(s.work[id], penalty)
	}
	return stands
}

func penalised(logit, penalty float32) float32 {
	if logit > 0 {
		return within(logit / penalty)
	}
	return max(logit*penalty, -huge)
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

func (w *window) has(id int32) bool {
	_, known := w.place[id]
	return known
}

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
