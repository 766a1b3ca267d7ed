//go:build tensorrt

package tensorrt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"fabula/engine/gguf"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/weights"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

// Measure takes the times of a plan on the card. Nothing else should run on it.
func Measure(ctx context.Context, o MeasureOptions) (*Report, error) {
	o.Open.Untested = true
	start := time.Now()
	m, err := OpenModel(o.Open, worker.Load{Model: o.Model})
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	defer func() { _ = m.Close() }()
	t := taker{m: m, o: o, loaded: time.Since(start)}
	t.open = func() (*Model, error) {
		return OpenModel(o.Open, worker.Load{Model: o.Model, BaseHash: m.facts.BaseHash})
	}
	if t.ids, _, err = testTokens(m); err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	return t.all(ctx)
}

// taker takes series one after the other.
type taker struct {
	m   *Model
	r   *Report
	o   MeasureOptions
	ids []int32

	loaded time.Duration
	open   func() (*Model, error) // loads what is measured once more
}

// all takes every series. After an error the report holds what was taken.
func (t *taker) all(ctx context.Context) (*Report, error) {
	m := t.m
	t.r = &Report{Date: time.Now().UTC().Truncate(time.Second), Load: t.loaded.Seconds(), Manifest: m.manifest, Model: m.manifest.Model, Library: m.manifest.Library.String()}
	headers, _ := bridge.Headers()
	if o := t.o.Open; o.Apart {
		t.r.Variant = "kernels apart"
	} else if o.Plain {
		t.r.Variant = "no CUDA graphs"
	}
	t.r.Headers, t.r.Device = headers.String(), m.session.Memory()
	var err error
	if t.r.Card, err = m.device.Card(); err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	series := []func(context.Context) error{t.decode, t.through, t.prefill, t.fork, t.batch, t.layers}
	if t.o.Bare {
		series, t.r.Variant = nil, "no times"
	}
	for _, take := range append(series, t.against, t.cancels, t.cycles) {
		if err := take(ctx); err != nil {
			return t.r, fmt.Errorf("measure: %w", err)
		}
	}
	t.r.Captured = m.session.Captured()
	return t.r, nil
}

func (t *taker) add(name string, ns []int64) { t.r.Series = append(t.r.Series, Series{name, ns}) }

// times runs something often, after three runs that do not count.
func times(n int, run func() error) ([]int64, error) {
	var list []int64
	for i := range n + 3 {
		start := time.Now()
		if err := run(); err != nil {
			return nil, err
		}
		if i >= 3 {
			list = append(list, time.Since(start).Nanoseconds())
		}
	}
	return list, nil
}

// fill brings n tokens into a slot.
func (t *taker) fill(slot, n int) error {
	for at := 0; at < n; {
		to := min(at+t.m.facts.Chunk, n)
		ids := make([]int32, to-at)
		for i := range ids {
			ids[i] = t.ids[(at+i)%len(t.ids)]
		}
		if err := t.m.session.Prefill(slot, at, ids); err != nil {
			return err
		}
		at = to
	}
	return nil
}

func (t *taker) spans() []int {
	var spans []int
	for _, span := range []int{64, 256, 1024, 3800} {
		if span+t.o.Steps+8 <= t.m.facts.Context {
			spans = append(spans, span)
		}
	}
	return spans
}

// decode is the loop without Go: launch, logits on the host, best token chosen.
func (t *taker) decode(context.Context) error {
	for _, span := range t.spans() {
		if err := t.fill(0, span); err != nil {
			return err
		}
		if _, err := t.m.session.Loop(0, span, t.ids[0], 4); err != nil {
			return err
		}
		ns, err := t.m.session.Loop(0, span, t.ids[0], t.o.Steps)
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("decode, span %d, C loop", span), ns)
	}
	return nil
}

// through is the same through worker.Backend: with the best logits, as the worker asks
// for them, and with all of them, the best token then being found in Go.
func (t *taker) through(context.Context) error {
	for _, span := range t.spans() {
		for _, most := range []int{256, 0} {
			if err := t.fill(0, span); err != nil {
				return err
			}
			id, at := t.ids[0], span
			ns, err := times(t.o.Steps, func() error {
				scores, err := t.m.Decode([]worker.Run{{At: at, IDs: []int32{id}, Want: 1, Best: most}})
				if err == nil {
					id, at = first(scores[0]), at+1
				}
				return err
			})
			if err != nil {
				return err
			}
			name := fmt.Sprintf("decode, span %d, Go loop", span)
			if most == 0 {
				name += ", all logits"
			}
			t.add(name, ns)
		}
	}
	return nil
}

// answer appends tokens to a slot as the worker would, the first token of a reply known
// at the end.
func (t *taker) answer(slot, at, n int) error {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = t.ids[(at+i)%len(t.ids)]
	}
	_, err := t.m.Decode([]worker.Run{{Seq: slot, At: at, IDs: ids, Want: 1, Best: 256}})
	return err
}

func (t *taker) prefill(context.Context) error {
	for _, n := range []int{32, 64, 256, 512, 1024} {
		if n > t.m.facts.Chunk {
			continue
		}
		ns, err := times(20, func() error { return t.answer(0, 0, n) })
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("prefill, %d tokens, cold", n), ns)
	}
	most := min(1024, t.m.facts.Chunk)
	n := most + 1
	ns, err := times(64, func() error { n--; return t.answer(0, 0, n) })
	t.add(fmt.Sprintf("prefill, %d tokens and each time one less, cold", most), ns)
	return err
}

// fork copies 1,024 tokens to another slot and appends 32.
func (t *taker) fork(context.Context) error {
	const shared, fresh = 1024, 32
	if shared+fresh > t.m.facts.Context || t.m.facts.Sequences < 2 {
		return nil
	}
	if err := t.fill(0, shared); err != nil {
		return err
	}
	ns, err := times(50, func() error {
		if err := t.m.session.Copy(0, 1, shared); err != nil {
			return err
		}
		return t.answer(1, shared, fresh)
	})
	t.add(fmt.Sprintf("fork, %d shared, %d new", shared, fresh), ns)
	return err
}

// batch decodes several sequences that hold 1,024 tokens each.
func (t *taker) batch(context.Context) error {
	const span = 1024
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		if n > t.m.facts.Batch || span+64 > t.m.facts.Context {
			continue
		}
		slots, at, ids := make([]int32, n), make([]int32, n), make([]int32, n)
		for i := range n {
			if err := t.fill(i, span); err != nil {
				return err
			}
			slots[i], at[i], ids[i] = int32(i), span, t.ids[i]
		}
		ns, err := times(50, func() error {
			if err := t.m.session.Step(slots, at, ids); err != nil {
				return err
			}
			for i := range at {
				at[i]++
			}
			_, err := t.m.session.Finish()
			return err
		})
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("batch, %d sequences, span %d", n, span), ns)
	}
	return nil
}

func (t *taker) layers(context.Context) error {
	span := min(1024, t.m.facts.Context-1)
	if err := t.fill(0, span); err != nil {
		return err
	}
	lines, err := t.m.session.Layers(1, span)
	if err != nil {
		return err
	}
	for line := range strings.Lines(lines) {
		number, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		us, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return fmt.Errorf("profile line %q: %w", line, err)
		}
		t.r.Layers = append(t.r.Layers, Layer{name, us})
	}
	return nil
}

// against holds the plan against the CPU engine on a file of the same weights.
func (t *taker) against(ctx context.Context) error {
	if !t.o.Against {
		return nil
	}
	file, err := expanded(t.o.Model, t.o.Keep)
	if err != nil {
		return err
	}
	if t.o.Keep == "" {
		defer os.Remove(file)
	}
	ids, prefix, err := testTokens(t.m)
	if err != nil {
		return err
	}
	cpu, err := gguf.Open(worker.Load{Model: file, Context: len(ids) + 64}, func(float64) {})
	if err != nil {
		return fmt.Errorf("CPU engine: %w", err)
	}
	defer func() { _ = cpu.Close() }()
	if t.r.Against, err = Compare(ctx, cpu, t.m, ids, prefix); err != nil {
		return err
	}
	source := "weights expanded to FP16, on " + cpu.Facts().Runtime // the copy's metadata still name the old type
	t.r.Against.Reference = source
	if err := t.r.Against.fork(t.m, ids); err != nil {
		return err
	}
	var prompts [][]int32
	for _, text := range Openings(20) {
		ids, err := t.m.Tokens(text, false)
		if err != nil {
			return err
		}
		prompts = append(prompts, ids)
	}
	if t.r.Equal, err = Equal(ctx, cpu, t.m, prompts, 64); err == nil {
		t.r.Equal.Reference = source
	}
	return err
}

// expanded writes a copy of a model with its matrices in FP16, for llama.cpp also
// rounds what it multiplies quantised weights by: into a file, or a temporary one that
// the caller removes.
func expanded(model, into string) (string, error) {
	in, err := os.Open(model)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h, err := header.Open(model)
	if err != nil {
		return "", err
	}
	var out *os.File
	if into != "" {
		out, err = os.Create(into)
	} else {
		out, err = os.CreateTemp("", "expanded-*.gguf")
	}
	if err != nil {
		return "", err
	}
	if err := errors.Join(weights.Copy(out, h, in, weights.F16), out.Close()); err != nil {
		_ = os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}
