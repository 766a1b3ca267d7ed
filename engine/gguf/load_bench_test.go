//go:build llama

package gguf_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
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
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				var all, one []float64
				for range rounds {
					one = append(one, aggregate(b, c, r, 1))
					all = append(all, aggregate(b, c, r, n))
				}
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

// series are figures of many requests, measured from when each was due.
type series struct {
	mu         sync.Mutex
	first, gap []time.Duration
	tokens     int
	last       time.Duration // since the beginning, of the last token
}

func (s *series) add(late, sent time.Duration, r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, tok := range r.tokens {
		if i == 0 {
			s.first = append(s.first, late+tok.At)
		} else {
			s.gap = append(s.gap, tok.At-r.tokens[i-1].At)
		}
		s.last = max(s.last, sent+tok.At)
	}
	s.tokens += len(r.tokens)
}

// nearest gives a percentile by nearest rank, in milliseconds.
func nearest(list []time.Duration, p float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	rank := int(p/100*float64(len(sorted)) + 0.999999)
	return sorted[min(max(rank, 1), len(sorted))-1].Seconds() * 1000
}

func (s *series) row() string {
	return fmt.Sprintf("%.0f / %.0f / %.0f | %.1f / %.1f / %.1f", nearest(s.first, 50), nearest(s.first, 95), nearest(s.first, 99),
		nearest(s.gap, 50), nearest(s.gap, 95), nearest(s.gap, 99))
}

const (
	turnsEach = 8  // requests of each client
	answer    = 32 // tokens of each reply
	news      = 24 // tokens of a turn that are not cached
)

// talk is the n-th turn of a client: an NPC's persona, then something new.
func talk(client, n int) engine.Request {
	persona := fmt.Sprint("You are keeper number ", client, ".") + strings.Repeat(" The sea is older than the tower.", 20)
	r := say(persona, fmt.Sprint("Turn ", n, ". ")+strings.Repeat("Who lit it? ", news/6), uint64(n), answer)
	return r
}

// BenchmarkLoad sends turns at fixed times, whether or not earlier ones are
// answered (an open loop, so that a stall is not left out), and prints a row of
// the README's table for each number of clients. The time between two turns of a
// client is three times what one takes alone. Run it by `make load`.
func BenchmarkLoad(b *testing.B) {
	silence(b)
	c := start(b, 0)
	for client := range 8 {
		generate(b, c, talk(client, 0))
	}
	begun := time.Now()
	for n := range 3 {
		generate(b, c, talk(0, 100+n))
	}
	period := time.Since(begun) // of three
	for _, clients := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(clients), func(b *testing.B) {
			for b.Loop() {
				s := &series{}
				arrivals(b, c, s, clients, period)
				offered := float64(clients) / period.Seconds()
				b.Logf("| %d | %.2f / %.2f | %s |", clients, offered, float64(clients*turnsEach)/s.last.Seconds(), s.row())
			}
		})
	}
	load, _ := os.ReadFile("/proc/loadavg")
	b.Logf("a turn each %v; load average %s", period.Round(time.Millisecond), strings.TrimSpace(string(load)))
}

// arrivals has clients send their turns at fixed times, spread over the period.
func arrivals(b *testing.B, c *worker.Client, s *series, clients int, period time.Duration) {
	b.Helper()
	var group sync.WaitGroup
	begin := time.Now()
	for n := range turnsEach {
		for client := range clients {
			due := period*time.Duration(n) + period*time.Duration(client)/time.Duration(clients)
			group.Go(func() {
				time.Sleep(due - time.Since(begin))
				sent := time.Since(begin)
				s.add(sent-due, sent, generate(b, c, talk(client, 1000*clients+n)))
			})
		}
	}
	group.Wait()
}

// BenchmarkChatUnderLoad compares a chat's gaps alone with its gaps while three
// playtests run in the background without a pause, in turns. They go on while no
// chat runs, so that they are in the middle of something when one comes.
func BenchmarkChatUnderLoad(b *testing.B) {
	silence(b)
	c := start(b, 0)
	for i := range 3 { // the playtests' personas are cached
		generate(b, c, talk(20+i, 0))
	}
	for b.Loop() {
		alone, loaded := &series{}, &series{}
		background := 0
		for n := range rounds {
			alone.add(0, 0, generate(b, c, chatting(n)))
			ctx, cancel := context.WithCancel(b.Context())
			var mu sync.Mutex
			var group sync.WaitGroup
			for i := range 3 {
				group.Go(func() {
					for k := 0; ctx.Err() == nil; k++ {
						r := talk(20+i, 1000*n+k)
						r.Priority = engine.Background
						stream, err := c.Generate(ctx, r)
						if err != nil {
							return
						}
						tokens := len(read(b, stream, nil).tokens)
						mu.Lock()
						background += tokens
						mu.Unlock()
					}
				})
			}
			time.Sleep(200 * time.Millisecond)
			loaded.add(0, 0, generate(b, c, chatting(n+100)))
			cancel()
			group.Wait()
		}
		for _, p := range []float64{50, 95} {
			b.Logf("gap p%.0f: alone %.1f ms, under load %.1f ms, ratio %.2f", p, nearest(alone.gap, p), nearest(loaded.gap, p),
				nearest(loaded.gap, p)/nearest(alone.gap, p))
		}
		b.Logf("first token p50: alone %.0f ms, under load %.0f ms; %d background tokens", nearest(alone.first, 50), nearest(loaded.first, 50), background)
		b.ReportMetric(nearest(loaded.gap, 95)/nearest(alone.gap, 95), "p95-ratio")
	}
}

func chatting(n int) engine.Request { // 100 gaps each
	r := talk(0, n)
	r.Sampling.MaxTokens = 100
	r.Sampling.TopK = 40
	return r
}
