package recommended_test

import (
	"strings"
	"testing"

	"fabula/engine/gguf/memory"
	"fabula/engine/hub"
	"fabula/engine/recommended"
)

func load(t *testing.T) recommended.Table {
	t.Helper()
	table, err := recommended.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestTable holds every row against what the rest of the program needs of it.
func TestTable(t *testing.T) {
	table := load(t)
	seen := map[string]bool{}
	for _, m := range table.Models {
		r, err := hub.Parse(m.Ref())
		if err != nil || r.Repo != m.Hub || r.File != m.File {
			t.Errorf("%s: %+v, %v", m.Ref(), r, err)
		}
		if seen[m.Ref()] {
			t.Errorf("%s twice", m.Ref())
		}
		seen[m.Ref()] = true
		if f, ok := table.Family(m.File); !ok || f.Name != m.Family {
			t.Errorf("%s is found as %q", m.File, f.Name)
		}
		if !strings.Contains(strings.ToUpper(m.File), m.Precision) {
			t.Errorf("%s is not %s", m.File, m.Precision)
		}
		if bits := float64(m.Size) * 8 / float64(m.Parameters); m.Precision == "Q4_K_M" && (bits < 4.4 || bits > 8.1) {
			t.Errorf("%s: %.1f bits a parameter", m.File, bits)
		}
		for _, b := range m.Best {
			if !recommended.Has(m.Languages, b) {
				t.Errorf("%s: best at %s, which it does not speak", m.Family, b)
			}
		}
	}
	for _, lang := range []string{"en", "zh", "ja", "de"} {
		if len(table.For(lang)) < 3 {
			t.Errorf("%d models for %s", len(table.For(lang)), lang)
		}
	}
}

func TestFitting(t *testing.T) {
	table := load(t)
	tests := []struct {
		lang  string
		free  int64
		cores int // 0 = a graphics card
		hub   string
	}{
		{"zh", 2 << 30, 0, "Qwen/Qwen2.5-1.5B-Instruct-GGUF"},
		{"zh", 4 << 30, 0, "unsloth/Qwen3-4B-Instruct-2507-GGUF"},
		{"zh-CN", 8 << 30, 0, "bartowski/Qwen2.5-7B-Instruct-GGUF"},
		{"en", 1 << 30, 0, "Qwen/Qwen2.5-0.5B-Instruct-GGUF"},
		{"hi", 3 << 30, 0, "bartowski/Llama-3.2-3B-Instruct-GGUF"}, // nothing free of conditions speaks it
		{"hi", 16 << 30, 0, "bartowski/Mistral-Nemo-Instruct-2407-GGUF"},
		{"", 0, 0, "bartowski/Qwen2.5-14B-Instruct-GGUF"},
		{"zh", 200 << 20, 0, ""},
		{"tlh", 0, 0, ""},
		{"zh", 20 << 30, 2, "unsloth/Qwen3-4B-Instruct-2507-GGUF"}, // room for 14B, which two cores do not read fast enough
		{"zh", 20 << 30, 8, "bartowski/Qwen2.5-14B-Instruct-GGUF"},
		{"en", 3 << 30, 1, "Qwen/Qwen2.5-1.5B-Instruct-GGUF"},
	}
	for _, tt := range tests {
		on := recommended.Machine{Free: tt.free}
		if tt.cores > 0 {
			on = recommended.Processor(tt.cores, tt.free)
		}
		m, ok := table.Fitting(tt.lang, on)
		if m.Hub != tt.hub || ok != (tt.hub != "") {
			t.Errorf("%s in %s on %d cores: %s", tt.lang, memory.Size(tt.free), tt.cores, m.Hub)
		}
	}
}

// TestDemand has Llama 3.2 3B: 28 layers of 8 heads of 128, 112 KiB a token.
func TestDemand(t *testing.T) {
	for _, m := range load(t).Models {
		if m.Hub == "bartowski/Llama-3.2-3B-Instruct-GGUF" {
			if d := m.Demand(); d.Cell != 112<<10 || d.Need(0) != 2_020_000_000+4096*112<<10+256<<20 {
				t.Errorf("%+v needs %d", d, d.Need(0))
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	row := `{"hub":"a/b","file":"q.gguf","family":"f","parameters":100,"precision":"Q4_0","size":60,"layers":1,"kv_heads":1,"head":1,"context":1,"licence":"x","terms":"free"}`
	families := `"families":[{"name":"f","words":["q"],"languages":["en"],"best":[]}]`
	if _, err := recommended.Parse([]byte(`{` + families + `,"models":[` + row + `]}`)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"family": {`"family":"f"`, `"family":"g"`}, "terms": {`"free"`, `"maybe"`}, "size": {`"size":60`, `"size":6000`},
		"file": {`q.gguf`, `q.bin`}, "key": {`"licence"`, `"license"`}, "figure": {`"layers":1`, `"layers":0`},
	} {
		if _, err := recommended.Parse([]byte(`{` + families + `,"models":[` + strings.Replace(row, change[0], change[1], 1) + `]}`)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
