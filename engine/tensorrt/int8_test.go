package tensorrt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/tensorrt"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// Names carry precision, scheme and calibration, and tell apart what was made otherwise.
func TestNamesOfQuantisedEngines(t *testing.T) {
	named := func(i *tensorrt.Int8) string {
		m := &tensorrt.Manifest{Layout: 2, Model: "SmolLM2 135M", Precision: "FP16", Library: bridge.Version{Major: 10, Minor: 6}, Int8: i}
		return m.Name()
	}
	set := &tensorrt.Calibrated{ID: "0123456789abcdef"}
	for want, i := range map[string]*tensorrt.Int8{
		"smollm2-135m-r2-trt10.6-fp16.engine":              nil,
		"smollm2-135m-r2-trt10.6-int8-weights.engine":      {Scheme: graph.OfWeights, Alpha: tensorrt.Alpha},
		"smollm2-135m-r2-trt10.6-int8-all-01234567.engine": {Scheme: graph.All, Alpha: tensorrt.Alpha, Calibration: set},
		"smollm2-135m-r2-trt10.6-int8-all-89abcdef.engine": {Scheme: graph.All, Alpha: tensorrt.Alpha, Calibration: &tensorrt.Calibrated{ID: "cal-89abcdef0123"}},
	} {
		if got := named(i); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	seen := map[string]bool{}
	for _, i := range []tensorrt.Int8{
		{Scheme: graph.All, Alpha: 0.5}, {Scheme: graph.All, Alpha: 0.6}, {Scheme: graph.All, Alpha: 0.5, Skip: []int{0}}, {Scheme: graph.All, Alpha: 0.5, Head: true}, {Scheme: graph.All, Tokens: true},
	} {
		if name := named(&i); seen[name] {
			t.Errorf("%s stands for two engines", name)
		} else {
			seen[name] = true
		}
	}
}

func TestCalibrationSetsAreRead(t *testing.T) {
	good := `{"id":"a","persona":"laozhou","messages":[{"role":"user","parts":["Who?"]}],"reply":"I."}` + "\n"
	for says, files := range map[string]map[string]string{
		"":                    {"samples.jsonl": good + good},
		" ":                   {"samples.jsonl": good, "manifest.json": `{"draws":[{"id":"cal-2","file":"samples-2.jsonl"},{"id":"fox-1","file":"samples.jsonl"}]}`},
		"samples.jsonl":       {},
		"samples.jsonl:2":     {"samples.jsonl": good + "{"},
		"no reply":            {"samples.jsonl": strings.Replace(good, `"I."`, `""`, 1)},
		"no samples":          {"samples.jsonl": ""},
		"manifest.json":       {"samples.jsonl": good, "manifest.json": "{"},
		"samples.jsonl:1: no": {"samples.jsonl": `{"messages":[],"reply":"I."}`},
	} {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := tensorrt.ReadCalibration(dir)
		if strings.TrimSpace(says) != "" {
			if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(says, " no")) || !errors.Is(err, engine.ErrIncompatible) && !errors.Is(err, engine.ErrUnavailable) {
				t.Errorf("error %v, want %q", err, says)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && (c.Len() != 2 || len(c.ID) != 64) || says == " " && (c.Len() != 1 || c.ID != "fox-1") {
			t.Errorf("%d samples, id %s", c.Len(), c.ID)
		}
	}
}

// A plan of eight bits is held to what eight bits can hold.
func TestToleranceByPrecision(t *testing.T) {
	near := func(id int32, at int) []float32 { return times(exact(id, at), 0.7) }
	ids := make([]int32, 100)
	for i := range ids {
		ids[i] = int32(i * 7 % 4)
	}
	for precision, passed := range map[string]bool{"FP16": false, "INT8 weights": false, "INT8 all": true} {
		r, err := tensorrt.Compare(t.Context(), backend{logits: exact}, named{backend{logits: near}, precision}, ids, 10)
		if err != nil || r.Passed != passed {
			t.Errorf("%s: %+v, %v", precision, r, err)
		}
	}
}
