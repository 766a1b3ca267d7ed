package tensorrt_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The measurements go from start to end as one command; the card's part is told, not run.
func TestMeasureIsOneCommand(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.gguf"), filepath.Join(dir, "out")
	if err := os.WriteFile(model, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "measure.sh", out, model)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "FAKE=1", "CALIBRATION=sets/fox", "RANDOM_SET=sets/random"}
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	told, err := os.ReadFile(filepath.Join(out, "would-run.txt"))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, line := range []string{
		"engines build " + model + " --context 4096", "engines verify", "engines measure " + model + " --slots 64 --against --expanded", "engines measure --shape phi3-mini --steps",
		"--int8 weights", "--int8 all --calibration sets/fox", "--int8 attention", "--int8 mlp", "--int8-skip 0,29,head", "--calibration sets/random",
		"--shape phi3-mini --int8 weights", "--cycles 1000", "engines measured --gather",
	} {
		next := strings.Index(string(told)[at:], line)
		if next < 0 {
			t.Fatalf("%q is not run, or not in its place:\n%s", line, told)
		}
		at += next
	}
}
