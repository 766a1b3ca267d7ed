package weights_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/weights"
)

// Codes and scales go to the rows that the numbers would go to, columns multiplied.
func TestCodesAndScales(t *testing.T) {
	f := file(tensor("q", []uint64{2, 4}, 127, -50, 1, 2, 0, 0, 254, 100), tensor("v", []uint64{2, 1}, 0.5, -0.25))
	parts := []weights.Part{{Tensor: "q", Rows: 4, Cols: 2, Heads: 1}, {Tensor: "v", Rows: 1, Cols: 2}}
	p := plan(t, f,
		weights.Item{Name: "codes", Type: weights.I8, Parts: parts},
		weights.Item{Name: "scales", Parts: parts, Scales: true},
		weights.Item{Name: "wide", Type: weights.I8, Parts: parts, Columns: []float32{1, 4}},
		weights.Item{Name: "wide scales", Type: weights.F16, Rounded: weights.F16, Parts: parts, Columns: []float32{1, 4}, Scales: true},
	)
	signed := func(name string) []int8 {
		var list []int8
		for _, b := range bytesOf(t, p, name) {
			list = append(list, int8(b))
		}
		return list
	}
	if got, want := signed("codes"), []int8{127, -50, 0, 0, 64, 127, 127, 50, 127, -64}; !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
	if got, want := signed("wide"), []int8{81, -127, 0, 0, 16, 127, 81, 127, 64, -127}; !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
	if got := weights.F32.Floats(bytesOf(t, p, "scales")); !slices.Equal(got, []float32{1, 1, 2. / 127, 2, 0.5 / 127}) {
		t.Errorf("scales %v", got)
	}
	for i, want := range []float32{200. / 127, 1, 8. / 127, 400. / 127, 1. / 127} {
		if got := weights.F16.Floats(bytesOf(t, p, "wide scales"))[i]; got != weights.F16.Round(want) {
			t.Errorf("scale %d is %g, not %g", i, got, want)
		}
	}
	if most, err := p.Columns("codes"); err != nil || !slices.Equal(most, []float32{254, 100}) {
		t.Errorf("columns %v, %v", most, err)
	}
	if _, err := p.Columns("none"); err == nil {
		t.Error("columns of nothing")
	}
	if p.Bytes() != 10+5*4+10+5*2 {
		t.Errorf("%d bytes", p.Bytes())
	}
}

func bytesOf(t *testing.T, p *weights.Plan, name string) []byte {
	t.Helper()
	raw, err := p.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// However a row was stored, its codes are at most half a scale from its numbers.
func TestCodesAreNearTheirNumbers(t *testing.T) {
	const cols, rows = 96, 700
	values := make([]float32, rows*cols)
	for i := range values {
		values[i] = float32(math.Sin(float64(i*i%977))) * float32(i/cols%50)
	}
	part := []weights.Part{{Tensor: "w", Rows: rows, Cols: cols}}
	p := plan(t, file(sample.Tensor(tensor("w", []uint64{cols, rows}, values...))),
		weights.Item{Name: "codes", Type: weights.I8, Parts: part}, weights.Item{Name: "scales", Parts: part, Scales: true})
	codes, scales := bytesOf(t, p, "codes"), weights.F32.Floats(bytesOf(t, p, "scales"))
	for i, v := range values {
		if d := math.Abs(float64(float32(int8(codes[i]))*scales[i/cols] - v)); d > float64(scales[i/cols])*0.50001 {
			t.Fatalf("element %d: %g away, the scale is %g", i, d, scales[i/cols])
		}
	}
}

// A copy in Q8_0 is as near as its blocks let it be, and reads back what it holds.
func TestCopyInQ8(t *testing.T) {
	const cols, rows = 64, 6
	values := make([]float32, rows*cols)
	for i := range values {
		values[i] = float32(math.Cos(float64(i*i))) * float32(1+i/32%3)
	}
	values[40] = 0
	f := file(tensor("w", []uint64{cols, rows}, values...), tensor("n", []uint64{3}, 1, 2, 3), tensor("odd", []uint64{4, 2}, 1, 2, 3, 4, 5, 6, 7, 8))
	data := f.Bytes()
	h, err := header.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := weights.Copy(&out, h, bytes.NewReader(data), weights.Q8_0); err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(out.Bytes())
	if h, err = header.Read(in, int64(out.Len())); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, tensor := range h.Tensors {
		kinds = append(kinds, tensor.Type.String())
	}
	if !slices.Equal(kinds, []string{"Q8_0", "F32", "F16"}) {
		t.Fatalf("formats %v", kinds)
	}
	p, err := weights.NewPlan(h, in, []weights.Item{
		{Name: "w", Parts: []weights.Part{{Tensor: "w", Rows: rows, Cols: cols}}},
		{Name: "n", Parts: []weights.Part{{Tensor: "n", Rows: 3, Cols: 1}}}, {Name: "odd", Parts: []weights.Part{{Tensor: "odd", Rows: 2, Cols: 4}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range weights.F32.Floats(bytesOf(t, p, "w")) {
		most := float32(0)
		for _, v := range values[i/32*32:][:32] {
			most = max(most, float32(math.Abs(float64(v))))
		}
		if d := math.Abs(float64(got - values[i])); d > float64(most)/127*0.6 {
			t.Errorf("element %d: %g, not %g", i, got, values[i])
		}
	}
	if got := weights.F32.Floats(bytesOf(t, p, "odd")); !slices.Equal(got, []float32{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("odd rows %v", got)
	}
}
