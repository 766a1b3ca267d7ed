package tensorrt_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fabula/engine/tensorrt"
	"fabula/engine/worker"
)

// line writes each token as the one after it, but where it slips.
type line struct {
	worker.Backend
	slips int32 // a token that is followed by another than its next; -1 = none
}

func (l line) Facts() worker.Facts    { return worker.Facts{Vocab: 50, Chunk: 16} }
func (l line) Truncate(int, int) bool { return true }
func (l line) Decode(runs []worker.Run) ([]worker.Scores, error) {
	var list []worker.Scores
	for _, r := range runs {
		for _, id := range r.IDs[len(r.IDs)-r.Want:] {
			next := (id + 1) % 50
			if id == l.slips {
				next = 0
			}
			if r.Best > 0 {
				list = append(list, worker.Scores{IDs: []int32{next}, Logits: []float32{1}})
				continue
			}
			logits := make([]float32, 50)
			logits[next] = 1
			list = append(list, worker.Scores{Logits: logits})
		}
	}
	return list, nil
}

func TestEqualCountsTokens(t *testing.T) {
	prompts := [][]int32{{1, 2}, {20}}
	for slips, want := range map[int32]float64{-1: 1, 4: 0.875, 21: 0.875} {
		e, err := tensorrt.Equal(t.Context(), line{slips: -1}, line{slips: slips}, prompts, 4)
		if err != nil {
			t.Fatal(err)
		}
		if e.Tokens != 8 || e.Replies != 2 || e.Alone != want || e.Together != want {
			t.Errorf("a slip after %d gives %+v, not %g", slips, e, want)
		}
	}
}

func TestOpeningsDiffer(t *testing.T) {
	list := tensorrt.Openings(20)
	if slices.Sort(list); len(slices.Compact(list)) != 20 || list[0] == "" {
		t.Errorf("%d different openings, the first %q", len(slices.Compact(list)), list[0])
	}
}

// TestGathered reads a folder as measure.sh leaves it and writes it again.
func TestGathered(t *testing.T) {
	dir := t.TempDir()
	if _, err := tensorrt.Gather(dir); err == nil {
		t.Error("an empty folder was gathered")
	}
	for name, text := range map[string]string{
		"20-b.json": `{"model":"B","manifest":{}}`, "other.json": `{`,
		"10-a.json": `{"model":"A","manifest":{},"equality":{"replies":3},"series":[{"name":"decode, span 1024, Go loop","ns":[500000]}],
			"cycles":{"count":4,"course":[1024,2048,3072,4096],"heap_bytes":2048}}`,
		"llama.json":   `[{"build_commit":"abc","model_type":"Q4_1","n_gen":10,"n_depth":1024,"samples_ns":[9000000]},{"n_gen":10,"samples_ns":[1]},{"n_prompt":8,"n_depth":5,"samples_ns":[1]}]`,
		"ladder.jsonl": "{\"event\":\"done\",\"step\":\"smaller\"}\n",
		"torch.json":   `{"torch":"2.1","transformers":"5","SHAPE":{"decode_1024_eager":[5,6]}}`,
		"turns.jsonl":  "{\"event\":\"token\"}\n{\"event\":\"done\",\"tokens\":7}\n",
		"notes.txt":    "one\n\ntwo\n",
		"bench.json":   `{"engines":[{"sizes":[{"prompt":70,"series":[{"name":"cold","ttft_ns":[2000000],"gaps_ns":[1500000]}]}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := tensorrt.Gather(dir)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again tensorrt.Measured
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	if len(again.Reports) != 2 || again.Reports[0].Model != "A" || again.Reports[0].Equal.Replies != 3 || len(again.Turns) != 1 || !slices.Equal(again.Notes, []string{"one", "two"}) {
		t.Errorf("%+v", again)
	}
	page := again.Markdown()
	for what, line := range map[string]string{
		"bench": "| 70 | cold | 1 | 2.000 | 1 | 1.500 | 1.500 |", "llama.cpp": "| Q4_1 | decode, span 1024 | 0.900 | 1.80 |\n\n",
		"course of memory": "after each quarter +1, +2, +3, +4 KiB, +2 KiB of them", "ladder": `"step":"smaller"`,
	} {
		if !strings.Contains(page, line) {
			t.Errorf("the %s is not in\n%s", what, page)
		}
	}
	if !slices.Equal(again.Torch.Shapes["SHAPE"]["decode_1024_eager"], []int64{5, 6}) {
		t.Errorf("torch %+v", again.Torch)
	}
}
