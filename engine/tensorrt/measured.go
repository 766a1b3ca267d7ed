package tensorrt

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Measured is everything that was measured in one session on a card: MEASURED.json,
// of which MEASURED.md is made.
type Measured struct {
	Reports []*Report        `json:"reports"`
	Torch   *Torch           `json:"torch,omitempty"`
	Llama   []LlamaBench     `json:"llama,omitempty"`
	Bench   json.RawMessage  `json:"bench,omitempty"`  // what `fabula bench --json` gave: through worker, sampler and pipe
	Turns   []map[string]any `json:"turns,omitempty"`  // done events of `fabula say --json --engine tensorrt`
	Ladder  []map[string]any `json:"ladder,omitempty"` // the same with a whole plan, one that was cut off, and none
	Notes   []string         `json:"notes,omitempty"`  // what a reader must know of how it was taken
}

// Torch is what testdata/torch_baseline.py wrote.
type Torch struct {
	Versions string
	Shapes   map[string]map[string][]int64 // nanoseconds
	raw      []byte
}

// LlamaBench is one line of llama-bench: of llama.cpp's own CUDA backend on the same card.
type LlamaBench struct {
	Commit      string  `json:"build_commit"`
	Type        string  `json:"model_type"`
	Prompt      int     `json:"n_prompt"`
	Tokens      int     `json:"n_gen"`
	Depth       int     `json:"n_depth"`
	Nanoseconds []int64 `json:"samples_ns"` // for all tokens
}

// MarshalJSON gives what the script wrote.
func (t *Torch) MarshalJSON() ([]byte, error) { return t.raw, nil }

// UnmarshalJSON takes the script's one object of strings and shapes.
func (t *Torch) UnmarshalJSON(raw []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return fmt.Errorf("torch: %w", err)
	}
	t.Shapes, t.raw = map[string]map[string][]int64{}, slices.Clone(raw)
	var torch, transformers string
	for name, value := range all {
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil { // a version, not a shape
			continue
		}
		t.Shapes[name] = map[string][]int64{}
		for field, list := range fields {
			var ns []int64
			if json.Unmarshal(list, &ns) == nil {
				t.Shapes[name][field] = ns
			}
		}
	}
	if err := json.Unmarshal(all["torch"], &torch); err != nil {
		return fmt.Errorf("torch: %w", err)
	}
	if err := json.Unmarshal(all["transformers"], &transformers); err != nil {
		return fmt.Errorf("torch: %w", err)
	}
	t.Versions = "PyTorch " + torch + ", transformers " + transformers
	return nil
}

// Markdown is the report for people.
func (m *Measured) Markdown() string {
	var b strings.Builder
	b.WriteString("# Measured\n\nMade by `fabula engines measured` from MEASURED.json, which holds every single time. Do not edit.\n")
	for _, r := range m.Reports {
		r.markdown(&b)
	}
	if m.Torch != nil {
		m.torch(&b)
	}
	m.llama(&b)
	m.through(&b)
	told(&b, "Turns through the whole program", "`fabula say fox_lantern --engine tensorrt --json`, as the program reported them.", m.Turns)
	told(&b, "The ladder", "`fabula say fox_lantern --json`: with the plan, with one whose end is missing, and with none.", m.Ladder)
	if len(m.Notes) > 0 {
		b.WriteString("\n## Notes\n\n")
		for _, n := range m.Notes {
			fmt.Fprintf(&b, "- %s\n", n)
		}
	}
	return b.String()
}

func (r *Report) markdown(b *strings.Builder) {
	m := r.Manifest
	title := r.Model
	if r.Variant != "" {
		title += ", " + r.Variant
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	fmt.Fprintf(b, "%s · %s (headers %s) · %s, %d MiB, UUID %s, compute capability %d.%d, CUDA %d.%d\n\n", r.Date.Format("2006-01-02 15:04 UTC"), r.Library, r.Headers,
		r.Card.Name, r.Card.Memory>>20, r.Card.UUID, r.Card.Major, r.Card.Minor, r.Card.Driver/1000, r.Card.Driver%1000/10)
	fmt.Fprintf(b, "%s, context %d, prefill chunk %d, batch %d, built in %.0f s", m.Precision, m.Context, m.Chunk, m.Batch, m.Seconds)
	if m.Plan.SHA256 != "" {
		fmt.Fprintf(b, ", plan %d MB, SHA-256 %s", m.Plan.Bytes/1e6, m.Plan.SHA256)
	} else {
		b.WriteString(", seeded numbers for weights: what it writes means nothing")
	}
	if m.Few != nil {
		b.WriteString(", second plan for steps of a few tokens")
		if m.Few.Bytes > 0 {
			fmt.Fprintf(b, " %d MB", m.Few.Bytes/1e6)
		}
	}
	if m.Peak > 0 {
		fmt.Fprintf(b, ", at most %d MiB of host memory during the build, TensorRT's builder included", m.Peak>>20)
	}
	fmt.Fprintf(b, ". Loaded in %.1f s; caches, scratch and buffers %d MiB; CUDA graphs: %t.\n\n", r.Load, r.Device>>20, r.Captured)
	if len(r.Series) > 0 {
		b.WriteString("| what | runs | p50 ms | p95 ms | max ms |\n|---|---|---|---|---|\n")
	}
	for _, s := range r.Series {
		fmt.Fprintf(b, "| %s | %d | %.3f | %.3f | %.3f |\n", s.Name, len(s.Nanoseconds), s.Quantile(0.5), s.Quantile(0.95), s.Quantile(1))
	}
	r.Manifest.SelfTest.markdown(b, "Self-test")
	r.Against.markdown(b, "Against the same weights expanded")
	if e := r.Equal; e != nil {
		fmt.Fprintf(b, "\n%d replies of %s, greedy, %d tokens in all, teacher-forced: the same token in %.2f %% fed one by one, %.2f %% fed as runs.\n",
			e.Replies, e.Reference, e.Tokens, 100*e.Alone, 100*e.Together)
	}
	r.Cycles.markdown(b, "loads and unloads")
	r.Cancels.markdown(b, "cancelled prompts and replies")
	r.layers(b)
}

func (c *Cycles) markdown(b *strings.Builder, what string) {
	if c == nil {
		return
	}
	fmt.Fprintf(b, "\n%d %s, after %d that are not counted: %+d KiB on the card, %+d KiB of the host's memory; %.0f ms each", c.Count, what, settle,
		c.DeviceBytes>>10, c.HostBytes>>10, 1000*c.Seconds/float64(c.Count+settle))
	if c.Longest > 0 {
		fmt.Fprintf(b, "; from the cancel to the end %.1f ms at most", c.Longest)
	}
	if n := len(c.Course); n >= 4 {
		fmt.Fprintf(b, "; on the host after each quarter %+d, %+d, %+d, %+d KiB, %+d KiB of them in use by the C library's account",
			c.Course[n/4-1]>>10, c.Course[n/2-1]>>10, c.Course[n*3/4-1]>>10, c.Course[n-1]>>10, c.HeapBytes>>10)
	}
	b.WriteString(".\n")
}

func (t *SelfTest) markdown(b *strings.Builder, name string) {
	if t == nil {
		return
	}
	fmt.Fprintf(b, "\n%s (%s): %d teacher-forced positions after a prefix of %d: top-1 %.2f %%, mean KL %.5f, 99 %% KL %.5f nats, greatest logit difference %.2f; first position behind the prefix KL %.5f; forked and batched against alone KL %.1e.\n",
		name, t.Reference, t.Positions, t.Prefix, 100*t.Top1, t.MeanKL, t.KL99, t.MaxLogit, t.Prefill, t.ForkKL)
}

// layers sums TensorRT's own profile by kind of layer. It is taken without a graph,
// so that launches count; only the shares mean something.
func (r *Report) layers(b *strings.Builder) {
	if len(r.Layers) == 0 {
		return
	}
	sums, counts, all := map[string]float64{}, map[string]int{}, 0.0
	for _, l := range r.Layers {
		kind := "others"
		switch {
		case strings.Contains(l.Name, "PluginV3"):
			kind = "our kernels"
		case strings.Contains(l.Name, "Matrix Multiply"):
			kind = "products of TensorRT"
		}
		sums[kind] += l.Microseconds
		counts[kind]++
		all += l.Microseconds
	}
	var kinds []string
	for kind := range sums {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	fmt.Fprintf(b, "\nProfile of one decode step, span 1,024, without a graph (%d layers, %.0f µs):", len(r.Layers), all)
	for _, kind := range kinds {
		fmt.Fprintf(b, " %s %.0f %% in %d;", kind, 100*sums[kind]/all, counts[kind])
	}
	b.WriteString(" the longest single one ")
	longest := slices.MaxFunc(r.Layers, func(a, b Layer) int { return int(1000 * (a.Microseconds - b.Microseconds)) })
	fmt.Fprintf(b, "%.0f µs.\n", longest.Microseconds)
}

// family is the beginning of a model's name, by which shapes are paired.
func family(name string) string {
	name = slug(name)
	return name[:min(4, len(name))]
}

func (m *Measured) torch(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Beside %s, same card, same shapes\n\n| shape | what | p50 ms | times ours |\n|---|---|---|---|\n", m.Torch.Versions)
	for _, r := range m.Reports {
		for _, shape := range slices.Sorted(maps.Keys(m.Torch.Shapes)) {
			series := m.Torch.Shapes[shape]
			if r.Variant != "" || family(shape) != family(r.Model) {
				continue
			}
			for _, row := range [][2]string{
				{"decode_1024_eager", "decode, span 1024, Go loop"}, {"decode_1024_compiled", "decode, span 1024, Go loop"}, {"prefill_1024_eager", "prefill, 1024 tokens, cold"},
			} {
				theirs, ours := Series{Nanoseconds: series[row[0]]}.Quantile(0.5), r.quantile(row[1])
				if theirs > 0 && ours > 0 {
					fmt.Fprintf(b, "| %s | %s | %.2f | %.1f |\n", shape, row[0], theirs, theirs/ours)
				}
			}
		}
	}
}

func (r *Report) quantile(name string) float64 {
	for _, s := range r.Series {
		if s.Name == name {
			return s.Quantile(0.5)
		}
	}
	return 0
}

// through is what a person gets, the worker's process between.
func (m *Measured) through(b *strings.Builder) {
	var bench struct {
		Engines []struct {
			Sizes []struct {
				Asked, Prompt int
				Series        []struct {
					Name string
					TTFT []int64 `json:"ttft_ns"`
					Gaps []int64 `json:"gaps_ns"`
				}
			}
		}
	}
	if json.Unmarshal(m.Bench, &bench) != nil { // none was taken
		return
	}
	b.WriteString("\n## Through worker, sampler and pipe\n\nBy `fabula bench --engine tensorrt`.\n\n| prompt, tokens | what | replies | first token p50 ms | gaps | p50 ms | p95 ms |\n|---|---|---|---|---|---|---|\n")
	for _, e := range bench.Engines {
		for _, size := range e.Sizes {
			for _, s := range size.Series {
				ttft, gaps := Series{Nanoseconds: s.TTFT}, Series{Nanoseconds: s.Gaps}
				fmt.Fprintf(b, "| %d | %s | %d | %.3f | %d | %.3f | %.3f |\n", size.Prompt, s.Name, len(s.TTFT), ttft.Quantile(0.5), len(s.Gaps), gaps.Quantile(0.5), gaps.Quantile(0.95))
			}
		}
	}
}

// llama sets llama.cpp's CUDA backend beside the first report, a token each.
func (m *Measured) llama(b *strings.Builder) {
	if len(m.Llama) == 0 || len(m.Reports) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Beside llama.cpp %s with its CUDA backend, same card, same model\n\nBy llama-bench, flash attention on; it samples nothing. A prompt of 1,024 tokens, and a token behind so many.\n\n"+
		"| weights | what | p50 ms | times ours |\n|---|---|---|---|\n", m.Llama[0].Commit)
	for _, l := range m.Llama {
		if (l.Tokens > 0) != (l.Depth > 0) { // a prompt behind others, or a token behind none: not ours
			continue
		}
		what := fmt.Sprintf("decode, span %d, Go loop", l.Depth)
		if l.Tokens == 0 {
			what = fmt.Sprintf("prefill, %d tokens, cold", l.Prompt)
		}
		theirs := (Series{Nanoseconds: l.Nanoseconds}).Quantile(0.5) / float64(max(l.Tokens, 1))
		if ours := m.Reports[0].quantile(what); ours > 0 {
			fmt.Fprintf(b, "| %s | %s | %.3f | %.2f |\n", l.Type, strings.TrimSuffix(what, ", Go loop"), theirs, theirs/ours)
		}
	}
}

// told prints events as the program gave them.
func told(b *strings.Builder, title, how string, events []map[string]any) {
	if len(events) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```json\n", title, how)
	for _, t := range events {
		line, err := json.Marshal(t)
		if err == nil { // it was JSON before
			fmt.Fprintf(b, "%s\n", line)
		}
	}
	b.WriteString("```\n")
}
