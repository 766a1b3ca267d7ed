package sampling

// A binary heap of candidates, likeliest first. container/heap would allocate
// an interface per candidate.

func heapify(h []candidate) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		sink(h, i)
	}
}

// pop removes the first candidate and returns what is left.
func pop(h []candidate) []candidate {
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	if n > 1 {
		sink(h, 0)
	}
	return h
}

func sink(h []candidate, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// The same with the worst candidate on top.

func heapifyWorst(h []candidate) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		sinkWorst(h, i)
	}
}

func sinkWorst(h []candidate, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child].before(h[child+1]) {
			child++
		}
		if !h[i].before(h[child]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
