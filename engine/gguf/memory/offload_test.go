package memory_test

import (
	"testing"

	"fabula/engine/gguf/memory"
)

// TestOffload has a model of 31 × 100 MiB with a cache of 10 MiB a layer.
func TestOffload(t *testing.T) {
	const mib = 1 << 20
	d := memory.Demand{Weights: 3100 * mib, Cell: 30 * 10 * mib / 1024, Layers: 30}
	p := memory.Plan{Window: 1024, Sequences: 1}
	tests := []struct {
		name  string
		cards []memory.Card
		want  int
	}{
		{"no card", nil, 0},
		{"all of it", []memory.Card{{Free: 3700 * mib}}, 31},
		{"all but the output", []memory.Card{{Free: 3590 * mib}}, 30},
		{"half", []memory.Card{{Free: 256*mib + 15*110*mib + mib}}, 15},
		{"two cards", []memory.Card{{Free: 1900 * mib}, {Free: 1900 * mib}}, 29},
		{"too small", []memory.Card{{Free: 300 * mib}}, 0},
	}
	for _, tt := range tests {
		if got := d.Offload(p, tt.cards); got != tt.want {
			t.Errorf("%s: %d layers, want %d", tt.name, got, tt.want)
		}
	}
	if got := (memory.Demand{Weights: mib}).Offload(p, []memory.Card{{Free: 8 << 30}}); got != 0 {
		t.Errorf("a model of unknown layers: %d", got)
	}
}

func TestRoom(t *testing.T) {
	const gib = 1 << 30
	cards := []memory.Card{{Free: 8 * gib}, {Free: 4 * gib, Shared: true}}
	if got := memory.Room(4*gib, cards); got != 12*gib-256<<20 {
		t.Errorf("%d bytes", got)
	}
	if got := memory.Room(0, cards); got != 0 {
		t.Errorf("unknown memory: %d bytes", got)
	}
}
