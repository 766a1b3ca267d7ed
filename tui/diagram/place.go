package diagram

import (
	"math"
	"slices"
)

// passesOfPlacing is how often rows are moved towards what they are joined with.
const passesOfPlacing = 6

// place gives every item its row: near the median of what it is joined with, in
// the order of its layer, nodes two rows apart.
func (s *stack) place() {
	for _, layer := range s.layers {
		y := 0
		for i, it := range layer {
			if i > 0 {
				y += s.gap(layer[i-1], it)
			}
			s.items[it].y = y
		}
	}
	for i := range passesOfPlacing {
		if i%2 == 0 {
			for k := 1; k < len(s.layers); k++ {
				s.move(k, func(it *item) []int { return it.left })
			}
		} else {
			for k := len(s.layers) - 2; k >= 0; k-- {
				s.move(k, func(it *item) []int { return it.right })
			}
		}
	}
	s.settle()
}

// gap is how many rows two neighbours of a layer are apart at least.
func (s *stack) gap(above, below int) int {
	if s.items[above].trunk || s.items[below].trunk {
		return 1
	}
	return 2
}

// move puts one layer where its items want to be, as nearly as their order and
// the gaps allow in the sense of least squares: that is isotonic regression, by
// pooling neighbours that are in each other's way.
func (s *stack) move(k int, beside func(*item) []int) {
	layer := s.layers[k]
	var pools []pool
	offset := 0
	offsets := make([]int, len(layer))
	for i, it := range layer {
		if i > 0 {
			offset += s.gap(layer[i-1], it)
		}
		offsets[i] = offset
		want := float64(s.items[it].y)
		if joined := beside(&s.items[it]); len(joined) > 0 {
			want = s.median(joined)
		}
		pools = append(pools, pool{want - float64(offset), 1})
		for n := len(pools); n > 1 && pools[n-2].at > pools[n-1].at; n = len(pools) {
			pools = append(pools[:n-2], pools[n-2].with(pools[n-1]))
		}
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			s.items[layer[i]].y = int(math.Round(p.at)) + offsets[i]
			i++
		}
	}
}

// pool is neighbours that move as one.
type pool struct {
	at float64
	n  int
}

func (p pool) with(q pool) pool {
	n := p.n + q.n
	return pool{(p.at*float64(p.n) + q.at*float64(q.n)) / float64(n), n}
}

func (s *stack) median(items []int) float64 {
	rows := make([]int, len(items))
	for i, it := range items {
		rows[i] = s.items[it].y
	}
	slices.Sort(rows)
	mid := len(rows) / 2
	if len(rows)%2 == 1 {
		return float64(rows[mid])
	}
	return float64(rows[mid-1]+rows[mid]) / 2
}

// settle moves the whole so that its first row is 0, and notes the boxes' rows.
func (s *stack) settle() {
	top := s.items[0].y
	for _, it := range s.items {
		top = min(top, it.y)
	}
	for i := range s.items {
		it := &s.items[i]
		it.y -= top
		s.d.H = max(s.d.H, it.y+1)
		if !it.trunk {
			s.d.Boxes[it.node].Y = it.y
		}
	}
}
