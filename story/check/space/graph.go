package space

// graph is the ways from state to state, as rows one after the other.
type graph struct {
	from []uint32 // where the row of a state begins; the last is the end
	to   []uint32
}

// add appends the row of the next state.
func (g *graph) add(to []uint32) {
	if len(g.from) == 0 {
		g.from = append(g.from, 0)
	}
	g.to = append(g.to, to...)
	g.from = append(g.from, uint32(len(g.to)))
}

func (g *graph) row(i int) []uint32 { return g.to[g.from[i]:g.from[i+1]] }

func (g *graph) bytes() int { return 4 * (cap(g.from) + cap(g.to)) }

// leadTo marks, of n states, those from which one of the goals can be reached,
// the goals included.
func (g *graph) leadTo(n int, goal func(i int) bool) []bool {
	back := g.reversed(n)
	reached := make([]bool, n)
	var todo []uint32
	for i := range n {
		if goal(i) {
			reached[i] = true
			todo = append(todo, uint32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range back.row(int(i)) {
			if !reached[from] {
				reached[from] = true
				todo = append(todo, from)
			}
		}
	}
	return reached
}

// reversed turns every way round, among n states.
func (g *graph) reversed(n int) graph {
	back := graph{from: make([]uint32, n+1), to: make([]uint32, len(g.to))}
	for _, to := range g.to {
		back.from[to+1]++
	}
	for i := range n {
		back.from[i+1] += back.from[i]
	}
	at := make([]uint32, n)
	copy(at, back.from)
	for i := range len(g.from) - 1 {
		for _, to := range g.row(i) {
			back.to[at[to]] = uint32(i)
			at[to]++
		}
	}
	return back
}
