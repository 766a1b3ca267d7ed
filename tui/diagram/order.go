package diagram

import (
	"cmp"
	"slices"
)

// item is what has a row in a layer: a node, or the trunk of a node further
// left that passes through.
type item struct {
	node  int // the node, or the one whose trunk it is
	trunk bool
	y     int

	left, right []int // items of the layers beside it that it is joined with
}

// stack is a drawing being made: layers of items.
type stack struct {
	d      *Drawing
	items  []item
	layers [][]int        // items in order from above
	of     []int          // node → item
	passes map[[2]int]int // node, layer → item of its trunk
	x      []int          // by layer: first column
	wide   []int          // by layer: columns of its labels
}

func newStack(d *Drawing) *stack {
	s := &stack{d: d, of: make([]int, len(d.labels)), passes: map[[2]int]int{}}
	s.layers = make([][]int, slices.Max(d.Layer)+1)
	for n := range d.labels {
		s.of[n] = s.add(d.Layer[n], item{node: n})
	}
	for _, l := range d.links {
		s.join(l)
	}
	return s
}

func (s *stack) add(layer int, it item) int {
	s.items = append(s.items, it)
	s.layers[layer] = append(s.layers[layer], len(s.items)-1)
	return len(s.items) - 1
}

// join makes the items between the two nodes of a link and joins them one by
// one. Links that begin at the same node share them.
func (s *stack) join(l link) {
	from, last := s.of[l.left], s.d.Layer[l.right]
	for layer := s.d.Layer[l.left] + 1; layer < last; layer++ {
		at, known := s.passes[[2]int{l.left, layer}]
		if !known {
			at = s.add(layer, item{node: l.left, trunk: true})
			s.passes[[2]int{l.left, layer}] = at
			s.tie(from, at)
		}
		from = at
	}
	if s.d.Layer[l.left] < last {
		s.tie(from, s.of[l.right])
	}
}

func (s *stack) tie(left, right int) {
	s.items[left].right = append(s.items[left].right, right)
	s.items[right].left = append(s.items[right].left, left)
}

// sweeps bounds how often the layers are sorted; few graphs improve after that.
const sweeps = 12

// order sorts each layer by the barycentres of what its items are joined with,
// from left to right and back, and keeps the order with the fewest crossings.
func (s *stack) order() {
	best, least := s.copyLayers(), s.crossings()
	for i := range sweeps {
		if least == 0 {
			break
		}
		if i%2 == 0 {
			for k := 1; k < len(s.layers); k++ {
				s.sort(k, func(it *item) []int { return it.left })
			}
		} else {
			for k := len(s.layers) - 2; k >= 0; k-- {
				s.sort(k, func(it *item) []int { return it.right })
			}
		}
		if n := s.crossings(); n < least {
			best, least = s.copyLayers(), n
		}
	}
	s.layers = best
	s.number()
}

func (s *stack) copyLayers() [][]int {
	out := make([][]int, len(s.layers))
	for i, l := range s.layers {
		out[i] = slices.Clone(l)
	}
	return out
}

// number gives every item its place in its layer, in y.
func (s *stack) number() {
	for _, layer := range s.layers {
		for i, it := range layer {
			s.items[it].y = i
		}
	}
}

// sort sorts one layer; what is joined with nothing keeps its place.
func (s *stack) sort(k int, beside func(*item) []int) {
	s.number()
	centre := make(map[int]float64, len(s.layers[k]))
	for i, it := range s.layers[k] {
		centre[it] = float64(i)
		if joined := beside(&s.items[it]); len(joined) > 0 {
			sum := 0
			for _, j := range joined {
				sum += s.items[j].y
			}
			centre[it] = float64(sum) / float64(len(joined))
		}
	}
	slices.SortStableFunc(s.layers[k], func(a, b int) int { return cmp.Compare(centre[a], centre[b]) })
}

// crossings counts the pairs of joins that cross between neighbouring layers.
func (s *stack) crossings() int {
	s.number()
	n := 0
	for _, layer := range s.layers {
		var ends []int // right ends in order of the left ones
		for _, it := range layer {
			from := len(ends)
			for _, r := range s.items[it].right {
				ends = append(ends, s.items[r].y)
			}
			slices.Sort(ends[from:])
		}
		n += inversions(ends)
	}
	return n
}

// inversions counts the pairs that stand in the wrong order, by counting how
// many of those seen so far are greater.
func inversions(list []int) int {
	if len(list) < 2 {
		return 0
	}
	size := slices.Max(list) + 1
	tree := make([]int, size+1) // Fenwick tree of the values seen
	n := 0
	for seen, v := range list {
		upTo := 0
		for i := v + 1; i > 0; i -= i & -i {
			upTo += tree[i]
		}
		n += seen - upTo
		for i := v + 1; i <= size; i += i & -i {
			tree[i]++
		}
	}
	return n
}
