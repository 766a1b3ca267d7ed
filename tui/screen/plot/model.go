package plot

import (
	"cmp"
	"slices"

	"fabula/story/check"
	"fabula/story/plot"
	"fabula/tui/diagram"
)

// model is a script as the screen walks it: nodes by index, exits as edges, and
// the outline.
type model struct {
	script *plot.Script
	nodes  []*plot.Node
	index  map[string]int
	edges  []edge
	out    [][]int // by node: edges that leave it, in file order
	in     [][]int // by node: edges that lead to it
	depth  []int   // by node: least number of exits from the start
	reach  []bool  // by node: some chain of exits leads there
	order  []branch
}

// edge is an exit that leads to another node.
type edge struct {
	from, to int
	exit     *plot.Exit
}

// branch is a row of the outline: a node below the one that leads to it first.
type branch struct {
	node  int
	via   int // edge; -1 = none
	level int
	last  []bool // by level: nothing follows there
}

func newModel(s *plot.Script) *model {
	m := &model{script: s, nodes: s.Nodes, index: map[string]int{}, out: make([][]int, len(s.Nodes)), in: make([][]int, len(s.Nodes))}
	for i, n := range s.Nodes {
		m.index[n.ID] = i
	}
	for i, n := range s.Nodes {
		for _, e := range n.Exits {
			to := s.Node(e.To)
			if e.Stay || to == nil {
				continue
			}
			j := m.index[to.ID]
			m.out[i], m.in[j] = append(m.out[i], len(m.edges)), append(m.in[j], len(m.edges))
			m.edges = append(m.edges, edge{i, j, e})
		}
	}
	m.outline()
	return m
}

// start is the index of the start; -1 when it is missing.
func (m *model) start() int {
	if n := m.script.Node(m.script.Start); n != nil {
		return m.index[n.ID]
	}
	return -1
}

// same gives the node that an earlier model had at an index, by its id; the start
// where it is gone.
func (m *model) same(was *model, at int) int {
	if was != nil && at < len(was.nodes) {
		if i, ok := m.index[was.nodes[at].ID]; ok {
			return i
		}
	}
	return max(m.start(), 0)
}

// guarded reports whether an edge asks for something: itself, or where it leads.
func (m *model) guarded(e edge) bool { return !e.exit.When.Empty() || !m.nodes[e.to].When.Empty() }

// graph gives what is to be laid out.
func (m *model) graph(labels []string) diagram.Graph {
	g := diagram.Graph{Nodes: labels, Start: m.start()}
	for _, e := range m.edges {
		g.Edges = append(g.Edges, diagram.Edge{From: e.from, To: e.to, Guarded: m.guarded(e)})
	}
	return g
}

// outline makes the tree of nearest ways: every node stands below the one that
// leads to it with the fewest exits from the start, the first in file order
// among equals. Nodes that no exit leads to follow at the end.
func (m *model) outline() {
	m.depth, m.reach = make([]int, len(m.nodes)), make([]bool, len(m.nodes))
	below := make([][]int, len(m.nodes)) // edges to the nodes below
	seen := make([]bool, len(m.nodes))
	var roots []int
	walk := func(root int, reached bool) {
		if root < 0 || seen[root] {
			return
		}
		seen[root] = true
		roots = append(roots, root)
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			n := queue[0]
			m.reach[n] = reached
			for _, e := range m.out[n] {
				if to := m.edges[e].to; !seen[to] {
					seen[to] = true
					m.depth[to] = m.depth[n] + 1
					below[n] = append(below[n], e)
					queue = append(queue, to)
				}
			}
		}
	}
	walk(m.start(), true)
	for i := range m.nodes {
		walk(i, false)
	}
	for i, r := range roots {
		m.list(branch{node: r, via: -1}, i == len(roots)-1, below)
	}
}

// list appends a node and all below it to the outline.
func (m *model) list(b branch, last bool, below [][]int) {
	b.last = append(slices.Clone(b.last), last)
	m.order = append(m.order, b)
	for i, e := range below[b.node] {
		m.list(branch{node: m.edges[e].to, via: e, level: b.level + 1, last: b.last}, i == len(below[b.node])-1, below)
	}
}

// row is where a node stands in the outline.
func (m *model) row(node int) int {
	return max(slices.IndexFunc(m.order, func(b branch) bool { return b.node == node }), 0)
}

// parent is the node above in the outline; the node itself at the top.
func (m *model) parent(node int) int {
	if via := m.order[m.row(node)].via; via >= 0 {
		return m.edges[via].from
	}
	return node
}

// of gives the findings of each node: those at or below its declaration and
// above the next one in the file.
func (m *model) of(findings []check.Finding) [][]check.Finding {
	out := make([][]check.Finding, len(m.nodes))
	order := make([]int, len(m.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := m.nodes[a].Pos, m.nodes[b].Pos
		return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
	})
	for _, f := range findings {
		owner := -1
		for _, i := range order {
			if p := m.nodes[i].Pos; p.File == f.Pos.File && p.Line <= f.Pos.Line {
				owner = i
			}
		}
		if owner >= 0 {
			out[owner] = append(out[owner], f)
		}
	}
	return out
}
