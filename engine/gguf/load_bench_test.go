//go:build llama

package gguf_test

import (
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/worker"
)

// BenchmarkAlternatives measures what one prompt's alternatives give together,
// against one alone in the same run. Run it by `make figures`.
func BenchmarkAlternatives(b *testing.B) {
	silence(b)
	c := start(b, 0)
	r := sized(b, direct(b), "Alternatives. ", depth)
	generate(b, c, r)
	for _, n := range []int{2, 4, 8} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				var all, one []float64
				for range rounds {
					one = append(one, aggregate(b, c, r, 1))
					all = append(all, aggregate(b, c, r, n))
				}
				b.Logf("%d alternatives", n)
				report(b, all, one, "together", "alone", "tok/s")
			}
		})
	}
}

// aggregate is the rate of n alternatives together, from the first token of any
// to the last of any.
func aggregate(b *testing.B, c *worker.Client, r engine.Request, n int) float64 {
	b.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	tokens, from, to := 0, time.Hour, time.Duration(0)
	begin := time.Now()
	for i := range n {
		s := r
		s.Seed = uint64(100 + i)
		group.Go(func() {
			sent := time.Since(begin)
			got := generate(b, c, s)
			mu.Lock()
			defer mu.Unlock()
			tokens += len(got.tokens)
			from = min(from, sent+got.tokens[0].At)
			to = max(to, sent+got.tokens[len(got.tokens)-1].At)
		})
	}
	group.Wait()
	return float64(tokens-1) / (to - from).Seconds()
}
