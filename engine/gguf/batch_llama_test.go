//go:build llama

package gguf_test

import (
	"slices"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/worker"
)

// Logits do not depend on what else runs in the pass: neighbours and others, a
// chunk of a prompt beside single tokens, and several scores of one run.
func TestBatch(t *testing.T) {
	b := direct(t)
	f := b.Facts()
	if f.Sequences < 4 || f.Batch < 2 || f.Scores < f.Sequences {
		t.Fatalf("facts %+v", f)
	}
	texts := []string{
		"The keeper lit the lamp and went down to the sea.", "A fox sat under the lantern.",
		"Nobody came by boat tonight.", "Snow fell on the bridge, and the river slept.",
	}
	seqs := []int{2, 0, 1, f.Sequences - 1} // the last may stand apart
	var alone [4][][]float32                // logits after the last ids of each text
	var ids [4][]int32
	const tail = 3
	for i, text := range texts {
		var err error
		if ids[i], err = b.Tokens(text, false); err != nil {
			t.Fatal(err)
		}
		n := len(ids[i]) - tail
		run(t, b, worker.Run{Seq: seqs[i], IDs: ids[i][:n]})
		for k := range tail {
			got := run(t, b, worker.Run{Seq: seqs[i], At: n + k, IDs: ids[i][n+k : n+k+1], Want: 1})
			alone[i] = append(alone[i], slices.Clone(got[0].Logits))
		}
	}
	// All again, in one pass each: the prompts, then the tails: one at once and
	// the others token by token.
	var first []worker.Run
	for i := range texts {
		b.Truncate(seqs[i], 0)
		first = append(first, worker.Run{Seq: seqs[i], IDs: ids[i][:len(ids[i])-tail]})
	}
	run(t, b, first...)
	for k := range tail {
		var runs []worker.Run
		for i := range texts {
			at := len(ids[i]) - tail + k
			r := worker.Run{Seq: seqs[i], At: at, IDs: ids[i][at : at+1], Want: 1}
			if i == 1 {
				if k > 0 {
					continue
				}
				r.IDs, r.Want = ids[i][at:], tail
			}
			runs = append(runs, r)
		}
		got := run(t, b, runs...)
		for _, r := range runs {
			i := slices.Index(seqs, r.Seq)
			for n := range r.Want {
				if !slices.Equal(got[0].Logits, alone[i][k+n]) {
					t.Errorf("text %d, token %d: other logits in a batch than alone", i, k+n)
				}
				got = got[1:]
			}
		}
	}
	for _, bad := range [][]worker.Run{{}, {{Seq: 0, At: 0}}, {{IDs: []int32{1}, Want: 2}}, {{IDs: make([]int32, 1000)}}} {
		if _, err := b.Decode(bad); err == nil {
			t.Errorf("runs %v were decoded", bad)
		}
	}
}

func run(t *testing.T, b worker.Backend, runs ...worker.Run) []worker.Scores {
	t.Helper()
	got, err := b.Decode(runs)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A seeded reply is the same text alone and in a batch, whoever joins and leaves
// meanwhile; alternatives compute their prompt once.
func TestSeedInBatch(t *testing.T) {
	c := start(t, 0)
	request := func(i int) engine.Request {
		r := say(keeper, "Who lit the lamp?", uint64(20+i), 24)
		if i == 3 {
			r = say(keeper+" You are blind.", "What do you hear?", 5, 40)
			r.Priority = engine.Background
		}
		return r
	}
	var want []string
	for i := range 4 {
		want = append(want, generate(t, c, request(i)).text)
	}
	var streams []engine.Stream
	for i := range 4 {
		s, err := c.Generate(t.Context(), request(i))
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, s)
	}
	company := 0.0
	for i, s := range streams {
		got := read(t, s, nil)
		if got.text != want[i] || got.prefill.Computed != 1 {
			t.Errorf("%d: %q in a batch, %q alone; %+v", i, got.text, want[i], got.prefill)
		}
		company = max(company, got.done.Stats.Company)
	}
	if company < 2 {
		t.Errorf("they did not decode together: %v", company)
	}
}

// The limit on what prompts kept ready may take is obeyed, and told.
func TestMemoryLimit(t *testing.T) {
	b, err := gguf.Open(worker.Load{Model: model(t), BaseHash: "known", Memory: 200 << 20, Threads: 1}, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if f := b.Facts(); f.Sequences != 2 || f.Memory <= 0 || f.Memory > 200<<20 {
		t.Errorf("%d sequences, %d bytes", f.Sequences, f.Memory)
	}
}
