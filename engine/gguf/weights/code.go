package weights

import (
	"encoding/binary"
	"fmt"
	"math"
)

// mostCode is the greatest code of a row; -128 is left out, so that a row is
// symmetric.
const mostCode = 127

// coded makes of a row what its item asks for: its codes, or its one scale. The row is
// overwritten.
func (i Item) coded(row []float32) []float32 {
	most := float32(0)
	for c := range row {
		if i.Columns != nil {
			row[c] *= i.Columns[c]
		}
		most = max(most, float32(math.Abs(float64(row[c]))))
	}
	scale := i.Rounded.Round(most / mostCode)
	if scale == 0 { // a row of zeros, or too small for the type
		scale = 1
	}
	if i.Scales {
		return append(row[:0], scale)
	}
	for c, v := range row {
		row[c] = float32(min(mostCode, max(-mostCode, math.RoundToEven(float64(v/scale)))))
	}
	return row
}

// Columns gives the greatest magnitude of each column of an item's parts, which have
// the same columns.
func (p *Plan) Columns(name string) ([]float32, error) {
	item, there := p.items[name]
	if !there || len(item.Parts) == 0 {
		return nil, fmt.Errorf("weights: no matrix %q", name)
	}
	most := make([]float32, item.Parts[0].Cols)
	for k, part := range item.Parts {
		rows := max(1, chunk/part.Cols)
		r := newRun(p, item.Item, part, item.tensors[k], rows)
		for start := 0; start < part.Rows; start += rows {
			n := min(rows, part.Rows-start)
			raw, err := r.read(start, n)
			if err != nil {
				return nil, wrap(part.Tensor, err)
			}
			values := r.values[:n*part.Cols]
			r.expand(values, raw)
			for c, v := range values {
				most[c%part.Cols] = max(most[c%part.Cols], float32(math.Abs(float64(v))))
			}
		}
	}
	return most, nil
}

// storeQ8 writes whole blocks of Q8_0 as ggml does: a scale in FP16, the greatest
// magnitude over 127, and codes that are rounded by the scale before it was narrowed,
// halves away from zero.
func storeQ8(dst []byte, values []float32) {
	for len(values) > 0 {
		most := float32(0)
		for _, v := range values[:blockQ8] {
			most = max(most, float32(math.Abs(float64(v))))
		}
		scale, inverse := most/mostCode, float32(0)
		if scale != 0 {
			inverse = 1 / scale
		}
		binary.LittleEndian.PutUint16(dst, F16.Bits(scale))
		for i, v := range values[:blockQ8] {
			dst[2+i] = byte(int8(math.Round(float64(v * inverse))))
		}
		dst, values = dst[blockQ8Bytes:], values[blockQ8:]
	}
}
