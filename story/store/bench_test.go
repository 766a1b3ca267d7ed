package store_test

import (
	"testing"

	"fabula/story/store"
)

// BenchmarkOpenBranch2000 opens a store and reads a branch of 2,000 turns with
// all its figures. The target is under 300 ms. bytes/turn is the size of the
// file over its turns, each with 60 tokens and up to 150 prompt
// segments.
func BenchmarkOpenBranch2000(b *testing.B) {
	const turns = 2000
	dir := b.TempDir()
	s := open(b, dir)
	grow(b, s, turns)
	stats, err := s.Stats()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := store.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		br, err := s.Branch("B0")
		if err != nil {
			b.Fatal(err)
		}
		if path, err := s.Path(br.Leaf); err != nil || len(path) != turns+1 {
			b.Fatal(len(path), err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(stats.Bytes)/turns, "bytes/turn")
}

// BenchmarkTurn stores one turn: two Updates, each synced.
func BenchmarkTurn(b *testing.B) {
	s := open(b, b.TempDir())
	br := grow(b, s, 0)
	turn, a := turnAt(1), alternativeAt(1)
	for b.Loop() {
		if err := s.Begin(nil, nil, turn); err != nil {
			b.Fatal(err)
		}
		if err := s.Finish(a, "finished", br, nil); err != nil {
			b.Fatal(err)
		}
	}
}
