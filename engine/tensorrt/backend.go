//go:build tensorrt

package tensorrt

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

// Open gives a worker.Open that runs the plan of a model.
func Open(o OpenOptions) worker.Open {
	return func(l worker.Load, progress func(float64)) (worker.Backend, error) {
		m, err := OpenModel(o, l)
		if err != nil {
			return nil, fmt.Errorf("TensorRT: %w", err)
		}
		progress(1)
		return m, nil
	}
}

// Model is a plan that runs; it implements worker.Backend.
type Model struct {
	*gguf.Vocabulary // splits text
	device           *bridge.Device
	session          *bridge.Session
	manifest         *Manifest
	facts            worker.Facts
	aborted          atomic.Bool
}

// OpenModel checks the plan of a model and loads it. A plan that must not be
// loaded is quarantined if its bytes are not those of its manifest. Errors wrap
// engine.ErrUnavailable or engine.ErrIncompatible.
func OpenModel(o OpenOptions, l worker.Load) (*Model, error) {
	library, err := bridge.OpenLibrary(o.Root)
	if err != nil {
		return nil, err
	}
	if _, err := bridge.Driver(); err != nil {
		return nil, err
	}
	if l.BaseHash == "" {
		if l.BaseHash, err = hashFile(l.Model); err != nil {
			return nil, fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
		}
	}
	m := &Model{}
	if m.device, err = bridge.OpenDevice(o.Card); err != nil {
		return nil, err
	}
	if err := m.open(o, l, library); err != nil {
		m.release()
		return nil, err
	}
	return m, nil
}

func (m *Model) open(o OpenOptions, l worker.Load, library *bridge.Library) error {
	card, err := m.device.Card()
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	plan := o.Plan
	if plan == "" {
		if plan, err = find(o.Dir, l.BaseHash, library.Version(), card); err != nil {
			return err
		}
	}
	if m.manifest, err = ReadManifest(plan); err != nil {
		return err
	}
	if err := m.manifest.usable(o, l.BaseHash, library.Version(), card); err != nil {
		return err
	}
	if err := m.manifest.Intact(plan); err != nil {
		if moved, failed := Quarantine(plan); failed == nil {
			err = fmt.Errorf("%w; it is %s now: build it again", err, filepath.Base(moved))
		}
		return err
	}
	if m.Vocabulary, err = gguf.OpenVocabulary(l.Model); err != nil {
		return err
	}
	if err := m.load(o, plan, library); err != nil {
		return fmt.Errorf("plan %s: %w", filepath.Base(plan), err)
	}
	m.describe(o, l.BaseHash, card)
	return m.warm()
}

// warm runs what the first replies would otherwise wait for: modules are loaded when
// they are first called, and a step or a prompt of a size becomes a graph at its
// second run.
func (m *Model) warm() error {
	if err := errors.Join(m.warmPrompts(), m.warmSteps()); err != nil {
		return fmt.Errorf("first steps: %w: %w", engine.ErrUnavailable, err)
	}
	return nil
}

func (m *Model) warmPrompts() error {
	for n := bridge.PromptPiece; n < m.facts.Chunk+bridge.PromptPiece; n += bridge.PromptPiece {
		ids := make([]int32, min(n, m.facts.Chunk))
		if err := twice(m.session, func() error { return m.session.Prefill(0, 0, ids) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) warmSteps() error {
	for n := 1; n <= m.session.Most(); n *= 2 {
		for _, apart := range []bool{true, false} {
			if apart && n > m.facts.Batch || !apart && (n == 1 || !m.session.Runs()) {
				continue
			}
			slots, at, ids := make([]int32, n), make([]int32, n), make([]int32, n)
			for i := range n {
				if apart {
					slots[i] = int32(i)
				} else {
					at[i] = int32(i)
				}
			}
			if err := twice(m.session, func() error { return m.session.Step(slots, at, ids) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func twice(s *bridge.Session, queue func() error) error {
	for range 2 {
		if err := queue(); err != nil {
			return err
		}
		if _, err := s.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// usable says whether a plan may be loaded here.
func (m *Manifest) usable(o OpenOptions, base string, v bridge.Version, card bridge.Card) error {
	switch {
	case m.BaseHash != base:
		return fmt.Errorf("%w: the plan is of other weights: build it again", engine.ErrIncompatible)
	case m.Runs() != nil:
		return m.Runs()
	case o.Untested:
	case m.SelfTest == nil:
		return fmt.Errorf("%w: the plan was never compared with the CPU engine: fabula engines verify", engine.ErrUnavailable)
	case !m.SelfTest.Passed:
		return fmt.Errorf("%w: the plan failed its self-test: %s", engine.ErrIncompatible, m.SelfTest.Why)
	}
	return m.Fits(v, card)
}

// find looks for the plan of some weights for this library and card. One that is not
// quantised is preferred: whoever wants another names it.
func find(dir, base string, v bridge.Version, card bridge.Card) (string, error) {
	var other error
	quantised := ""
	for _, plan := range Plans(dir) {
		m, err := ReadManifest(plan)
		if err == nil && m.BaseHash != base {
			continue
		}
		if err == nil {
			switch err = m.Fits(v, card); {
			case err == nil && m.Int8 == nil:
				return plan, nil
			case err == nil:
				quantised = plan
				continue
			}
		}
		other = fmt.Errorf("%s: %w", filepath.Base(plan), err)
	}
	if quantised != "" {
		return quantised, nil
	}
	if other != nil {
		return "", other
	}
	return "", fmt.Errorf("%w: no engine of this model in %s: fabula engines build", engine.ErrUnavailable, dir)
}

func (m *Model) load(o OpenOptions, plan string, library *bridge.Library) error {
	s := m.manifest.Sizes
	card, err := m.device.Card()
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	if err := m.device.Kernels(s.Head, m.manifest.bf16(), card.Major >= 9 && !o.Apart); err != nil {
		return err
	}
	raw, err := mapped(plan)
	if err != nil {
		return err
	}
	defer raw.close()
	var few mapping
	if m.manifest.Few != nil {
		if few, err = mapped(fewOf(plan)); err != nil {
			return err
		}
		defer few.close()
	}
	m.session, err = bridge.OpenSession(library, m.device, raw, few, bridge.Model{
		Layers: s.Layers, KeyHeads: s.KeyHeads, Size: s.Head, Vocab: s.Vocab, Context: m.manifest.Context, Chunk: m.manifest.Chunk,
		Batch: m.manifest.Batch, Slots: cmp.Or(o.Slots, 8), Element: 2, Graphs: !o.Plain,
	})
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	return nil
}

func (m *Model) describe(o OpenOptions, base string, card bridge.Card) {
	f := m.Vocabulary.Facts()
	f.Context, f.Sequences, f.Rewind, f.Chunk = m.manifest.Context, cmp.Or(o.Slots, 8), true, m.manifest.Chunk
	f.Scores, f.Batch = f.Chunk, m.batch()
	f.BaseHash, f.Precision, f.Vocab = base, m.manifest.Precision, m.manifest.Sizes.Vocab
	f.Runtime = m.manifest.Library.String() + ", " + strings.TrimPrefix(card.Name, "NVIDIA ")
	m.facts = f
}

// batch is how many sequences are worth a step: one reads the weights once for all.
func (m *Model) batch() int { return min(m.session.Most(), m.session.Slots()) }

// Facts implements worker.Backend.
func (m *Model) Facts() worker.Facts { return m.facts }

// Manifest tells what the plan was made of.
func (m *Model) Manifest() *Manifest { return m.manifest }

// Session is the plan at work, for measurements.
func (m *Model) Session() *bridge.Session { return m.session }

// Truncate implements worker.Backend: what lies behind n is overwritten when the
// next token comes.
func (m *Model) Truncate(int, int) bool { return true }

// Decode implements worker.Backend.
func (m *Model) Decode(runs []worker.Run) ([]worker.Scores, error) {
	return m.DecodeBeside(runs, func() {})
}

// DecodeBeside implements worker.Beside.
func (m *Model) DecodeBeside(runs []worker.Run, meanwhile func()) ([]worker.Scores, error) {
	d := decoding{card: m.session, chunk: m.facts.Chunk, vocab: m.facts.Vocab, aborted: m.aborted.Load, meanwhile: meanwhile}
	return d.all(runs)
}

// Copy implements worker.Backend. A copy that fails shows in the next step, since
// it is on the same stream.
func (m *Model) Copy(src, dst, n int) { _ = m.session.Copy(src, dst, n) }

// Abort implements worker.Backend: the step that runs ends first.
func (m *Model) Abort(on bool) { m.aborted.Store(on) }

// Close implements worker.Backend.
func (m *Model) Close() error {
	m.release()
	return nil
}

func (m *Model) release() {
	if m.session != nil {
		m.session.Close()
	}
	if m.device != nil {
		m.device.Close()
	}
	if m.Vocabulary != nil {
		_ = m.Vocabulary.Close() // frees memory, cannot fail
	}
	m.session, m.device, m.Vocabulary = nil, nil, nil
}
