package space

import (
	"slices"
	"strings"
)

// Stuck is a state in which nothing leads on: no ending, no exit that is open,
// none that talk can open.
type Stuck struct {
	Node   string
	At     At
	Visits int  // how often the way there comes into the node
	Before bool // an exit was open in the node before, on the way there
}

// Stuck gives the first such state of each node that has exits.
func (sp *Space) Stuck() []Stuck {
	r := sp.main
	if !r.faithful() {
		return nil
	}
	leads := r.ways.leadTo(r.table.count, func(i int) bool { return r.unknown(i) || r.leaves[i] || r.m.nodes[r.node(i)].ending })
	var out []Stuck
	seen := map[int]bool{}
	for i, ok := range leads {
		n := r.node(i)
		if ok || seen[n] || len(r.m.nodes[n].exits) == 0 {
			continue
		}
		seen[n] = true
		out = append(out, Stuck{Node: r.m.nodes[n].id, At: At{r, i}, Visits: r.entries(i), Before: r.openBefore(i)})
	}
	return out
}

// faithful reports whether each state stands for real ones only: counters that
// were followed to some number only may go another way.
func (r *run) faithful() bool {
	return !slices.ContainsFunc(r.bounds, func(b Bound) bool { return b.Kind == BoundCounters })
}

// unknown reports a state of which not all turns were played.
func (r *run) unknown(i int) bool { return i >= r.looked() || r.crowded[r.node(i)] }

// openBefore reports whether the way to a state comes by the same node with an
// exit open.
func (r *run) openBefore(state int) bool {
	return slices.ContainsFunc(r.chain(state), func(i int) bool { return i != state && r.node(i) == r.node(state) && r.leaves[i] })
}

// entries counts how often the node of a state was come into, on the way there.
func (r *run) entries(state int) int {
	n, before, count := r.node(state), -1, 0
	for _, i := range r.chain(state) {
		if now := r.node(i); now == n && before != n {
			count++
		}
		before = r.node(i)
	}
	return count
}

// Trap is a region that no ending can be reached from, though there is always
// something to do.
type Trap struct {
	Nodes []string // sorted
	At    At       // the first state in it
}

// Traps gives the regions without a way to an ending, one for each set of nodes;
// none in a world without endings.
func (sp *Space) Traps() []Trap {
	r := sp.main
	if !r.faithful() || !slices.ContainsFunc(r.m.nodes, func(n node) bool { return n.ending }) {
		return nil
	}
	ends := r.ways.leadTo(r.table.count, func(i int) bool { return r.unknown(i) || r.m.nodes[r.node(i)].ending })
	halts := r.ways.leadTo(r.table.count, func(i int) bool { return !r.unknown(i) && r.halts(i) })
	var out []Trap
	known, entered := map[string]bool{}, map[int]bool{}
	for i := range ends {
		if ends[i] || halts[i] || entered[r.node(i)] {
			continue // fine, reported as a dead end, or reported
		}
		if p := int(r.parents[i]); p != i && !ends[p] && !halts[p] {
			continue // not where the region begins
		}
		entered[r.node(i)] = true
		nodes := r.region(i)
		if key := strings.Join(nodes, " "); !known[key] {
			known[key] = true
			out = append(out, Trap{Nodes: nodes, At: At{r, i}})
		}
	}
	return out
}

// halts reports a state whose only ways lead to itself or nowhere else in its
// node, with no exit open.
func (r *run) halts(i int) bool {
	return !r.leaves[i] && !r.m.nodes[r.node(i)].ending && !slices.ContainsFunc(r.ways.row(i), func(to uint32) bool { return int(to) != i })
}

// region lists the nodes of the states that a state leads to.
func (r *run) region(from int) []string {
	seen, todo := map[uint32]bool{uint32(from): true}, []uint32{uint32(from)}
	nodes := map[int]bool{}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nodes[r.node(int(i))] = true
		for _, to := range r.ways.row(int(i)) {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	var out []string
	for n := range nodes {
		out = append(out, r.m.nodes[n].id)
	}
	slices.Sort(out)
	return out
}

// Cycle is a way round through auto exits that a player takes by saying nothing
// special.
type Cycle struct {
	Nodes []string // in order, the first first reached
	At    At
}

// Cycles gives the ways round without a choice, one for each list of nodes.
func (sp *Space) Cycles() []Cycle {
	r := sp.main
	if !r.faithful() {
		return nil
	}
	state := make([]int, r.looked()) // 0 = new, else the number of the walk that came by
	var out []Cycle
	known := map[string]bool{}
	for start := range state {
		at := start
		for at < len(state) && state[at] == 0 {
			state[at] = start + 1
			at = int(r.idle[at].to)
		}
		if at >= len(state) || state[at] != start+1 {
			continue
		}
		nodes, first, auto := r.round(at)
		if key := strings.Join(slices.Sorted(slices.Values(nodes)), " "); auto && !known[key] {
			known[key] = true
			out = append(out, Cycle{nodes, At{r, first}})
		}
	}
	return out
}

// round follows a cycle of idle turns; nodes begin with that of its first state.
func (r *run) round(at int) (nodes []string, first int, auto bool) {
	first = at
	for i := int(r.idle[at].to); i != at; i = int(r.idle[i].to) {
		first = min(first, i)
	}
	for i, more := first, true; more; more = i != first {
		if id := r.m.nodes[r.node(i)].id; len(nodes) == 0 || nodes[len(nodes)-1] != id {
			nodes = append(nodes, id)
		}
		auto = auto || r.idle[i].auto
		i = int(r.idle[i].to)
	}
	return nodes, first, auto
}
