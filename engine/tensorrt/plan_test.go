//go:build tensorrt

package tensorrt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/tensorrt"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// tinyModel writes a GGUF file of a llama of one layer; its weights are zeros.
func tinyModel(t *testing.T) string {
	t.Helper()
	const hidden, ffn, vocab = 64, 96, 32
	words := make([]string, vocab)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	f := sample.Model("Tiny Test", 1,
		sample.Pair{Key: "tokenizer.ggml.tokens", Value: words},
		sample.Pair{Key: "llama.block_count", Value: uint32(1)}, sample.Pair{Key: "llama.embedding_length", Value: uint32(hidden)},
		sample.Pair{Key: "llama.feed_forward_length", Value: uint32(ffn)}, sample.Pair{Key: "llama.attention.head_count", Value: uint32(4)},
		sample.Pair{Key: "llama.attention.head_count_kv", Value: uint32(2)}, sample.Pair{Key: "llama.attention.layer_norm_rms_epsilon", Value: float32(1e-5)},
	)
	f.Tensors = nil
	add := func(name string, dims ...uint64) {
		n := 4
		for _, d := range dims {
			n *= int(d)
		}
		f.Tensors = append(f.Tensors, sample.Tensor{Name: name, Dims: dims, Bytes: n})
	}
	add("token_embd.weight", hidden, vocab)
	add("output_norm.weight", hidden)
	for name, dims := range map[string][]uint64{
		"attn_norm": {hidden}, "ffn_norm": {hidden}, "attn_q": {hidden, hidden}, "attn_k": {hidden, hidden / 2}, "attn_v": {hidden, hidden / 2},
		"attn_output": {hidden, hidden}, "ffn_gate": {hidden, ffn}, "ffn_up": {hidden, ffn}, "ffn_down": {ffn, hidden},
	} {
		add("blk.0."+name+".weight", dims...)
	}
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAPlanIsKnownByItsManifest builds a plan from a file and harms it.
func TestAPlanIsKnownByItsManifest(t *testing.T) {
	model, dir := tinyModel(t), t.TempDir()
	o := tensorrt.BuildOptions{Model: model, Dir: dir, Root: os.Getenv("TENSORRT_ROOT"), Card: -1, Unrun: true, Context: 512, Chunk: 32, Batch: 2, Level: 0}
	var last tensorrt.Progress
	plan, m, err := tensorrt.Build(t.Context(), o, func(p tensorrt.Progress) {
		if p.Done < last.Done {
			t.Errorf("progress fell from %g to %g", last.Done, p.Done)
		}
		last = p
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("tiny-test-r2-%s-fp16.engine", m.Library.Short()); filepath.Base(plan) != want || last.Done != 1 {
		t.Errorf("built %s, not %s; progress ended at %g", plan, want, last.Done)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); left != nil { // the pattern is well-formed
		t.Errorf("left behind: %v", left)
	}
	read, err := tensorrt.ReadManifest(plan)
	if err != nil || read.BaseHash != m.BaseHash || read.GraphHash != m.GraphHash {
		t.Fatalf("the manifest is %+v, %v", read, err)
	}
	if err := read.Intact(plan); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, whole...)
	flipped[len(flipped)/2] ^= 1
	for name, harmed := range map[string][]byte{"truncated": whole[:len(whole)-1], "another file": append(whole[:len(whole):len(whole)], 0), "changed": flipped, "empty, truncated": nil} {
		if err := os.WriteFile(plan, harmed, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := read.Intact(plan); !errors.Is(err, engine.ErrIncompatible) || !strings.Contains(err.Error(), name[strings.Index(name, " ")+1:]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if moved, err := tensorrt.Quarantine(plan); err != nil || moved != plan+".bad" {
		t.Errorf("quarantine: %s, %v", moved, err)
	}
	if err := read.Intact(plan); !errors.Is(err, engine.ErrIncompatible) {
		t.Errorf("a missing plan gives %v", err)
	}
	rung(t, "truncated, changed and foreign plans are refused and put aside")
}

// TestAQuantisedPlanSaysSo builds one of eight bits from a file, and is refused what
// needs texts.
func TestAQuantisedPlanSaysSo(t *testing.T) {
	model, dir := tinyModel(t), t.TempDir()
	o := tensorrt.BuildOptions{Model: model, Dir: dir, Root: os.Getenv("TENSORRT_ROOT"), Card: -1, Unrun: true, Context: 512, Chunk: 32, Batch: 2, Level: 0}
	o.Int8 = tensorrt.Int8{Scheme: graph.OfWeights, Alpha: tensorrt.Alpha}
	plan, m, err := tensorrt.Build(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("tiny-test-r2-%s-int8-weights.engine", m.Library.Short()); filepath.Base(plan) != want {
		t.Errorf("built %s, not %s", plan, want)
	}
	read, err := tensorrt.ReadManifest(plan)
	if err != nil || read.Precision != "INT8 weights" || read.Compute != "FP16" || read.Int8 == nil || read.Int8.Scheme != graph.OfWeights {
		t.Errorf("the manifest is %+v, %v", read, err)
	}
	for says, i := range map[string]tensorrt.Int8{
		"fabula calibrate": {Scheme: graph.All, Alpha: 0.5}, "layer 1": {Scheme: graph.OfWeights, Skip: []int{1}}, `"most"`: {Scheme: "most"},
	} {
		o.Int8 = i
		if _, _, err := tensorrt.Build(t.Context(), o, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	o.Int8 = tensorrt.Int8{Scheme: graph.OfMLP, Tokens: true}
	if _, m, err = tensorrt.Build(t.Context(), o, nil); err != nil || m.Int8.Calibration != nil {
		t.Errorf("scales by token: %v", err)
	}
	rung(t, "INT8 plans by name and manifest; refused without texts")
}

func TestNothingIsLeftOfACancelledBuild(t *testing.T) {
	model, dir := tinyModel(t), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := tensorrt.BuildOptions{Model: model, Dir: dir, Root: os.Getenv("TENSORRT_ROOT"), Card: -1, Unrun: true, Context: 512, Chunk: 32, Batch: 2}
	if _, _, err := tensorrt.Build(ctx, o, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled build gives %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestOtherCardsAndVersionsAreRefused holds a manifest against machines that it is
// not for.
func TestOtherCardsAndVersionsAreRefused(t *testing.T) {
	card := bridge.Card{Name: "NVIDIA H200", Major: 9, Minor: 0, Processors: 132, Driver: 13000}
	v := bridge.Version{Major: 10, Minor: 6}
	m := &tensorrt.Manifest{Library: v, Card: card}
	if err := m.Fits(v, card); err != nil {
		t.Fatal(err)
	}
	ada, newer := bridge.Card{Name: "NVIDIA GeForce RTX 4090", Major: 8, Minor: 9, Processors: 128, Driver: 13000}, bridge.Version{Major: 10, Minor: 7}
	for _, err := range []error{m.Fits(newer, card), m.Fits(v, ada)} {
		if !errors.Is(err, engine.ErrIncompatible) || !strings.Contains(err.Error(), "build it again") {
			t.Error(err)
		}
	}
	rung(t, "plans of other cards and versions are refused")
}
