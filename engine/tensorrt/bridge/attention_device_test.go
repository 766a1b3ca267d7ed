//go:build tensorrt && device

package bridge_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/bridge"
)

func sortBest(order []int32, logits []float32) {
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(logits[b], logits[a]), cmp.Compare(a, b)) })
}

// attention is a trial and what its operands hold.
type attention struct {
	bridge.AttentionTrial
	kind        weights.Type
	qkv, before []float32
	width       int // of a row of qkv
}

// newAttention gives tokens to sequences: counts[i] tokens to sequence i, which holds
// past[i]. fill tokens have no sequence.
func newAttention(r *rand.Rand, a bridge.Attention, counts, past []int, fill int) *attention {
	t := &attention{kind: element(a.BF16), width: (a.Heads + 2*a.KeyHeads) * a.Size}
	t.Attention, t.Tokens, t.Sequences = a, 1, len(counts)
	for i, n := range counts {
		for k := range n {
			t.Past, t.Slots = append(t.Past, int32(past[i]+k)), append(t.Slots, int32(i))
		}
	}
	t.Batch = len(t.Past) + fill
	t.QKV, t.qkv = bits(r, t.kind, t.Batch*t.width, 1)
	for range fill {
		t.Past, t.Slots = append(t.Past, 0), append(t.Slots, -1)
	}
	for _, p := range t.Past {
		for i := range a.Rotary / 2 {
			angle := float64(p) / math.Pow(10000, 2*float64(i)/float64(a.Rotary))
			t.Cos, t.Sin = append(t.Cos, float32(math.Cos(angle))), append(t.Sin, float32(math.Sin(angle)))
		}
	}
	if a.Rotary == 0 {
		t.Cos, t.Sin = []float32{0}, []float32{0}
	}
	t.Cache, t.before = bits(r, t.kind, len(counts)*a.Layers*2*a.KeyHeads*a.Context*a.Size, 1)
	t.Out = make([]uint16, t.Batch*a.Heads*a.Size)
	return t
}

// turned gives a head of a token after rotation.
func (t *attention) turned(token, head int) []float64 {
	x := t.qkv[token*t.width+head*t.Size:][:t.Size]
	out := make([]float64, t.Size)
	for d := range out {
		out[d] = float64(x[d])
		if half := t.Rotary / 2; d < half {
			c, s := float64(t.Cos[token*half+d]), float64(t.Sin[token*half+d])
			out[d] = float64(x[d])*c - float64(x[d+half])*s
		} else if d < t.Rotary {
			c, s := float64(t.Cos[token*half+d-half]), float64(t.Sin[token*half+d-half])
			out[d] = float64(x[d])*c + float64(x[d-half])*s
		}
	}
	return out
}

// at is the place in the cache of a position of a key head's keys or values.
func (t *attention) at(slot, value, keyHead, pos int) int {
	return ((((slot*t.Layers+t.Layer)*2+value)*t.KeyHeads+keyHead)*t.Context + pos) * t.Size
}

// append puts new keys and values into what is expected of the cache.
func (t *attention) append() {
	for token, slot := range t.Slots {
		for h := 0; h < t.KeyHeads && slot >= 0; h++ {
			key := t.turned(token, t.Heads+h)
			value := t.qkv[token*t.width+(t.Heads+t.KeyHeads+h)*t.Size:]
			for d := range t.Size {
				t.before[t.at(int(slot), 0, h, int(t.Past[token]))+d] = t.kind.Round(float32(key[d]))
				t.before[t.at(int(slot), 1, h, int(t.Past[token]))+d] = value[d]
			}
		}
	}
}

// want gives one head of one token.
func (t *attention) want(token, head int) []float64 {
	q, slot, keyHead := t.turned(token, head), int(t.Slots[token]), head/(t.Heads/t.KeyHeads)
	var weight []float64
	most := math.Inf(-1)
	for pos := range int(t.Past[token]) + 1 {
		score := 0.0
		for d, k := range t.before[t.at(slot, 0, keyHead, pos):][:t.Size] {
			score += q[d] * float64(k)
		}
		weight = append(weight, score*float64(t.Scale))
		most = max(most, score*float64(t.Scale))
	}
	out, sum := make([]float64, t.Size), 0.0
	for pos, w := range weight {
		w = math.Exp(w - most)
		sum += w
		for d, v := range t.before[t.at(slot, 1, keyHead, pos):][:t.Size] {
			out[d] += w * float64(v)
		}
	}
	for d := range out {
		out[d] /= sum
	}
	return out
}

// farthest gives the greatest differences of the results and of the cache.
func (t *attention) farthest() (out, cache float64) {
	for token, slot := range t.Slots {
		for head := 0; head < t.Heads && slot >= 0; head++ {
			for d, want := range t.want(token, head) {
				if far := math.Abs(want - value(t.kind, t.Out[(token*t.Heads+head)*t.Size+d])); !(far <= out) {
					out = far
				}
			}
		}
	}
	for i, want := range t.before {
		if far := math.Abs(float64(want) - value(t.kind, t.Cache[i])); !(far <= cache) {
			cache = far
		}
	}
	return out, cache
}

var attentions = []bridge.Attention{
	{Heads: 9, KeyHeads: 3, Size: 64, Rotary: 64, Layer: 1, Layers: 2, Context: 1200, Scale: 0.125},
	{Heads: 8, KeyHeads: 2, Size: 96, Rotary: 72, Layers: 1, Context: 700, Scale: 0.1},
	{Heads: 7, KeyHeads: 1, Size: 128, Rotary: 128, Layers: 1, Context: 700, Scale: 0.09},
	{Heads: 4, KeyHeads: 4, Size: 64, Rotary: 0, Layers: 1, Context: 512, Scale: 0.125},
}

// steps are how tokens may belong together: how many of each sequence, what it holds.
var steps = []struct {
	how          int
	counts, past []int
	fill         int
}{
	{0, []int{1}, []int{0}, 0},
	{0, []int{1}, []int{431}, 0},
	{0, []int{1, 1, 1}, []int{5, 0, 400}, 1},
	{0, []int{1, 1, 1, 1, 1, 1, 1, 1}, []int{64, 63, 65, 127, 300, 1, 2, 450}, 0},
	{1, []int{2}, []int{0}, 0},
	{1, []int{17}, []int{63}, 15},
	{1, []int{32}, []int{440}, 0},
	{1, []int{64}, []int{0}, 0},
	{1, []int{40}, []int{333}, 24},
	{2, []int{5, 1, 20}, []int{100, 0, 256}, 6},
}

func TestAttentionOnACard(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, bf16 := range []bool{false, true} {
		limit := 0.003
		if bf16 {
			limit = 0.02
		}
		for _, a := range attentions {
			a.BF16 = bf16
			d := card(t, a.Size, bf16, true)
			worst := 0.0
			for _, s := range steps {
				trial := newAttention(r, a, s.counts, s.past, s.fill)
				trial.Steps = s.how
				if _, err := d.Attention(trial.AttentionTrial); err != nil {
					t.Fatal(err)
				}
				trial.append()
				out, cache := trial.farthest()
				if !(out <= limit) || !(cache <= limit*2) {
					t.Errorf("%+v, %+v: %g away, cache %g", a, s, out, cache)
				}
				worst = max(worst, out)
			}
			fmt.Printf("kernel attention %d/%d heads of %d bf16 %t: within %.5f\n", a.Heads, a.KeyHeads, a.Size, bf16, worst)
		}
	}
}

// TestTimesOnACard prints what kernels take, weights coming from memory. It asserts
// nothing about time.
func TestTimesOnACard(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	d := card(t, 64, false, true)
	for _, l := range []bridge.Linear{
		{Kind: bridge.Plain, In: 576, Rows: 960, Eps: 1e-5}, {Kind: bridge.Added, In: 576, Rows: 576}, {Kind: bridge.Gated, In: 576, Rows: 1536, Eps: 1e-5},
		{Kind: bridge.Added, In: 1536, Rows: 576}, {Kind: bridge.Wide, In: 576, Rows: 49152, Eps: 1e-5},
		{Kind: bridge.Plain, In: 3072, Rows: 4608, Eps: 1e-5}, {Kind: bridge.Added, In: 3072, Rows: 3072}, {Kind: bridge.Gated, In: 3072, Rows: 8192, Eps: 1e-5},
		{Kind: bridge.Added, In: 8192, Rows: 3072}, {Kind: bridge.Wide, In: 3072, Rows: 32064, Eps: 1e-5},
	} {
		fmt.Printf("time product kind %d in %d rows %d, µs:", l.Kind, l.In, l.Rows)
		for _, tokens := range []int{1, 2, 8, 16, 32, 64} {
			p := newProduct(r, l, tokens, false)
			p.Repeats = 20
			us, err := d.Product(p.ProductTrial)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("  %d: %.2f", tokens, us)
		}
		fmt.Println()
	}
	a := bridge.Attention{Heads: 9, KeyHeads: 3, Size: 64, Rotary: 64, Layers: 1, Context: 1200, Scale: 0.125}
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		for how := range 3 {
			counts, past := []int{n}, []int{1024}
			if how == 0 {
				counts, past = slices.Repeat([]int{1}, n), slices.Repeat([]int{1024}, n)
			}
			trial := newAttention(r, a, counts, past, 0)
			trial.Steps, trial.Repeats = how, 20
			us, err := d.Attention(trial.AttentionTrial)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("time attention of %d tokens, way %d: %.2f µs\n", n, how, us)
		}
	}
	for _, rows := range []int{1, 8, 32} {
		_, us, err := d.Best(floats(r, rows*49152, 0, 8), rows, 20)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("time best of %d rows of 49152: %.2f µs\n", rows, us)
	}
}

// TestProfileOnACard calls some kernels once each, for a profiler.
func TestProfileOnACard(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	d := card(t, 64, false, true)
	a := bridge.Attention{Heads: 9, KeyHeads: 3, Size: 64, Rotary: 64, Layers: 1, Context: 1200, Scale: 0.125}
	for _, n := range []int{1, 8, 32} {
		trial := newAttention(r, a, slices.Repeat([]int{1}, n), slices.Repeat([]int{1024}, n), 0)
		if _, err := d.Attention(trial.AttentionTrial); err != nil {
			t.Fatal(err)
		}
	}
	trial := newAttention(r, a, []int{32}, []int{1024}, 0)
	trial.Steps = 1
	if _, err := d.Attention(trial.AttentionTrial); err != nil {
		t.Fatal(err)
	}
	for _, l := range []bridge.Linear{{Kind: bridge.Gated, In: 576, Rows: 1536, Eps: 1e-5}, {Kind: bridge.Gated, In: 3072, Rows: 8192, Eps: 1e-5}, {Kind: bridge.Added, In: 8192, Rows: 3072}} {
		for _, tokens := range []int{1, 8, 32} {
			if _, err := d.Product(newProduct(r, l, tokens, false).ProductTrial); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := d.Best(floats(r, 49152, 0, 8), 1, 0); err != nil {
		t.Fatal(err)
	}
}
