package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Ensure that a selected reply is shown as an authored line, that enter writes
// its file once, and that the world is read anew with it.
func TestPromoteFromTheChat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{world: dir})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "P")
	file := "plot/promoted_landing_1_1_1.yaml"
	b.Wait(file)
	before := b.session.Script().Hash
	b.Press("enter")
	b.Until("the world with the file", func() bool { return b.session.Script().Hash != before })
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil || !strings.Contains(string(data), "extend: landing") {
		t.Fatalf("%s: %v\n%s", file, err, data)
	}
	b.Press("esc", "P")
	b.Settle()
	b.Press("enter")
	if all, err := filepath.Glob(filepath.Join(dir, "plot", "promoted*")); err != nil || len(all) != 1 {
		t.Errorf("files %v, %v", all, err)
	}
}

// Ensure that the tree promotes what lies between two turns of a path, and that
// a file of that name which is there is left as it is.
func TestPromoteFromTheTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{world: dir})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.say("Good day", "Ask somebody")
	mine := filepath.Join(dir, "plot", "promoted_landing_1_1_2.yaml")
	attic := func(file, node string) string {
		t.Helper()
		words := "nodes:\n  - node: " + node + "\n    title: {zh: 阁楼, en: Attic}\n"
		if err := os.WriteFile(file, []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
		return words
	}
	had := attic(mine, "attic")
	b.Press("f6", "k", " ", "j", "P")
	b.Wait("plot/promoted_landing_1_1_2_2.yaml")
	second := filepath.Join(dir, "plot", "promoted_landing_1_1_2_2.yaml")
	has := attic(second, "loft") // meanwhile
	b.Press("enter")
	b.Wait("promoted_landing_1_1_2_2.yaml is there by now")
	b.Wait("new file plot/promoted_landing_1_1_2_3.yaml (lines: 2)")
	for file, want := range map[string]string{mine: had, second: has} {
		if data, err := os.ReadFile(file); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", file, data, err)
		}
	}
}

// Ensure that what would give the world a new error is told, and not written.
func TestPromoteRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{world: dir})
	b.Wait("Adu")
	b.say("phone", "Never")
	b.Press("esc", "P")
	b.Wait("taboo word")
	b.Press("enter")
	b.Wait("this cannot be written")
	if all, err := filepath.Glob(filepath.Join(dir, "plot", "promoted*")); err != nil || len(all) > 0 {
		t.Errorf("files %v, %v", all, err)
	}
}

// Ensure that a built-in world says that it takes no files.
func TestPromoteNeedsFiles(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "P", "enter")
	b.Wait("built")
	b.Exact(80, 24)
}
