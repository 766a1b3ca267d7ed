package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Ensure that an edit is taken up while nobody does anything, and told: one that
// does not load, one that mends it, and a folder that is gone.
func TestEditsAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{world: dir})
	b.Wait("Adu")
	file := filepath.Join(dir, "personas", "adu.yaml")
	good := string(ferry["personas/adu.yaml"].Data)
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(good + "tabboo: [phone]\n")
	b.Wait("» files changed but do not load: F2 says why")
	b.Press("f2")
	b.Wait("Needs attention ")
	b.Wait("tabboo")
	write(strings.Replace(good, "Adu", "Old Adu", 1))
	b.Wait("» reloaded: all files load")
	b.Wait("Old Adu")
	b.Press("f5")
	b.Wait("Old Adu  Three qian")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	b.Wait("files changed but do not load")
	b.Press("f2")
	b.Wait("no such file")
	if row := b.Row("Needs attention"); !strings.HasSuffix(row, " 1 ─") {
		t.Errorf("one problem, said as %q", row)
	}
	b.Exact(80, 24)
}

// block lets nothing be written in the place of the kept draft, and gives its name.
func (b *bench) block(t *testing.T) string {
	t.Helper()
	file := filepath.Join(b.dir, "workbench.json")
	_ = os.Remove(file) // it may not be there yet
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// Ensure that a failure to keep the draft does not take the place of what was
// said about a line that could not be sent.
func TestGraverErrorStays(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.block(t)
	b.Type("@zhang who are you")
	b.Press("enter")
	b.Wait("@zhang is not here")
	begun := time.Now()
	b.Until("the draft's turn to be saved", func() bool { return time.Since(begun) > 1200*time.Millisecond })
	b.Wait("! @zhang is not here")
	b.Type("?")
	b.Wait("! keep the text")
}
