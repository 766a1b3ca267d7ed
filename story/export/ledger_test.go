package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export"
)

func utterance(n string) export.Utterance {
	return export.Utterance{Turn: "T", Alternative: story.ID("A" + n)}
}

// Ensure that ids outlive what they were given to, and are never given twice.
func TestLedgerGivesOnce(t *testing.T) {
	dir := t.TempDir()
	l, err := export.OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := l.Give(utterance("1"), "adu.landing"), l.Give(utterance("2"), "adu.landing"); a != "adu.landing.l0100" || b != "adu.landing.l0200" {
		t.Errorf("given: %s, %s", a, b)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := export.OpenLedger(dir) // the second utterance was purged meanwhile
	if err != nil {
		t.Fatal(err)
	}
	again.Authored = func(id string) bool { return id == "adu.landing.l0300" }
	for n, want := range map[string]string{"1": "adu.landing.l0100", "3": "adu.landing.l0400"} {
		if got := again.Give(utterance(n), "adu.landing"); got != want {
			t.Errorf("utterance %s has %s, want %s", n, got, want)
		}
	}
	if got := again.Adopt(utterance("9"), "adu.landing.l0100"); got != "adu.landing.l0500" {
		t.Errorf("another's id was taken: %s", got)
	}
	if got := again.Adopt(utterance("10"), "qin.yamen.l0700"); got != "qin.yamen.l0700" || again.Give(utterance("11"), "qin.yamen") != "qin.yamen.l0800" {
		t.Errorf("a free id was not adopted: %s", got)
	}
}

func TestLedgerRefusesADamagedFile(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "[1]"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "lines.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := export.OpenLedger(dir); err == nil || !strings.Contains(err.Error(), "lines.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
