package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
)

// wide is a model whose cache takes 1 MiB a token.
func wide(name string) sample.File {
	return sample.Model(name, 64,
		sample.Pair{Key: "llama.context_length", Value: uint32(8192)}, sample.Pair{Key: "llama.block_count", Value: uint32(64)},
		sample.Pair{Key: "llama.embedding_length", Value: uint32(4096)}, sample.Pair{Key: "llama.attention.head_count", Value: uint32(32)})
}

// TestPreflight has the same model on machines with less and less memory.
func TestPreflight(t *testing.T) {
	const gib = 1 << 30
	dir := pool(t, map[string]sample.File{"m": wide("M")})
	tests := []struct {
		free  int64
		why   catalog.Why
		args  []string
		says  string // note or detail
		rungs []string
	}{
		{0, "", nil, "", []string{"m full ", "recall recall failed"}},
		{20 * gib, "", nil, "", []string{"m full ", "recall recall failed"}},
		{6 * gib, "", nil, "prompts kept ready: 1 instead of 4: 6.0 GiB of memory free", []string{"m full ", "recall recall failed"}},
		{3 * gib, "", nil, "window of 2048 tokens instead of 4096: 3.0 GiB of memory free", []string{"m full ", "recall recall failed"}},
		{1 * gib, "memory", []string{"m", "1280", "1024"}, "cache 1.0 GiB for 1024 tokens", []string{"recall recall memory"}},
	}
	for _, tt := range tests {
		o := &opener{}
		c := open(t, catalog.Options{Dir: dir, OpenModel: o.open, FreeMemory: func() int64 { return tt.free }})
		models, err := c.List()
		if err != nil || len(models) != 1 {
			t.Fatal(models, err)
		}
		m := models[0]
		said := m.Note
		if m.Why != "" {
			said = m.Detail
		}
		if m.Why != tt.why || !slices.Equal(m.WhyArgs, tt.args) || !strings.Contains(said, tt.says) || tt.says == "" && said != "" {
			t.Errorf("%d free: %q %q says %q", tt.free, m.Why, m.WhyArgs, said)
		}
		if want := int64(4096<<20 + 256<<20); m.Needs < want || m.Needs > want+1<<20 {
			t.Errorf("it needs %d bytes, want %d", m.Needs, want)
		}
		if diff := cmp.Diff(tt.rungs, steps(rungs(c, "en"))); diff != "" {
			t.Errorf("%d free: %s", tt.free, diff)
		}
		if tried := len(o.seen) > 0; tried != (tt.why == "") {
			t.Errorf("%d free: opened %d times", tt.free, len(o.seen))
		}
	}
}

// TestLadderByLanguage has two families of about the same size: the one that was
// mostly trained on a language comes first there.
func TestLadderByLanguage(t *testing.T) {
	dir := pool(t, map[string]sample.File{
		"gemma":   sample.Model("Gemma 3 4B It", 300),
		"qwen":    sample.Model("Qwen3 4B", 200),
		"llama":   sample.Model("Llama 3.2 3B Instruct", 400),
		"mistral": sample.Model("Mistral 7B Instruct V0.3", 100),
	})
	for _, name := range []string{"gemma", "qwen", "llama", "mistral"} {
		sidecar(t, dir, name, `{"toy": false}`)
	}
	for lang, want := range map[string][]string{
		"zh": {"qwen", "gemma"}, "en": {"llama", "gemma", "qwen", "mistral"}, "ja": {"gemma", "qwen"}, "hi": {"llama"},
	} {
		c := open(t, catalog.Options{Dir: dir, OpenModel: (&opener{}).open})
		var got []string
		for r := range c.Rungs(engine.Ask{Language: lang}) {
			if r.Step != engine.StepRecall {
				got = append(got, r.Engine.Info().Name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}
