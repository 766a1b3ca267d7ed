package compare

// edit is a stretch of two sequences: the same in both, or replaced. Stretches
// of both kinds alternate.
type edit struct {
	same           bool
	a0, a1, b0, b1 int
}

// align gives a shortest way from one sequence to another by taking away and
// putting in: Myers, An O(ND) Difference Algorithm (1986).
func align(x, y []string) []edit {
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var p path
	p.run(head)
	for _, s := range snakes(x[head:len(x)-tail], y[head:len(y)-tail]) {
		p.change(s.a-(p.a-head), s.b-(p.b-head))
		p.run(s.n)
	}
	p.change(len(x)-tail-p.a, len(y)-tail-p.b)
	p.run(tail)
	return p.edits
}

// path is where an alignment has come to.
type path struct {
	a, b  int
	edits []edit
}

func (p *path) run(n int)       { p.add(true, n, n) }
func (p *path) change(a, b int) { p.add(false, a, b) }

func (p *path) add(same bool, a, b int) {
	if a == 0 && b == 0 {
		return
	}
	if n := len(p.edits); n > 0 && p.edits[n-1].same == same {
		p.edits[n-1].a1 += a
		p.edits[n-1].b1 += b
	} else {
		p.edits = append(p.edits, edit{same, p.a, p.a + a, p.b, p.b + b})
	}
	p.a, p.b = p.a+a, p.b+b
}

// snake is n equal elements from a and b on.
type snake struct{ a, b, n int }

// snakes gives what is equal on a shortest way. Row d of trace holds, by
// diagonal, how far x was come with d changes.
func snakes(x, y []string) []snake {
	most := len(x) + len(y)
	far := make([]int, 2*most+2)
	var trace [][]int
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			a := step(far, most, d, k)
			for a < len(x) && a-k < len(y) && x[a] == y[a-k] {
				a++
			}
			far[most+k] = a
			if a >= len(x) && a-k >= len(y) {
				return back(x, y, append(trace, row(far, most, d)))
			}
		}
		trace = append(trace, row(far, most, d))
	}
	return nil
}

// row keeps the diagonals -d..d.
func row(far []int, most, d int) []int {
	return append([]int(nil), far[most-d:most+d+1]...)
}

// step gives where one more change leads on diagonal k.
func step(far []int, most, d, k int) int {
	switch {
	case d == 0:
		return 0
	case k == -d || k != d && far[most+k-1] < far[most+k+1]:
		return far[most+k+1]
	}
	return far[most+k-1] + 1
}

// back follows the trace from the end to the beginning.
func back(x, y []string, trace [][]int) []snake {
	var out []snake
	a, b := len(x), len(y)
	for d := len(trace) - 1; d >= 0; d-- {
		k := a - b
		from, down := 0, false
		if d > 0 {
			prev := func(k int) int { return trace[d-1][k+d-1] }
			down = k == -d || k != d && prev(k-1) < prev(k+1)
			if down {
				from = prev(k + 1)
			} else {
				from = prev(k-1) + 1
			}
		}
		if n := a - from; n > 0 {
			out = append([]snake{{from, from - k, n}}, out...)
		}
		if a, b = from, from-k; d > 0 {
			if down {
				b--
			} else {
				a--
			}
		}
	}
	return out
}
