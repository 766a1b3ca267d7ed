package interp

import "math"

// coded is what an array was decoded from: codes, and scales that are spread over
// them, one for all or one for each row of the last dimension.
type coded struct {
	codes  []int8
	scales []float32
}

func codes(raw []byte) []int8 {
	list := make([]int8, len(raw))
	for i, b := range raw {
		list[i] = int8(b)
	}
	return list
}

// scale is that of a row.
func (c *coded) scale(row int) float32 {
	if len(c.scales) == 1 {
		return c.scales[0]
	}
	return c.scales[row]
}

// quantize writes codes, of -128 to 127, halves to even.
func quantize(x, scale Array, out *Array) {
	c := coded{scales: scale.F}
	cols := x.Dims[len(x.Dims)-1]
	out.Q, out.F = make([]int8, len(x.F)), nil
	for i, v := range x.F {
		code := math.RoundToEven(float64(v / c.scale(i/cols)))
		out.Q[i] = int8(min(127, max(-128, code)))
	}
}

func dequantize(q, scale Array, out *Array) {
	out.coded = &coded{q.Q, scale.F}
	cols := q.Dims[len(q.Dims)-1]
	for i, code := range q.Q {
		out.F[i] = float32(code) * out.coded.scale(i/cols)
	}
}

func tokenScale(x Array, out *Array) {
	cols := x.Dims[len(x.Dims)-1]
	for row := range out.F {
		most := float32(0)
		for _, v := range x.F[row*cols : (row+1)*cols] {
			most = max(most, float32(math.Abs(float64(v))))
		}
		out.F[row] = most / 127
		if most == 0 {
			out.F[row] = 1
		}
	}
}

// integers is matmul of two arrays of codes.
func integers(x, w Array, out *Array) {
	rows, cols := w.Dims[0], w.Dims[1]
	tokens := len(x.F) / cols
	shared(rows, cols*tokens, func(row int) {
		weight := w.coded.codes[row*cols : (row+1)*cols]
		for t := range tokens {
			sum := int32(0)
			for i, code := range x.coded.codes[t*cols : (t+1)*cols] {
				sum += int32(code) * int32(weight[i])
			}
			out.F[t*rows+row] = float32(float64(sum) * float64(x.coded.scale(t)) * float64(w.coded.scale(row)))
		}
	})
}
