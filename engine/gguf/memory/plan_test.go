package memory_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/gguf/memory"
)

func TestPlan(t *testing.T) {
	const mib = 1 << 20
	tests := []struct {
		name              string
		weights, cell     int64
		trained, asked    int
		free              int64
		window, sequences int
		is                error
		says              string
	}{
		{name: "toy with room", weights: 98 * mib, cell: 23040, trained: 8192, free: 8192 * mib, window: 4096, sequences: 8},
		{name: "unknown memory", weights: 98 * mib, cell: 23040, trained: 8192, window: 4096, sequences: 4},
		{name: "trained for less", weights: 98 * mib, cell: 23040, trained: 2048, free: 8192 * mib, window: 2048, sequences: 8},
		{name: "no quarter to spare", weights: 98 * mib, cell: 23040, trained: 8192, free: 2048 * mib, window: 4096, sequences: 4},
		{name: "donors go first", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 5500 * mib, window: 4096, sequences: 2, says: "prompts kept ready: 2 instead of 4: 5.4 GiB of memory free"},
		{name: "then the window", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 4700 * mib, window: 2048, sequences: 1, says: "window of 2048 tokens instead of 4096: 4.6 GiB of memory free"},
		{name: "too big", weights: 4096 * mib, cell: 128 << 10, trained: 8192, free: 2048 * mib, is: engine.ErrUnavailable, says: "needs 4.4 GiB of memory (weights 4.0 GiB, cache 128 MiB for 1024 tokens, 256 MiB besides), 2.0 GiB free"},
		{name: "asked for is kept", weights: 4096 * mib, cell: 128 << 10, trained: 8192, asked: 8192, free: 4700 * mib, is: engine.ErrUnavailable, says: "for 8192 tokens"},
		{name: "asked beyond training", weights: 98 * mib, cell: 23040, trained: 8192, asked: 16384, is: engine.ErrIncompatible, says: "trained for 8192"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := memory.Demand{Weights: tt.weights, Cell: tt.cell, Trained: tt.trained}.Plan(tt.asked, tt.free)
			if p.Window != tt.window || p.Sequences != tt.sequences || !errors.Is(err, tt.is) {
				t.Errorf("plan %+v, error %v", p, err)
			}
			said := p.Note
			if err != nil {
				said = err.Error()
			}
			if !strings.Contains(said, tt.says) || tt.says == "" && said != "" {
				t.Errorf("it says %q, not %q", said, tt.says)
			}
		})
	}
}

// A limit on what is kept sets the number of prompts, up and down.
func TestLimit(t *testing.T) {
	const mib = 1 << 20
	d := memory.Demand{Weights: 98 * mib, Cell: 23040, Trained: 8192} // 90 MiB for each window of 4,096
	for _, tt := range []struct {
		free, limit int64
		sequences   int
	}{
		{8192 * mib, 100 * mib, 1}, {8192 * mib, 10 * mib, 1}, {8192 * mib, 280 * mib, 3}, {8192 * mib, 1400 * mib, 15},
		{0, 1 << 40, 64}, {1000 * mib, 1400 * mib, 7},
	} {
		p, err := d.Within(0, tt.free, tt.limit)
		if err != nil || p.Sequences != tt.sequences || p.Cache != int64(p.Sequences)*4096*23040 || p.Note != "" {
			t.Errorf("limit %d of %d: %+v, %v; want %d sequences", tt.limit, tt.free, p, err, tt.sequences)
		}
	}
}

func TestNeed(t *testing.T) {
	d := memory.Demand{Weights: 1 << 30, Cell: 1 << 10, Trained: 2048}
	if got, want := d.Need(0), int64(1<<30+2048<<10+256<<20); got != want {
		t.Errorf("usual window: %d bytes, want %d", got, want)
	}
	if got, want := d.Need(1024), int64(1<<30+1024<<10+256<<20); got != want {
		t.Errorf("1024 tokens: %d bytes, want %d", got, want)
	}
}

// TestOf takes the figures of SmolLM2: 30 layers, 3 heads of 64 for keys and values.
func TestOf(t *testing.T) {
	data := sample.Model("M", 64,
		sample.Pair{Key: "llama.block_count", Value: uint32(30)}, sample.Pair{Key: "llama.embedding_length", Value: uint32(576)},
		sample.Pair{Key: "llama.attention.head_count", Value: uint32(9)}, sample.Pair{Key: "llama.attention.head_count_kv", Value: uint32(3)}).Bytes()
	h, err := header.Read(strings.NewReader(string(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	got := memory.Of(h)
	if got.Cell != 30*3*(64+64)*2 || got.Layers != 30 || got.Weights != int64(len(data)) {
		t.Errorf("%+v", got)
	}
}
