package diagram

import "slices"

const (
	markW = 3 // columns of the mark at the right end of a line: ←?→
	portW = 2 // columns of the mark at the right side of a node: ←?
)

// net is the lines that leave one item to the right: a stub in its row, a
// trunk in a track of the channel, and a branch in the row of each end.
type net struct {
	item  int
	ends  []int // items of the next layer
	sides []int // items of its own layer
	track int   // -1 = all in one row
	top   int
	foot  int
}

// channel is the columns between two layers.
type channel struct {
	nets   []*net
	tracks int
	ports  bool // some line comes back to its own layer
}

func (c *channel) width() int {
	w := markW + c.stub()
	if c.tracks > 0 {
		w += 2*c.tracks - 1
	}
	return w
}

// stub is the columns between the widest label and the first track.
func (c *channel) stub() int {
	if c.ports {
		return portW + 1
	}
	return 1
}

// route gives every net its track, every layer its columns, every link its way.
func (s *stack) route() {
	channels := make([]channel, len(s.layers))
	nets := make([]*net, len(s.items))
	sides := s.sides()
	for k, layer := range s.layers {
		c := &channels[k]
		for _, it := range layer {
			if n := s.net(it, sides[it]); n != nil {
				nets[it] = n
				c.nets = append(c.nets, n)
				c.ports = c.ports || len(n.sides) > 0
			}
		}
		s.assign(c)
	}
	s.columns(channels)
	tracks := func(n *net, layer int) int {
		return s.x[layer] + s.wide[layer] + channels[layer].stub() + 2*n.track
	}
	for _, l := range s.d.links {
		s.d.routes = append(s.d.routes, s.way(l, nets, tracks))
	}
}

// sides lists for every item the items of its own layer that its line leads to.
func (s *stack) sides() map[int][]int {
	out := map[int][]int{}
	for _, l := range s.d.links {
		if s.d.Layer[l.left] == s.d.Layer[l.right] {
			out[s.of[l.left]] = append(out[s.of[l.left]], s.of[l.right])
		}
	}
	return out
}

func (s *stack) net(it int, sides []int) *net {
	n := &net{item: it, ends: s.items[it].right, sides: sides, track: -1, top: s.items[it].y, foot: s.items[it].y}
	if len(n.ends)+len(n.sides) == 0 {
		return nil
	}
	for _, e := range slices.Concat(n.ends, n.sides) {
		n.top, n.foot = min(n.top, s.items[e].y), max(n.foot, s.items[e].y)
	}
	return n
}

// assign gives the nets of a channel their tracks. A net whose branch lies in
// the row of another's stub needs its trunk to the right of that one's, or the
// two would run over each other; where such demands go round in a circle, the
// upper net gives way.
func (s *stack) assign(c *channel) {
	var open []*net
	for _, n := range c.nets {
		if n.top < n.foot {
			open = append(open, n)
		}
	}
	var placed []*net
	for len(open) > 0 {
		at := max(slices.IndexFunc(open, func(n *net) bool {
			return !slices.ContainsFunc(open, func(o *net) bool { return o != n && s.before(o, n) })
		}), 0)
		n := open[at]
		open = slices.Delete(open, at, at+1)
		n.track = 0
		for _, p := range placed {
			if s.before(p, n) {
				n.track = max(n.track, p.track+1)
			}
		}
		for slices.ContainsFunc(placed, func(p *net) bool { return p.track == n.track && n.top <= p.foot && p.top <= n.foot }) {
			n.track++
		}
		placed = append(placed, n)
		c.tracks = max(c.tracks, n.track+1)
	}
}

// before reports whether the trunk of a must stand left of that of b.
func (s *stack) before(a, b *net) bool {
	row := s.items[a.item].y
	return slices.ContainsFunc(b.ends, func(e int) bool { return s.items[e].y == row }) ||
		slices.ContainsFunc(a.sides, func(e int) bool { return e == b.item })
}

// columns sets the columns of layers and boxes.
func (s *stack) columns(channels []channel) {
	s.x, s.wide = make([]int, len(s.layers)), make([]int, len(s.layers))
	x := 0
	for k, layer := range s.layers {
		for _, it := range layer {
			if !s.items[it].trunk {
				s.wide[k] = max(s.wide[k], width(s.d.labels[s.items[it].node]))
			}
		}
		s.x[k] = x
		x += s.wide[k]
		if k < len(s.layers)-1 || len(channels[k].nets) > 0 {
			x += channels[k].width()
		}
	}
	s.d.W = x
	for n, label := range s.d.labels {
		s.d.Boxes[n].X, s.d.Boxes[n].W = s.x[s.d.Layer[n]], width(label)
	}
}

// span is a straight piece of a line, its ends included: in row y from x1 to x2,
// or in column x from y1 to y2.
type span struct {
	x1, y1, x2, y2 int
}

// route is the way of a link, and where its marks stand.
type route struct {
	spans []span
	marks []mark
}

// mark is a sign at the end of a line.
type mark struct {
	x, y int
	sign Sign
}

// Sign is a cell of a mark.
type Sign uint8

// The signs of marks; None is no mark.
const (
	None Sign = iota
	Into      // an arrow to the right
	Back      // an arrow to the left
	Guard
)

// way gives the route of a link.
func (s *stack) way(l link, nets []*net, track func(*net, int) int) route {
	var r route
	from, layer := s.of[l.left], s.d.Layer[l.left]
	if s.d.Layer[l.right] == layer {
		s.sideways(&r, l, track(nets[from], layer))
		return r
	}
	for ; layer < s.d.Layer[l.right]; layer++ {
		to, known := s.passes[[2]int{l.left, layer + 1}]
		if !known || layer+1 == s.d.Layer[l.right] {
			to = s.of[l.right]
		}
		a, b, end := s.items[from], s.items[to], s.x[layer+1]-1
		if b.trunk {
			end = s.x[layer+1] + s.wide[layer+1] - 1
		}
		if a.y == b.y {
			r.spans = append(r.spans, span{s.end(from, layer), a.y, end, b.y})
		} else {
			x := track(nets[from], layer)
			r.spans = append(r.spans, span{s.end(from, layer), a.y, x, a.y}, span{x, min(a.y, b.y), x, max(a.y, b.y)}, span{x, b.y, end, b.y})
		}
		from = to
	}
	s.point(&r, l, s.x[layer], s.items[from].y)
	return r
}

// end is the first column behind an item.
func (s *stack) end(it, layer int) int {
	if i := s.items[it]; !i.trunk {
		return s.x[layer] + width(s.d.labels[i.node])
	}
	return s.x[layer] + s.wide[layer]
}

// point marks the right end of a line, which comes to a box at column x.
func (s *stack) point(r *route, l link, x, y int) {
	if l.back {
		r.marks = append(r.marks, mark{x - 3, y, Back})
	}
	if l.forth && l.forthIf || l.back && l.backIf {
		r.marks = append(r.marks, mark{x - 2, y, Guard})
	}
	if l.forth {
		r.marks = append(r.marks, mark{x - 1, y, Into})
	}
}

// sideways gives the route of a link within a layer, by a trunk in column x.
func (s *stack) sideways(r *route, l link, x int) {
	layer := s.d.Layer[l.left]
	for _, end := range []struct {
		node        int
		arrow, cond bool
	}{{l.left, l.back, l.backIf}, {l.right, l.forth, l.forthIf}} {
		it := s.of[end.node]
		at, y := s.end(it, layer), s.items[it].y
		r.spans = append(r.spans, span{at, y, x, y})
		if end.arrow {
			r.marks = append(r.marks, mark{at, y, Back})
			if end.cond {
				r.marks = append(r.marks, mark{at + 1, y, Guard})
			}
		}
	}
	a, b := s.items[s.of[l.left]].y, s.items[s.of[l.right]].y
	r.spans = append(r.spans, span{x, min(a, b), x, max(a, b)})
}
