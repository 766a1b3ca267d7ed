//go:build tensorrt && device

package bridge_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/bridge"
)

// These tests hold every kernel on a real card against a plain computation in
// float64: go test -tags 'tensorrt device'. They need the driver, not TensorRT.

// card opens the first card with the kernels for a head size and a type.
func card(t testing.TB, size int, bf16, overlap bool) *bridge.Device {
	t.Helper()
	if _, err := bridge.Driver(); err != nil {
		t.Fatal(err)
	}
	d, err := bridge.OpenDevice(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	if err := d.Kernels(size, bf16, overlap); err != nil {
		t.Fatal(err)
	}
	return d
}

func element(bf16 bool) weights.Type {
	if bf16 {
		return weights.BF16
	}
	return weights.F16
}

// bits gives n random elements of a type and what they hold.
func bits(r *rand.Rand, kind weights.Type, n int, spread float64) ([]uint16, []float32) {
	raw, held := make([]uint16, n), make([]float32, n)
	for i := range raw {
		v := float32((2*r.Float64() - 1) * spread)
		raw[i], held[i] = kind.Bits(v), kind.Round(v)
	}
	return raw, held
}

func floats(r *rand.Rand, n int, middle, spread float64) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(middle + (2*r.Float64()-1)*spread)
	}
	return list
}

// value reads an element of a type.
func value(kind weights.Type, raw uint16) float64 {
	return float64(kind.Floats([]byte{byte(raw), byte(raw >> 8)})[0])
}

// product is a trial and what its operands hold.
type product struct {
	bridge.ProductTrial
	kind          weights.Type
	x, w, bias    []float32
	sampled, wide int // rows that are checked; rows of the weight
}

func newProduct(r *rand.Rand, l bridge.Linear, tokens int, bias bool) *product {
	p := &product{ProductTrial: bridge.ProductTrial{Linear: l, Tokens: tokens}, kind: element(l.BF16), wide: l.Rows}
	if l.Kind == bridge.Gated {
		p.wide *= 2
	}
	if l.Codes {
		p.codes(r)
	} else {
		p.Weight, p.w = bits(r, p.kind, p.wide*l.In, math.Sqrt(3/float64(l.In)))
	}
	if l.Eps > 0 {
		p.X32, p.Gamma = floats(r, tokens*l.In, 0, 3), floats(r, l.In, 1, 0.5)
		p.normalise()
	} else {
		p.X16, p.x = bits(r, p.kind, tokens*l.In, 1)
	}
	if bias {
		p.Bias, p.bias = bits(r, p.kind, l.Rows, 1)
	}
	if l.Kind == bridge.Added {
		p.Residual = floats(r, tokens*l.Rows, 0, 4)
	}
	if l.Kind == bridge.Added || l.Kind == bridge.Wide {
		p.Out32 = make([]float32, tokens*l.Rows)
	} else {
		p.Out16 = make([]uint16, tokens*l.Rows)
	}
	return p
}

// codes gives a weight of random codes and scales.
func (p *product) codes(r *rand.Rand) {
	var scales []float32
	p.Scales, scales = bits(r, p.kind, p.wide, math.Sqrt(3/float64(p.In))/127)
	p.Coded, p.w = make([]int8, p.wide*p.In), make([]float32, p.wide*p.In)
	for i := range p.Coded {
		p.Coded[i] = int8(r.IntN(255) - 127)
		p.w[i] = float32(p.Coded[i]) * scales[i/p.In]
	}
}

func (p *product) normalise() {
	p.x = make([]float32, p.Tokens*p.In)
	for t := range p.Tokens {
		row, sum := p.X32[t*p.In:(t+1)*p.In], 0.0
		for _, v := range row {
			sum += float64(v) * float64(v)
		}
		scale := 1 / math.Sqrt(sum/float64(p.In)+float64(p.Eps))
		for i, v := range row {
			p.x[t*p.In+i] = p.kind.Round(float32(float64(v) * scale * float64(p.Gamma[i])))
		}
	}
}

func (p *product) dot(t, row int) float64 {
	sum := 0.0
	for i, w := range p.w[row*p.In : (row+1)*p.In] {
		sum += float64(w) * float64(p.x[t*p.In+i])
	}
	return sum
}

func (p *product) want(t, row int) float64 {
	y, held := p.dot(t, row), func(y float64) float64 { return float64(p.kind.Round(float32(y))) }
	if p.Kind == bridge.Gated {
		y = held(y)
		return y / (1 + math.Exp(-y)) * held(p.dot(t, row+p.Rows))
	}
	if p.bias != nil {
		y = held(y) + float64(p.bias[row])
	}
	if p.Kind == bridge.Added {
		y += float64(p.Residual[t*p.Rows+row])
	}
	return y
}

func (p *product) got(t, row int) float64 {
	if p.Out32 != nil {
		return float64(p.Out32[t*p.Rows+row])
	}
	return value(p.kind, p.Out16[t*p.Rows+row])
}

// farthest gives the greatest difference over all rows, or some of many: relative
// where results are above 1.
func (p *product) farthest(r *rand.Rand) float64 {
	most, rows := 0.0, p.Rows
	for i := range min(rows, 60) {
		row := i
		if rows > 60 {
			row = r.IntN(rows)
		}
		for t := range p.Tokens {
			want := p.want(t, row)
			if d := math.Abs(want-p.got(t, row)) / max(1, math.Abs(want)); !(d <= most) {
				most = d
			}
		}
	}
	return most
}

var products = []struct {
	bridge.Linear
	bias bool
}{
	{bridge.Linear{Kind: bridge.Plain, In: 576, Rows: 960, Eps: 1e-5}, false},
	{bridge.Linear{Kind: bridge.Plain, In: 64, Rows: 100, Eps: 1e-5}, true},
	{bridge.Linear{Kind: bridge.Plain, In: 72, Rows: 33}, true},
	{bridge.Linear{Kind: bridge.Plain, In: 3072, Rows: 4608, Eps: 1e-5}, true},
	{bridge.Linear{Kind: bridge.Added, In: 1536, Rows: 576}, false},
	{bridge.Linear{Kind: bridge.Added, In: 8192, Rows: 3072}, true},
	{bridge.Linear{Kind: bridge.Added, In: 104, Rows: 24}, true},
	{bridge.Linear{Kind: bridge.Gated, In: 576, Rows: 1536, Eps: 1e-5}, false},
	{bridge.Linear{Kind: bridge.Gated, In: 3072, Rows: 8192, Eps: 1e-5}, false},
	{bridge.Linear{Kind: bridge.Gated, In: 96, Rows: 52, Eps: 1e-5}, false},
	{bridge.Linear{Kind: bridge.Wide, In: 576, Rows: 49152, Eps: 1e-5}, false},
	{bridge.Linear{Kind: bridge.Wide, In: 128, Rows: 1001, Eps: 1e-5}, true},
}

func TestProductsOnACard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bf16 := range []bool{false, true} {
		limit := 0.004
		if bf16 {
			limit = 0.03
		}
		d := card(t, 64, bf16, true)
		all := slices.Clone(products)
		for _, c := range products {
			if c.Codes = true; c.In%16 == 0 {
				all = append(all, c)
			}
		}
		for _, c := range all {
			c.BF16 = bf16
			worst := 0.0
			for _, tokens := range []int{1, 2, 8, 9, 19, 32, 64} {
				p := newProduct(r, c.Linear, tokens, c.bias)
				if _, err := d.Product(p.ProductTrial); err != nil {
					t.Fatalf("%+v, %d tokens: %v", c, tokens, err)
				}
				far := p.farthest(r)
				if !(far <= limit) {
					t.Errorf("%+v, bias %t, %d tokens: %g away", c.Linear, c.bias, tokens, far)
				}
				worst = max(worst, far)
			}
			fmt.Printf("kernel product kind %d in %d rows %d bf16 %t codes %t: within %.5f\n", c.Kind, c.In, c.Rows, bf16, c.Codes, worst)
		}
	}
}

// TestBestOnACard asks for rows that are easy, flat, tied and broken.
func TestBestOnACard(t *testing.T) {
	d := card(t, 64, false, true)
	r := rand.New(rand.NewPCG(3, 4))
	rows := map[string]func(i, vocab int) float32{
		"normal":  func(int, int) float32 { return float32(r.NormFloat64() * 3) },
		"peaked":  func(i, _ int) float32 { return float32(r.NormFloat64() - 40*math.Min(1, float64(i))) },
		"tied":    func(i, _ int) float32 { return float32(i % 200) },
		"flat":    func(int, int) float32 { return 1 },
		"falling": func(i, _ int) float32 { return float32(-i) },
		"wide":    func(i, _ int) float32 { return float32(r.NormFloat64() * 1000) },
	}
	for _, vocab := range []int{17, 256, 1000, 4099, 32064, 49152, 151936} {
		for name, make1 := range rows {
			const n = 3
			logits := make([]float32, n*vocab)
			for i := range logits {
				logits[i] = make1(i%vocab, vocab)
			}
			got, _, err := d.Best(logits, n, 0)
			if err != nil {
				t.Fatal(err)
			}
			for row := range n {
				sameBest(t, fmt.Sprint(name, " ", vocab), logits[row*vocab:(row+1)*vocab], got[row])
			}
		}
	}
	odd := floats(r, 49152, 0, 1)
	odd[777] = float32(math.NaN())
	if got, _, err := d.Best(odd, 1, 0); err != nil || got[0].IDs != nil {
		t.Errorf("NaN gives %v, %v", got, err)
	}
	fmt.Println("kernel best: ids, order and sums are those of the host")
}

func sameBest(t *testing.T, what string, logits []float32, got bridge.Best) {
	t.Helper()
	order := make([]int32, len(logits))
	for i := range order {
		order[i] = int32(i)
	}
	sortBest(order, logits)
	n := min(256, len(logits))
	if got.IDs == nil {
		equal := 0
		for _, v := range logits {
			if v >= logits[order[n-1]] {
				equal++
			}
		}
		if equal < 1000 { // more need not fit
			t.Errorf("%s: nothing given, though only %d are as good as the last", what, equal)
		}
		return
	}
	if len(got.IDs) != n {
		t.Errorf("%s: %d ids, not %d", what, len(got.IDs), n)
		return
	}
	for i, id := range got.IDs {
		if id != order[i] || got.Logits[i] != logits[id] {
			t.Errorf("%s: place %d has %d (%g), not %d (%g)", what, i, id, got.Logits[i], order[i], logits[order[i]])
			return
		}
	}
	sum := 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - float64(logits[order[0]]))
	}
	if want := float64(logits[order[0]]) + math.Log(sum); math.Abs(want-got.LogSum) > 1e-4*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: sum %g, not %g", what, got.LogSum, want)
	}
}
