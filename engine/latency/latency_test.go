package latency_test

import (
	"context"
	"io"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/engine/scripted"
)

const ms = time.Millisecond

// stamped makes visible tokens at the given milliseconds.
func stamped(at ...int) []engine.Token {
	var ts []engine.Token
	for _, a := range at {
		ts = append(ts, engine.Token{Text: "x", At: time.Duration(a) * ms})
	}
	return ts
}

// Ensure that each figure is that of the stamps, and that there is no rate
// where there is none to show (CASES R53).
func TestMeasure(t *testing.T) {
	stall := []time.Duration{100 * ms, 100 * ms, 100 * ms, 700 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms}
	tests := map[string]struct {
		kind    engine.Kind
		prefill engine.Prefill
		tokens  []engine.Token
		stats   engine.Stats
		want    latency.Timing
	}{
		"ten tokens and a stall after a slow start": {
			engine.GGUF, engine.Prefill{Computed: 120, Reused: 30, At: 5050 * ms},
			stamped(5150, 5250, 5350, 5450, 6150, 6250, 6350, 6450, 6550, 6650),
			engine.Stats{Load: 3000 * ms, Queue: 50 * ms, Prefill: 2000 * ms, Tokens: 10},
			latency.Timing{Load: 3000 * ms, Queue: 50 * ms, Prefill: 2000 * ms, Decode: 1500 * ms, TTFT: 5150 * ms,
				Computed: 120, Reused: 30, Tokens: 10, Gaps: stall, Rate: 6, Stall: 700 * ms, StallAt: 4},
		},
		"one token has no rate": {engine.GGUF, engine.Prefill{}, stamped(100), engine.Stats{Tokens: 1},
			latency.Timing{TTFT: 100 * ms, Tokens: 1}},
		"no token has nothing": {engine.GGUF, engine.Prefill{}, nil, engine.Stats{}, latency.Timing{}},
		"recalled lines carry no model speed": {engine.Recall, engine.Prefill{}, stamped(1, 2, 3), engine.Stats{},
			latency.Timing{TTFT: ms, Recalled: true}},
		"cancelled at the fourth token": {engine.GGUF, engine.Prefill{}, stamped(100, 200, 300, 400), engine.Stats{},
			latency.Timing{TTFT: 100 * ms, Decode: 300 * ms, Tokens: 4, Gaps: []time.Duration{100 * ms, 100 * ms, 100 * ms},
				Rate: 10, Stall: 100 * ms, StallAt: 1}},
		"the first visible text counts, not the first token": {engine.GGUF, engine.Prefill{},
			[]engine.Token{{At: 100 * ms}, {Text: "狐", At: 150 * ms}}, engine.Stats{Tokens: 2},
			latency.Timing{TTFT: 150 * ms, Decode: 50 * ms, Tokens: 2, Gaps: []time.Duration{50 * ms}, Rate: 20, Stall: 50 * ms, StallAt: 1}},
		"a server that sends two tokens at once counts them itself": {engine.Remote, engine.Prefill{}, stamped(100, 200, 300), engine.Stats{Tokens: 6},
			latency.Timing{TTFT: 100 * ms, Decode: 200 * ms, Tokens: 6, Gaps: []time.Duration{100 * ms, 100 * ms}, Rate: 20, Stall: 100 * ms, StallAt: 1}},
		"all at one instant has no rate": {engine.GGUF, engine.Prefill{}, stamped(10, 10), engine.Stats{Tokens: 2},
			latency.Timing{TTFT: 10 * ms, Tokens: 2, Gaps: []time.Duration{0}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := latency.Measure(tc.kind, tc.prefill, tc.tokens, tc.stats)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if math.IsInf(got.Rate, 0) || math.IsNaN(got.Rate) {
				t.Errorf("rate %v", got.Rate)
			}
		})
	}
}

// Ensure that text that was held back to the end still has a first moment.
func TestTail(t *testing.T) {
	r := latency.New(engine.GGUF)
	r.Add(engine.Token{At: 80 * ms})
	r.Add(engine.Done{Tail: "\nPl"})
	if got := r.Timing().TTFT; got != 80*ms {
		t.Errorf("got %v", got)
	}
}

// Ensure that the figures of a scripted engine are those of its script.
func TestScripted(t *testing.T) {
	e, err := scripted.Open(filepath.Join("testdata", "stall.script"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Generate(context.Background(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	r := latency.New(e.Info().Kind)
	for {
		ev, err := s.Next()
		if err == io.EOF {
			break
		}
		r.Add(ev)
	}
	want := latency.Timing{Load: 30 * ms, Queue: 5 * ms, Prefill: 20 * ms, Decode: 150 * ms, TTFT: 65 * ms, Computed: 120, Reused: 30,
		Tokens: 10, Rate: 60, Stall: 70 * ms, StallAt: 4,
		Gaps: []time.Duration{10 * ms, 10 * ms, 10 * ms, 70 * ms, 10 * ms, 10 * ms, 10 * ms, 10 * ms, 10 * ms}}
	if diff := cmp.Diff(want, r.Timing()); diff != "" {
		t.Error(diff)
	}
}

func ramp(n int) []time.Duration {
	ds := make([]time.Duration, n)
	for i := range ds {
		ds[i] = time.Duration(i+1) * ms
	}
	return ds
}

// Ensure that a percentile is given only where the count allows it.
func TestSpread(t *testing.T) {
	tests := []struct{ n, p50, p95, p99 int }{
		{0, 0, 0, 0}, {4, 0, 0, 0}, {5, 3, 0, 0}, {58, 29, 0, 0}, {59, 30, 57, 0}, {298, 149, 284, 0}, {299, 150, 285, 297},
	}
	for _, tc := range tests {
		h := latency.NewHistogram()
		for _, d := range ramp(tc.n) {
			h.Record(d)
		}
		few, many := latency.SpreadOf(ramp(tc.n)), h.Spread()
		near(t, tc.n, "p50 of a histogram", many.P50, tc.p50)
		near(t, tc.n, "p95 of a histogram", many.P95, tc.p95)
		near(t, tc.n, "p99 of a histogram", many.P99, tc.p99)
		s := few
		if s.N != tc.n || s.Max != time.Duration(tc.n)*ms {
			t.Errorf("n=%d: %+v", tc.n, s)
		}
		near(t, tc.n, "p50", s.P50, tc.p50)
		near(t, tc.n, "p95", s.P95, tc.p95)
		near(t, tc.n, "p99", s.P99, tc.p99)
	}
}

// near compares with three digits, which is what a histogram keeps.
func near(t *testing.T, n int, name string, got *time.Duration, want int) {
	t.Helper()
	switch {
	case (got == nil) != (want == 0):
		t.Errorf("n=%d %s: got %v, want %d ms", n, name, got, want)
	case got != nil && (*got-time.Duration(want)*ms).Abs() > time.Duration(want)*ms/500:
		t.Errorf("n=%d %s: got %v, want %d ms", n, name, *got, want)
	}
}

// Ensure that histograms merge, and that what is out of range is kept in it.
func TestHistogram(t *testing.T) {
	a, b := latency.NewHistogram(), latency.NewHistogram()
	a.Record(-ms)
	a.Record(25 * ms)
	b.Record(35 * ms)
	b.Record(2 * time.Hour)
	a.Merge(b)
	if a.N() != 4 || a.Max() != 2*time.Hour {
		t.Errorf("n=%d max=%v", a.N(), a.Max())
	}
	want := []latency.Bar{{0, 20 * ms, 1}, {20 * ms, 30 * ms, 1}, {30 * ms, 0, 2}}
	if diff := cmp.Diff(want, a.Bars(20*ms, 30*ms)); diff != "" {
		t.Error(diff)
	}
	edge := latency.NewHistogram() // a bar holds its lower edge and not its upper one
	edge.Record(20*ms - 50*time.Microsecond)
	edge.Record(20 * ms)
	edge.Record(30 * ms)
	if diff := cmp.Diff([]latency.Bar{{0, 20 * ms, 1}, {20 * ms, 30 * ms, 1}, {30 * ms, 0, 1}}, edge.Bars(20*ms, 30*ms)); diff != "" {
		t.Error(diff)
	}
}

// Ensure that replies are pooled, cold and reused apart, and that neither
// recalled replies nor the load bend a figure.
func TestTally(t *testing.T) {
	tally := latency.NewTally()
	tally.Add(latency.Measure(engine.GGUF, engine.Prefill{Computed: 9}, stamped(3100, 3200), engine.Stats{Load: 3000 * ms}))
	tally.Add(latency.Measure(engine.GGUF, engine.Prefill{Computed: 9}, stamped(100, 200, 300), engine.Stats{}))
	tally.Add(latency.Measure(engine.GGUF, engine.Prefill{Computed: 1, Reused: 8}, stamped(20, 30), engine.Stats{}))
	tally.Add(latency.Measure(engine.Recall, engine.Prefill{}, stamped(1, 2, 3), engine.Stats{}))
	got := tally.Summary()
	if got.Replies != 4 || got.Recalled != 1 || got.Tokens != 7 || got.Load != 3000*ms {
		t.Errorf("counts: %+v", got)
	}
	if got.TTFT.N != 2 || got.TTFT.Max != 100*ms || got.Cold.N != 1 || got.Reused.Max != 20*ms {
		t.Errorf("ttft: %+v", got)
	}
	if got.Gaps.N != 4 || got.Gaps.Max != 100*ms || math.Abs(got.Rate-4/0.31) > 1e-9 {
		t.Errorf("gaps: %+v", got)
	}
	if empty := latency.NewTally().Summary(); empty.Rate != 0 || empty.Gaps.P50 != nil {
		t.Errorf("empty: %+v", empty)
	}
}

// Ensure that a strip marks stalls against the median of the whole reply.
func TestMarks(t *testing.T) {
	gaps := []time.Duration{10 * ms, 10 * ms, 10 * ms, 15 * ms, 70 * ms}
	want := []latency.Mark{latency.Fast, latency.Normal, latency.Slow}
	if diff := cmp.Diff(want, latency.Marks(gaps, 3)); diff != "" {
		t.Error(diff)
	}
	if got := latency.Marks(nil, 3); got != nil {
		t.Errorf("got %v", got)
	}
}

// Tokens that were given were not decoded: they have neither gap nor first token.
func TestGivenTokens(t *testing.T) {
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	got := latency.Measure(engine.GGUF, engine.Prefill{Computed: 2, At: at(5)}, []engine.Token{
		{ID: 1, Text: "a", At: at(5), Given: true}, {ID: 2, Text: "b", At: at(5), Given: true},
		{ID: 3, Text: "c", At: at(15)}, {ID: 4, Text: "d", At: at(25)},
	}, engine.Stats{Tokens: 2})
	if got.Tokens != 2 || got.TTFT != at(15) || len(got.Gaps) != 1 || got.Gaps[0] != at(10) {
		t.Errorf("%+v", got)
	}
}
