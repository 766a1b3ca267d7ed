//go:build tensorrt

package tensorrt

import (
	"context"
	"fmt"
	"slices"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/worker"
)

// Lengths of the self-test, in tokens, where the context has room.
const (
	testPrefix    = 1536
	testPositions = 512
)

// Verify runs the self-test of a plan against the CPU engine on the same GGUF file
// and records it in the manifest, whichever way it ended. reference names another
// file for the CPU engine, "" = the model's own.
func Verify(ctx context.Context, o OpenOptions, model, reference string, progress func(Progress)) (*SelfTest, error) {
	o.Untested = true
	plan, err := OpenModel(o, worker.Load{Model: model})
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	defer plan.Close()
	ids, prefix, err := testTokens(plan)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	if reference == "" {
		reference = model
	}
	cpu, err := gguf.Open(worker.Load{Model: reference, Context: len(ids) + 64}, func(float64) {})
	if err != nil {
		return nil, fmt.Errorf("verify: CPU engine: %w", err)
	}
	defer cpu.Close()
	if progress != nil {
		progress(Progress{Phase: "compare with the CPU engine"})
	}
	t, err := Compare(ctx, cpu, plan, ids, prefix)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	if err := t.fork(plan, ids); err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	if o.Plan == "" {
		card, err := plan.device.Card()
		if err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
		if o.Plan, err = find(o.Dir, plan.facts.BaseHash, plan.manifest.Library, card); err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
	}
	plan.manifest.SelfTest = t
	if reference != model {
		return t, nil // for the record, not for the manifest
	}
	return t, plan.manifest.write(o.Plan)
}

// fork decodes the last token again: alone, in a batch of two sequences of which one was
// copied from the other, and as the last of a few tokens of that.
func (t *SelfTest) fork(m *Model, ids []int32) error {
	if m.manifest.Batch < 2 || m.facts.Sequences < 2 {
		return nil
	}
	at, last := len(ids)-1, ids[len(ids)-1]
	first, err := m.Decode([]worker.Run{{At: at, IDs: []int32{last}, Want: 1}})
	if err != nil {
		return err
	}
	alone := slices.Clone(first[0].Logits)
	if err := m.session.Copy(0, 1, at); err != nil {
		return err
	}
	both, err := m.Decode([]worker.Run{{At: at, IDs: []int32{last}, Want: 1}, {Seq: 1, At: at, IDs: []int32{last}, Want: 1}})
	if err != nil {
		return err
	}
	from := max(0, at-39)
	span, err := m.Decode([]worker.Run{{Seq: 1, At: from, IDs: ids[from:], Want: 1}})
	if err != nil {
		return err
	}
	for _, s := range append(both, span...) {
		t.ForkKL = max(t.ForkKL, divergence(alone, s.Logits))
	}
	t.decide()
	return nil
}

// testTokens gives the tokens of the self-test and how many of them are the prefix.
func testTokens(m *Model) ([]int32, int, error) {
	ids, err := m.Tokens(Prose(400), false)
	if err != nil {
		return nil, 0, err
	}
	if first := m.facts.First; first >= 0 {
		ids = append([]int32{first}, ids...)
	}
	n := min(testPrefix+testPositions, m.facts.Context, len(ids))
	if n < 64 {
		return nil, 0, fmt.Errorf("%w: a context of %d is too short for the self-test", engine.ErrIncompatible, m.facts.Context)
	}
	return ids[:n], min(testPrefix, n*3/4), nil
}
