package interp

import (
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"

	"fabula/engine/tensorrt/graph"
)

func gather(table, rows Array, out *Array) error {
	size := len(table.F) / table.Dims[0]
	for i, row := range rows.I {
		if row < 0 || int(row) >= table.Dims[0] {
			return fmt.Errorf("row %d of a table of %d", row, table.Dims[0])
		}
		copy(out.F[i*size:(i+1)*size], table.F[int(row)*size:])
	}
	return nil
}

// inline is the number of products below which other processors are no help.
const inline = 1 << 18

// matmul computes its columns on all processors.
func matmul(x, w Array, out *Array) {
	rows, cols := w.Dims[0], w.Dims[1]
	tokens := len(x.F) / cols
	shared(rows, cols*tokens, func(row int) {
		weight := w.F[row*cols : (row+1)*cols]
		for t := range tokens {
			out.F[t*rows+row] = dot(x.F[t*cols:(t+1)*cols], weight)
		}
	})
}

// shared does rows on all processors, each of so many products.
func shared(rows, products int, one func(row int)) {
	share := (rows + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	if rows*products < inline {
		share = rows
	}
	var workers sync.WaitGroup
	for start := 0; start < rows; start += share {
		workers.Go(func() {
			for row := start; row < min(start+share, rows); row++ {
				one(row)
			}
		})
	}
	workers.Wait()
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// broadcast applies f, b being spread over the shape of a.
func broadcast(a, b Array, out *Array, f func(a, b float32) float32) {
	steps := make([]int, len(a.Dims)) // of b, 0 along a dimension that is spread
	step := 1
	for i := len(b.Dims) - 1; i >= 0; i-- {
		if b.Dims[i] > 1 {
			steps[len(a.Dims)-len(b.Dims)+i] = step
		}
		step *= b.Dims[i]
	}
	for i := range a.F {
		at, rest := 0, i
		for d := len(a.Dims) - 1; d >= 0; d-- {
			at += rest % a.Dims[d] * steps[d]
			rest /= a.Dims[d]
		}
		out.F[i] = f(a.F[i], b.F[at])
	}
}

func norm(eps float32, x, weight Array, out *Array) {
	n := len(weight.F)
	for at := 0; at < len(x.F); at += n {
		row, squares := x.F[at:at+n], 0.0
		for _, v := range row {
			squares += float64(v) * float64(v)
		}
		scale := float32(1 / math.Sqrt(squares/float64(n)+float64(eps)))
		for i, v := range row {
			out.F[at+i] = v * scale * weight.F[i]
		}
	}
}

func rope(rotary int, in []Array, out *Array) {
	x, cos, sin := in[0], in[1].F, in[2].F
	heads, size, half := x.Dims[2], x.Dims[3], rotary/2
	copy(out.F, x.F)
	for at := 0; at < len(x.F); at += size {
		angles := at / size / heads * half // of the token that the head is of
		for i := range half {
			a, b, c, s := x.F[at+i], x.F[at+i+half], cos[angles+i], sin[angles+i]
			out.F[at+i], out.F[at+i+half] = a*c-b*s, b*c+a*s
		}
	}
}

func silu(gate, up Array, out *Array) {
	for i, g := range gate.F {
		out.F[i] = float32(float64(g)/(1+math.Exp(-float64(g)))) * up.F[i]
	}
}

func slice(op graph.Slice, x Array, out *Array) {
	n := x.Dims[len(x.Dims)-1]
	for from, to := op.Start, 0; to < len(out.F); from, to = from+n, to+op.Size {
		copy(out.F[to:to+op.Size], x.F[from:])
	}
}

func last(x, index Array, out *Array) error {
	tokens, n := x.Dims[1], x.Dims[2]
	for b, s := range index.I {
		if s < 0 || int(s) >= tokens {
			return fmt.Errorf("token %d of %d", s, tokens)
		}
		copy(out.F[b*n:(b+1)*n], x.F[(b*tokens+int(s))*n:])
	}
	return nil
}

// best fills values with the k largest of each row and gives their indices.
func best(k int, x, values Array) []int32 {
	n := x.Dims[len(x.Dims)-1]
	var ids []int32
	for at := 0; at < len(x.F); at += n {
		row := x.F[at : at+n]
		order := make([]int32, n)
		for i := range order {
			order[i] = int32(i)
		}
		sort.SliceStable(order, func(i, j int) bool { return row[order[i]] > row[order[j]] })
		for _, id := range order[:k] {
			values.F[len(ids)] = row[id]
			ids = append(ids, id)
		}
	}
	return ids
}
