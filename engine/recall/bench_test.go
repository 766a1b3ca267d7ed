package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/recall"
)

// many makes n lines with the frequencies of talk: few words are everywhere,
// most are rare.
func many(n int) []engine.Candidate {
	r := rand.New(rand.NewPCG(5, 6))
	common := strings.Fields("the a is of to in and you who what where lamp lantern inn fox rain road night child old silver wire")
	word := func() string {
		if f := r.Float64(); f < 0.5 {
			return common[int(f*f*4*float64(len(common)))]
		}
		return fmt.Sprintf("w%d", int(r.Float64()*r.Float64()*20000))
	}
	say := func(n int) string {
		var b []string
		for range n {
			b = append(b, word())
		}
		return strings.Join(b, " ")
	}
	cs := make([]engine.Candidate, n)
	for i := range cs {
		cs[i] = engine.Candidate{ID: fmt.Sprintf("npc.sample.%d", i), Cue: say(8), Text: say(12)}
	}
	return cs
}

// BenchmarkLines measures one recalled reply among 50,000 lines that may be
// said. What an author changes between two requests is read anew: 10 lines.
func BenchmarkLines(b *testing.B) {
	for _, n := range []int{500, 5_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cs := many(n)
			queries := many(64)
			e := recall.New()
			ask := func(i int) time.Duration {
				start := time.Now()
				s, err := e.Generate(context.Background(), engine.Request{Query: queries[i%64].Cue, Candidates: cs})
				if err != nil {
					b.Fatal(err)
				}
				_, _ = s.Next()
				return time.Since(start)
			}
			first := ask(0)
			var took []time.Duration
			b.ResetTimer()
			for i := range b.N {
				for k := range 10 {
					cs[(i*10+k)%n].Text = queries[(i+k)%64].Text
				}
				took = append(took, ask(i))
			}
			slices.Sort(took)
			b.ReportMetric(float64(first.Microseconds())/1000, "first-ms")
			b.ReportMetric(float64(took[0].Microseconds())/1000, "best-ms") // what other load did not disturb
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
