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

// fork decodes the last token again, alone and then in a batch of two sequences, of
// which one was copied from the other.
func (t *SelfTest) fork(m *Model, ids []int32) error {
	if m.manifest.Batch < 2 || m.facts.Sequences < 2 {
		return nil
	}
	at, last := len(ids)-1, ids[len(ids)-1]
	alone, err := m.step(0, at, []int32{last}, true)
	if err != nil {
		return err
	}
	alone = slices.Clone(alone)
	if err := m.session.Copy(0, 1, at); err != nil {
		return err
	}
	both, err := m.session.Decode([]int32{0, 1}, []int32{int32(at), int32(at)}, []int32{last, last})
	if err != nil {
		return err
	}
	for _, row := range [][]float32{both[:m.facts.Vocab], both[m.facts.Vocab:]} {
		t.ForkKL = max(t.ForkKL, divergence(alone, row))
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
