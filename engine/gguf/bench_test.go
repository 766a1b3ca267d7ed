//go:build llama

package gguf_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fabula/engine"
	"fabula/engine/chat"
	"fabula/engine/gguf"
	"fabula/engine/sampling"
	"fabula/engine/worker"
)

const (
	rounds = 7   // pairs measured; medians are reported
	depth  = 256 // tokens before the measured ones
	length = 128 // measured tokens
	prompt = 600 // tokens of the prompt whose first token is awaited
	fresh  = prompt / 10
)

// BenchmarkFigures prints the ratios of the README. What is compared runs in
// turns, so that other load on the machine meets both alike. Run it by `make
// figures`.
func BenchmarkFigures(b *testing.B) {
	silence(b)
	c := start(b, 0)
	info := c.Info()
	b.Logf("%s %s, %s, %d threads for tokens", info.Model, info.Build.Precision, info.Build.Runtime, info.Build.Threads)
	b.Run("decode, worker against in process", func(b *testing.B) { decodeFigures(b, c) })
	b.Run("first token, reused against cold", func(b *testing.B) { firstFigures(b, c) })
	b.Run("decode, worker against llama-bench", func(b *testing.B) { peerFigures(b, c) })
}

// silence sends what llama.cpp logs in this process nowhere, so that the figures
// can be read.
func silence(b *testing.B) {
	b.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	kept, err := unix.Dup(2)
	if err != nil {
		b.Fatal(err)
	}
	if err := unix.Dup2(int(null.Fd()), 2); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = unix.Dup2(kept, 2)
		_ = unix.Close(kept)
	})
}

func decodeFigures(b *testing.B, c *worker.Client) {
	m, err := gguf.Open(worker.Load{Model: model(b), Threads: c.Info().Build.Threads, BaseHash: "known"}, func(float64) {})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	r := sized(b, m, "In process. ", depth)
	list := ids(b, m, r)
	for b.Loop() {
		var there, here []float64
		for range rounds {
			there = append(there, rate(generate(b, c, r)))
			here = append(here, loop(b, m, list, r))
		}
		report(b, there, here, "worker", "in-process", "tok/s")
	}
}

// loop is the plain decode loop on the same backend, without frames, pipes or
// a second process.
func loop(b *testing.B, m worker.Backend, list []int32, r engine.Request) float64 {
	b.Helper()
	m.Truncate(0, 0)
	var logits []float32
	for at := 0; at < len(list); {
		to := min(at+m.Facts().Chunk, len(list))
		logits = step(b, m, at, list[at:to])
		at = to
	}
	s, hold := sampling.New(r.Sampling, r.Seed), chat.NewHolder(nil)
	var assemble chat.Assembler
	var repeat sampling.Loop
	var first time.Time
	for n := range length {
		id, _, _, err := s.Next(logits)
		if err != nil {
			b.Fatal(err)
		}
		s.Accept(id)
		hold.Write(assemble.Write(m.Piece(id)))
		repeat.Add(id)
		if n == 0 {
			first = time.Now()
		}
		if n == length-1 {
			break
		}
		logits = step(b, m, len(list)+n, []int32{id})
	}
	return float64(length-1) / time.Since(first).Seconds()
}

// step appends ids to the first sequence and gives the logits after the last.
func step(t testing.TB, m worker.Backend, at int, ids []int32) []float32 {
	t.Helper()
	scores, err := m.Decode([]worker.Run{{At: at, IDs: ids, Want: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return scores[0].Logits
}

func firstFigures(b *testing.B, c *worker.Client) {
	m := direct(b)
	for b.Loop() {
		var cold, reused []float64
		for i := range rounds {
			base := sized(b, m, "Round "+strconv.Itoa(i)+strings.Repeat(" and", i)+". ", prompt-fresh)
			whole := base
			whole.Messages = slices.Clone(base.Messages)
			whole.Messages[0].Parts = []string{base.Messages[0].Parts[0], filler(fresh)}
			whole.Sampling.MaxTokens = 1
			// Unlike anything cached from its first word.
			other := whole
			other.Messages = slices.Clone(whole.Messages)
			other.Messages[0].Parts = []string{"Cold " + strconv.Itoa(i) + " " + base.Messages[0].Parts[0], filler(fresh)}
			first := generate(b, c, other)
			cold = append(cold, first.tokens[0].At.Seconds()*1000)
			base.Sampling.MaxTokens = 1
			generate(b, c, base) // leaves nine tenths in the cache
			again := generate(b, c, whole)
			reused = append(reused, again.tokens[0].At.Seconds()*1000)
			if i == 0 {
				b.Logf("cold: %d computed; reused: %d computed, %d reused", first.prefill.Computed, again.prefill.Computed, again.prefill.Reused)
			}
		}
		report(b, reused, cold, "reused", "cold", "ms")
	}
}

func peerFigures(b *testing.B, c *worker.Client) {
	peer := os.Getenv("FABULA_LLAMA_BENCH")
	if _, err := os.Stat(peer); err != nil {
		b.Fatalf("FABULA_LLAMA_BENCH: %v: run make figures", err)
	}
	r := sized(b, direct(b), "Peer. ", depth)
	for b.Loop() {
		var own, theirs []float64
		for range rounds {
			own = append(own, rate(generate(b, c, r)))
			theirs = append(theirs, peerRate(b, peer, c.Info().Build.Threads))
		}
		report(b, own, theirs, "worker", "llama-bench", "tok/s")
	}
}

// peerRate has llama-bench decode as many tokens at the same depth.
func peerRate(b *testing.B, bin string, threads int) float64 {
	b.Helper()
	out, err := exec.Command(bin, "-m", model(b), "-t", strconv.Itoa(threads), "-p", "0", "-n", strconv.Itoa(length),
		"-d", strconv.Itoa(depth), "-r", "1", "-fa", "0", "-o", "json").Output()
	if err != nil {
		b.Fatalf("llama-bench: %v", err)
	}
	var runs []struct {
		Rate float64 `json:"avg_ts"`
	}
	if err := json.Unmarshal(out, &runs); err != nil || len(runs) != 1 {
		b.Fatalf("llama-bench printed %q: %v", out, err)
	}
	return runs[0].Rate
}

// rate is tokens a second between the first and the last token.
func rate(r result) float64 {
	n := len(r.tokens)
	return float64(n-1) / (r.tokens[n-1].At - r.tokens[0].At).Seconds()
}

func filler(words int) string { return strings.Repeat(" tower", words) }

// sized is a request whose prompt has exactly so many tokens, and whose reply
// does not end early.
func sized(b *testing.B, m worker.Backend, head string, tokens int) engine.Request {
	b.Helper()
	r := engine.Request{
		Messages: []engine.Message{{Role: engine.User, Parts: []string{""}}},
		// As a story samples unless told otherwise.
		Sampling: engine.Sampling{Temperature: 0.7, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.15, MaxTokens: length, Bias: map[int32]float32{}},
		Seed:     11,
	}
	for id := range int32(m.Facts().Vocab) {
		if m.Ends(id) {
			r.Sampling.Bias[id] = float32(math.Inf(-1))
		}
	}
	for words, try := 0, 0; try < 4; try++ {
		r.Messages[0].Parts[0] = head + "The" + filler(words)
		n := len(ids(b, m, r))
		if n == tokens {
			return r
		}
		words += tokens - n
	}
	b.Fatalf("no prompt of %d tokens", tokens)
	return r
}

// report prints the medians of two series and the median of the pairs' ratios.
func report(b *testing.B, xs, ys []float64, x, y, unit string) {
	b.Helper()
	ratios := make([]float64, len(xs))
	for i := range xs {
		ratios[i] = xs[i] / ys[i]
	}
	b.ReportMetric(median(xs), x+"-"+unit)
	b.ReportMetric(median(ys), y+"-"+unit)
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op")
	b.Logf("ratio %.3f (%s %.1f, %s %.1f %s; ratios %.3f to %.3f)",
		median(ratios), x, median(xs), y, median(ys), unit, slices.Min(ratios), slices.Max(ratios))
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return s[len(s)/2]
}
