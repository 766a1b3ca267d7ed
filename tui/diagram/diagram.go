// Package diagram draws a directed graph in terminal cells: layers from left to
// right, one row a node, orthogonal edges in box characters.
//
// Layout is the method of Sugiyama, Tagawa and Toda (1981): layers, order within
// a layer by barycentres, rows, routes. Layers are distances from the start, so
// that the column of a node is the number of exits to it, and every edge either
// leads one layer on, stays in its layer, or leads back. All edges that leave a
// node, or come back to it, share one trunk; the direction of each stands at its
// right end:
//
//	       ┌──→[yard]      from hall to yard
//	[hall]─┼←─→[kitchen]   there and back
//	       └─?→[room]      guarded
//
// Layout is pure: the same graph gives the same drawing. Non-goals: colours,
// scrolling, more than one row a node.
package diagram

import "fabula/tui/text"

// Graph is what is drawn. Edges name nodes by index; an edge from a node to
// itself is not drawn, and several between the same two nodes are one line.
type Graph struct {
	Nodes []string // labels: one row each, without escape sequences
	Edges []Edge
	Start int // index of the node that stands at the left
}

// Edge leads from a node to another.
type Edge struct {
	From, To int
	Guarded  bool // drawn with a question mark
}

// Box is where a label stands: its first column, its row, its columns.
type Box struct{ X, Y, W int }

// Drawing is a graph that was laid out.
type Drawing struct {
	W, H  int
	Boxes []Box // by node
	Layer []int // by node: its distance from the start

	labels []string
	links  []link
	edges  []int   // by edge: its link, -1 = not drawn
	routes []route // by link
}

// link is the line between two nodes: all edges between them, whichever way.
type link struct {
	left, right     int  // nodes; the layer of left is not the greater
	forth, back     bool // an edge from left to right; from right to left
	forthIf, backIf bool // all such edges are guarded
}

// Lay lays a graph out.
func Lay(g Graph) *Drawing {
	d := &Drawing{labels: g.Nodes, Boxes: make([]Box, len(g.Nodes)), Layer: distances(g)}
	if len(g.Nodes) == 0 {
		return d
	}
	d.link(g)
	s := newStack(d)
	s.order()
	s.place()
	s.route()
	return d
}

// link joins the edges between the same two nodes.
func (d *Drawing) link(g Graph) {
	at := map[[2]int]int{}
	for _, e := range g.Edges {
		l, r := e.From, e.To
		if l == r {
			d.edges = append(d.edges, -1)
			continue
		}
		if d.Layer[l] > d.Layer[r] || d.Layer[l] == d.Layer[r] && l > r {
			l, r = r, l
		}
		i, known := at[[2]int{l, r}]
		if !known {
			i = len(d.links)
			at[[2]int{l, r}] = i
			d.links = append(d.links, link{left: l, right: r, forthIf: true, backIf: true})
		}
		d.edges = append(d.edges, i)
		if k := &d.links[i]; l == e.From {
			k.forth, k.forthIf = true, k.forthIf && e.Guarded
		} else {
			k.back, k.backIf = true, k.backIf && e.Guarded
		}
	}
}

// distances gives every node's least number of edges from the start. What
// cannot be reached starts anew at the left.
func distances(g Graph) []int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	layer := make([]int, len(g.Nodes))
	for i := range layer {
		layer[i] = -1
	}
	walk := func(root int) {
		if layer[root] >= 0 {
			return
		}
		layer[root] = 0
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				if layer[to] < 0 {
					layer[to] = layer[queue[0]] + 1
					queue = append(queue, to)
				}
			}
		}
	}
	if g.Start >= 0 && g.Start < len(g.Nodes) {
		walk(g.Start)
	}
	for i := range g.Nodes {
		walk(i)
	}
	return layer
}

// width gives the columns of a label.
func width(label string) int { return text.Width(label) }
