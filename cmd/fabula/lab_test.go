//go:build lab

package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fabula/story/lab/drift"
)

// The negative controls of the quality lab, by the real program with the real
// model (make test-lab): at most 6,000 tokens a pass.

// lab is a folder with the dequantised copy of the model and one that is spoilt.
type lab struct {
	home, model, whole, spoilt string
}

func openLab(t *testing.T) lab {
	t.Helper()
	dir := t.TempDir()
	l := lab{home: dir, model: os.Getenv("FABULA_MODEL"), whole: filepath.Join(dir, "whole.gguf"), spoilt: filepath.Join(dir, "spoilt.gguf")}
	for _, args := range [][]string{{l.model, l.whole}, {l.model, l.spoilt, "blk.15.", "1.2"}} {
		if out, err := exec.Command("go", append([]string{"run", "../../engine/gguf/weights/control"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("control: %v\n%s", err, out)
		}
	}
	return l
}

// fabula runs the program in a home of its own and gives its exit code.
func (l lab) fabula(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	c := exec.Command(os.Getenv("FABULA_BIN"), args...)
	c.Env = append(os.Environ(), "HOME="+l.home, "XDG_DATA_HOME="+l.home+"/data", "XDG_CONFIG_HOME="+l.home+"/config", "XDG_STATE_HOME="+l.home+"/state", "XDG_CACHE_HOME="+l.home+"/cache")
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if failed.ExitCode() != 3 {
			t.Fatalf("fabula %v: %v\n%s", args, err, failed.Stderr)
		}
		return string(out), failed.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// drifted reads the lines of drift --json.
func drifted(t *testing.T, out string) (head drift.Report, floor, rows []drift.Row) {
	t.Helper()
	for line := range strings.Lines(out) {
		var x struct {
			Event string `json:"event"`
			drift.Row
		}
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		switch x.Event {
		case "drift":
			if err := json.Unmarshal([]byte(line), &head); err != nil {
				t.Fatal(err)
			}
		case "floor":
			floor = append(floor, x.Row)
		case "row":
			rows = append(rows, x.Row)
		}
	}
	return head, floor, rows
}

// most is the limit of tokens in a pass.
const most = 6000

// Ensure that a layer whose weights are a fifth too large misses the gate, that
// the same engine passes against itself, and that four-bit weights against their
// own dequantised copy are where the rounding of what they are multiplied by puts
// them: near, never the same, far nearer than the spoilt layer. A build that
// missed is refused by the release gate, and nothing else is.
func TestLab(t *testing.T) {
	l := openLab(t)
	out, code := l.fabula(t, "drift", "fox_lantern", l.whole, l.spoilt, "--npc", "laozhou", "--limit", "1500", "--json")
	head, floor, spoilt := drifted(t, out)
	if code != 3 || len(spoilt) != 1 || spoilt[0].Mean < 0.03 || spoilt[0].SameTop > 0.95 || floor[0].Mean > 1e-4 || head.ComputedA > most {
		t.Errorf("a spoilt layer: exit %d, %s", code, out)
	}
	out, code = l.fabula(t, "drift", "fox_lantern", l.model, l.model, "--npc", "laozhou", "--limit", "1500", "--least-places", "10", "--json")
	if _, _, same := drifted(t, out); code != 0 || same[0].Mean > 1e-4 || same[0].SameTop < 0.99 {
		t.Errorf("against itself: exit %d, %s", code, out)
	}
	out, _ = l.fabula(t, "drift", "fox_lantern", l.whole, l.model, "--limit", "5400", "--json", "--report", filepath.Join(l.home, "r.html"), "--junit", filepath.Join(l.home, "j.xml"),
		"--png", filepath.Join(l.home, "p.png"))
	head, _, rows := drifted(t, out)
	if head.ComputedA > most || head.ComputedB > most || len(rows) != 5 {
		t.Errorf("%d and %d tokens, %d NPCs", head.ComputedA, head.ComputedB, len(rows))
	}
	for _, r := range rows {
		if !r.Exact || r.Tokens < 10 || r.Mean <= 1e-6 || r.Mean >= spoilt[0].Mean || r.SameTop < 0.8 || r.Ratio < 0.9 || r.Ratio > 1.1 {
			t.Errorf("four bits against their copy: %s: %d tokens, KL %.4f, same top %.3f, ratio %.3f", r.Persona, r.Tokens, r.Mean, r.SameTop, r.Ratio)
		}
	}
	for file, holds := range map[string]string{"r.html": "laozhou en", "j.xml": "mean_kl", "p.png": "PNG"} {
		if data, err := os.ReadFile(filepath.Join(l.home, file)); err != nil || !strings.Contains(string(data), holds) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
