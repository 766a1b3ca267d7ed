package worker_test

import (
	"math/rand/v2"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/worker"
)

// metronome is a model of 49,152 tokens that takes half a millisecond for a
// pass, as a graphics card does, and likes other tokens at every step.
type metronome struct {
	fake
	rows [][]float32
	best [][]int32
	n    int
}

const (
	beat      = 500 * time.Microsecond
	bigVocab  = 49_152
	bestGiven = 256
)

// openMetronome is chosen by a model's name; "best" in it has it give the largest
// logits only.
func openMetronome(l worker.Load, progress func(float64)) (worker.Backend, error) {
	if !strings.HasPrefix(l.Model, "metronome") {
		return openFake(l, progress)
	}
	m := &metronome{fake: fake{load: url.Values{}, window: 4096, seqs: make([][]int32, 4)}}
	r := rand.New(rand.NewPCG(1, 2))
	for range 7 {
		row := make([]float32, bigVocab)
		for i := range row {
			row[i] = float32(r.NormFloat64() * 2.5)
		}
		for range 40 {
			row[r.IntN(255)] = float32(10 + r.ExpFloat64()*2)
		}
		m.rows = append(m.rows, row)
		ids := make([]int32, bigVocab)
		for i := range ids {
			ids[i] = int32(i)
		}
		slices.SortFunc(ids, func(a, b int32) int { return int(1e4 * (row[b] - row[a])) })
		m.best = append(m.best, ids[:bestGiven])
	}
	if !strings.Contains(l.Model, "best") {
		m.best = nil
	}
	return m, nil
}

func (m *metronome) Facts() worker.Facts {
	f := m.fake.Facts()
	f.Vocab, f.Chunk, f.Neighbours = bigVocab, 512, false
	return f
}

func (m *metronome) Decode(runs []worker.Run) ([]worker.Scores, error) {
	end := time.Now().Add(beat)
	var scores []worker.Scores
	for _, r := range runs {
		m.seqs[r.Seq] = append(m.seqs[r.Seq], r.IDs...)
		if r.Want == 0 {
			continue
		}
		m.n++
		row := m.rows[m.n%len(m.rows)]
		s := worker.Scores{Logits: row}
		if m.best != nil && r.Best > 0 && r.Best <= bestGiven {
			s = worker.Scores{IDs: m.best[m.n%len(m.rows)][:r.Best], LogSum: 17}
			for _, id := range s.IDs {
				s.Logits = append(s.Logits, row[id])
			}
		}
		scores = append(scores, s)
	}
	for time.Now().Before(end) {
	}
	return scores, nil
}

// BenchmarkOverhead is what sampler, frames and pipe cost beside steps of half a
// millisecond: steps a second through the worker over those of a bare loop, in
// turns. All logits of 49,152 tokens come back, or only those that decide.
func BenchmarkOverhead(b *testing.B) {
	for _, model := range []string{"metronome", "metronome best"} {
		b.Run(model, func(b *testing.B) {
			c, err := worker.Start(worker.Options{Command: func() *exec.Cmd { return self("worker") }, Model: model})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			bare, err := openMetronome(worker.Load{Model: model}, func(float64) {})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				var ratios []float64
				for i := range 15 {
					ratios = append(ratios, paced(b, c, uint64(i))/looped(b, bare))
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "ratio")
				b.ReportMetric(ratios[len(ratios)-1], "best-ratio")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

const beats = 400

// paced is the rate of one reply, steps a second.
func paced(b *testing.B, c *worker.Client, seed uint64) float64 {
	r := ask("Who lit the lamp?")
	r.Seed = seed
	r.Sampling = engine.Sampling{Temperature: 0.9, TopK: 40, TopP: 0.95, MinP: 0.02, RepeatPenalty: 1.15, MaxTokens: beats}
	s, err := c.Generate(b.Context(), r)
	if err != nil {
		b.Fatal(err)
	}
	got := read(b, s, nil)
	n := len(got.tokens)
	if n < beats/4 {
		b.Fatalf("%d tokens, %+v", n, got.done)
	}
	return float64(n-1) / (got.tokens[n-1].At - got.tokens[0].At).Seconds()
}

// looped is the rate of the backend alone.
func looped(b *testing.B, m worker.Backend) float64 {
	m.Truncate(0, 0)
	start := time.Now()
	for n := range beats {
		if _, err := m.Decode([]worker.Run{{At: n, IDs: []int32{1}, Want: 1, Best: 100}}); err != nil {
			b.Fatal(err)
		}
	}
	return beats / time.Since(start).Seconds()
}
