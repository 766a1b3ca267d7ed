package space

import "slices"

// run is one search of the states of a model. States are numbered in the order
// in which they were reached, so that a smaller number is never farther from
// the start.
type run struct {
	m       *model
	table   table
	parents []uint32 // a beginning comes from itself
	ways    graph
	leaves  []bool // by state: some exit can be taken
	idle    []idle // by state: what comes of saying nothing special
	marks   marks
	bounds  []Bound
	row     []uint64
	crowded []bool // by node: more beats could fire at once than were tried together
	first   []int  // by node: the first state in it, -1 = none
}

// idle is what comes of a turn in which nothing special is said.
type idle struct {
	to   uint32
	auto bool // by an auto exit that moves
}

// search goes through the states of a model, breadth first.
func search(m *model, l Limits) *run {
	r := &run{m: m, table: newTable(m.words), marks: newMarks(m), bounds: slices.Clone(m.bounds), row: make([]uint64, m.words),
		first: none(len(m.nodes)), crowded: make([]bool, len(m.nodes))}
	p := newPlayer(m, &r.marks)
	for lang := range m.langs {
		if lang == 0 || m.lang >= 0 {
			p.begin(lang)
			r.marks.seen(p.st[0], p.st)
			r.reach(p, r.table.count)
		}
	}
	for i := 0; i < r.table.count; i++ {
		if r.table.count > l.States || len(r.ways.to) > l.Turns {
			r.bounds = append(r.bounds, Bound{Kind: BoundStates, At: r.table.count})
			break
		}
		r.expand(p, i)
	}
	for n, yes := range p.crowded {
		if r.crowded[n] = yes; yes {
			r.bounds = append(r.bounds, Bound{BoundBeats, mostBeats, m.nodes[n].id})
		}
	}
	return r
}

// expand plays every turn of a state. The first tape, all picks 0, is that of
// saying nothing special.
func (r *run) expand(p *player, i int) {
	open, quiet := false, idle{}
	from := p.from
	r.m.unpack(from, r.table.row(i))
	copy(p.st, from)
	r.marks.now = i
	p.rest()
	p.tape.clear()
	p.reached = p.reached[:0]
	for more, leaf := true, 0; more; more, leaf = p.tape.advance(), leaf+1 {
		copy(p.st, from)
		p.tape.rewind()
		p.turn()
		r.marks.seen(from[0], p.st)
		to := r.reach(p, i)
		open = open || p.left
		if leaf == 0 {
			quiet = idle{to, p.auto}
		}
		p.reached = append(p.reached, to)
	}
	slices.Sort(p.reached)
	r.ways.add(slices.Compact(p.reached))
	r.leaves, r.idle = append(r.leaves, open), append(r.idle, quiet)
}

// reach adds the player's state, reached from another.
func (r *run) reach(p *player, from int) uint32 {
	for _, f := range r.m.nodes[p.st[0]].dead {
		p.st[f] = 0
	}
	r.m.pack(r.row, p.st)
	i, fresh := r.table.add(r.row)
	if fresh {
		r.parents = append(r.parents, uint32(from))
		r.first[p.st[0]] = first(r.first[p.st[0]], i)
	}
	return uint32(i)
}

// looked is how many states had all their turns played.
func (r *run) looked() int { return len(r.leaves) }

func (r *run) bytes() int {
	return r.table.bytes() + 4*cap(r.parents) + r.ways.bytes() + cap(r.leaves) + 8*cap(r.idle)
}

// node is the node that a state stands in.
func (r *run) node(state int) int {
	f := &r.m.fields[0]
	return int(r.table.row(state)[f.word] >> f.shift & f.mask)
}
