package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/bench"
	"fabula/engine/recall"
	"fabula/engine/scripted"
)

const ms = time.Millisecond

// script is 9 tokens 1 ms apart after a prefill of 2 ms; every fourth reply
// stalls once.
const script = `engine fake
window 400
reply
  prefill 100 0 2ms
  text "a" 1ms times=9
reply
  prefill 10 90 1ms
  text "a" 1ms times=8
  text "b" 5ms
`

// watched notes in which order engines are asked, and of what.
type watched struct {
	engine.Engine
	name string
	mu   *sync.Mutex
	seen *[]string
	fail int // number of the request that fails, from 1
	n    int
}

func (w *watched) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	*w.seen = append(*w.seen, w.name)
	if w.n == w.fail {
		return nil, errors.New("the card fell off")
	}
	return w.Engine.Generate(ctx, r)
}

func fake(t *testing.T, text string) engine.Engine {
	t.Helper()
	e, err := scripted.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Ensure that figures are those of the script, cold apart from cached, and that
// what was counted too rarely has no percentile.
func TestRun(t *testing.T) {
	e := fake(t, script)
	memory := func() (int64, bool) { return 123, true }
	r, err := bench.Run(t.Context(), []bench.Subject{{Engine: e, Weights: 1000, OnCPU: true, Load: ms, Memory: memory}},
		bench.Options{Sizes: []int{40, 80}, Replies: 3, Tokens: 16})
	if err != nil {
		t.Fatal(err)
	}
	got := r.Engines[0]
	if !got.Fake || got.Fault != "" || got.Load != ms || got.WarmUp <= 0 || got.Memory != 123 || len(got.Sizes) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, z := range got.Sizes {
		if z.Cold.N != 3 || z.Cached.N != 3 || z.Cold.P50 != nil || z.Gaps.N != 48 || z.Gaps.P50 == nil || z.Gaps.P95 != nil {
			t.Errorf("size %d: %+v", z.Asked, z)
		}
		if *z.Gaps.P50 < ms*99/100 || *z.Gaps.P50 > ms*101/100 || z.Gaps.Max != 5*ms || z.Decode < 660 || z.Decode > 1001 {
			t.Errorf("size %d: gaps %+v, %v tok/s", z.Asked, z.Gaps, z.Decode)
		}
		for _, s := range z.Series {
			if len(s.TTFT) != 3 || len(s.Gaps) != 24 || len(s.Tokens) != 3 || s.Tokens[0] != 100 {
				t.Errorf("series %+v", s)
			}
		}
	}
	// The warm-up takes the script's first reply: the cold ones are the second.
	if z := got.Sizes[0]; z.Prompt != 100 || z.Prefill != 10_000 {
		t.Errorf("prompt %d, prefill %v tok/s", z.Prompt, z.Prefill)
	}
	if got.Reads != 1000*max(got.Sizes[0].Decode, got.Sizes[1].Decode) {
		t.Errorf("reads %v", got.Reads)
	}
	got.Against(2 * got.Reads)
	if got.Share != 0.5 {
		t.Errorf("share %v", got.Share)
	}
	raw, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(raw), `"format":"fabula-bench/1"`) || !strings.Contains(string(raw), `"gaps_ns":[1000000,`) {
		t.Errorf("%v, %.300s", err, raw)
	}
}

// Ensure that percentiles come with the counts that allow them.
func TestCounts(t *testing.T) {
	for _, tc := range []struct {
		replies       int
		p50, p95, p99 bool
	}{{1, true, false, false}, {4, true, true, false}, {19, true, true, true}} {
		r, err := bench.Run(t.Context(), []bench.Subject{{Engine: fake(t, strings.ReplaceAll(script, "1ms", "10us"))}},
			bench.Options{Sizes: []int{64}, Replies: tc.replies, Tokens: 16})
		if err != nil {
			t.Fatal(err)
		}
		g := r.Engines[0].Sizes[0].Gaps
		if g.N != 16*tc.replies || (g.P50 != nil) != tc.p50 || (g.P95 != nil) != tc.p95 || (g.P99 != nil) != tc.p99 {
			t.Errorf("%d replies: %+v", tc.replies, g)
		}
	}
}

// Ensure that engines are asked in turns, the order reversed each time, and
// that one that fails is left out and says so while the other goes on.
func TestTurns(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	quick := strings.ReplaceAll(script, "ms", "us")
	a := &watched{Engine: fake(t, quick), name: "a", mu: &mu, seen: &seen}
	b := &watched{Engine: fake(t, quick), name: "b", mu: &mu, seen: &seen, fail: 6}
	steps := 0
	r, err := bench.Run(t.Context(), []bench.Subject{{Engine: a}, {Engine: b}},
		bench.Options{Sizes: []int{64}, Replies: 4, Tokens: 16, Step: func(string, int, int) { steps++ }})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("a b  a a b b  b b a a  a a b  a a") // the warm-up; the last of b fails
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if r.Engines[0].Fault != "" || !strings.Contains(r.Engines[1].Fault, "at 64: the card fell off") || r.Engines[1].Sizes[0].Cold.N != 2 || steps != 7 {
		t.Errorf("%+v, %d steps", r.Engines, steps)
	}
}

// Ensure that a size that does not fit is left out with a word, that sizes
// follow the window, and that the budget ends a size early.
func TestSizes(t *testing.T) {
	var sizes []int
	step := func(_ string, size, _ int) {
		if !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	quick := strings.ReplaceAll(script, "ms", "us")
	if _, err := bench.Run(t.Context(), []bench.Subject{{Engine: fake(t, quick)}}, bench.Options{Tokens: 16, Replies: 1, Step: step}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{64, 256, 384}, sizes); diff != "" {
		t.Error(diff)
	}
	r, err := bench.Run(t.Context(), []bench.Subject{{Engine: fake(t, quick)}}, bench.Options{Sizes: []int{64}, Replies: 50, Budget: 1})
	if err != nil || r.Engines[0].Sizes[0].Cold.N != 1 {
		t.Errorf("%v, %+v", err, r.Engines[0])
	}
	long := &watched{Engine: tooLong{fake(t, quick)}, mu: &sync.Mutex{}, seen: new([]string)}
	r, err = bench.Run(t.Context(), []bench.Subject{{Engine: long}}, bench.Options{Sizes: []int{64, 5000, 64}, Replies: 1})
	if err != nil || r.Engines[0].Fault != "" || r.Engines[0].Sizes[1].Note == "" || r.Engines[0].Sizes[2].Cold.N != 1 {
		t.Errorf("%v, %+v", err, r.Engines[0])
	}
}

type tooLong struct{ engine.Engine }

func (e tooLong) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	if len(r.Messages[0].Parts[0]) > 4000 {
		return nil, fmt.Errorf("no: %w", engine.ErrTooLong)
	}
	return e.Engine.Generate(ctx, r)
}

// Ensure that recalled lines have a first word and no speed, and that their
// sizes are lines.
func TestRecall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	last := 0
	r, err := bench.Run(ctx, []bench.Subject{{Engine: recall.New()}}, bench.Options{Replies: 1, Step: func(_ string, size, _ int) {
		if last = size; size > 1_000 { // the larger ones take their time under the race detector
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || last != 10_000 {
		t.Fatal(err, last)
	}
	for i, want := range []int{100, 1_000} {
		if z := r.Engines[0].Sizes[i]; z.Asked != want || z.Cold.N != 1 || z.Gaps.N != 0 || z.Decode != 0 || z.Prefill != 0 {
			t.Errorf("%+v", z)
		}
	}
}

// Ensure that a run that is stopped gives what it has.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := bench.Run(ctx, []bench.Subject{{Engine: fake(t, script)}},
		bench.Options{Sizes: []int{64, 128}, Replies: 3, Step: func(_ string, size, i int) {
			if i == 1 {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) || len(r.Engines[0].Sizes) != 1 || r.Engines[0].Sizes[0].Cold.N != 1 || r.Engines[0].Fault != "" {
		t.Errorf("%v, %+v", err, r.Engines[0])
	}
}

// Ensure that a ratio is that of medians, and has an interval around it only
// where the counts allow one.
func TestCompare(t *testing.T) {
	ramp := func(n int, scale float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			all[i] = scale * (1000 + float64(i))
		}
		return all
	}
	if r := bench.Compare(ramp(29, 2), ramp(40, 1)); r.Of < 1.98 || r.Of > 2.02 || r.Low != 0 || r.High != 0 {
		t.Errorf("too few: %+v", r)
	}
	r := bench.Compare(ramp(40, 2), ramp(40, 1))
	if r.Of != 2 || r.Low >= 2 || r.High <= 2 || r.Low < 1.95 || r.High > 2.05 || r != bench.Compare(ramp(40, 2), ramp(40, 1)) {
		t.Errorf("%+v", r)
	}
	for _, r := range []bench.Ratio{bench.Compare(nil, ramp(3, 1)), bench.Compare(ramp(3, 1), nil), bench.Compare(ramp(3, 1), []float64{0})} {
		if r != (bench.Ratio{}) {
			t.Errorf("of nothing: %+v", r)
		}
	}
}
