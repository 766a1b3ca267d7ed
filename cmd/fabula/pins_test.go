package main_test

import (
	"os"
	"strings"
	"testing"
)

// pins are the versions that the user's card fixes.
var pins = map[string]string{
	"github.com/charmbracelet/bubbletea": "v1.3.10",
	"github.com/charmbracelet/lipgloss":  "v1.1.0",
	"github.com/charmbracelet/bubbles":   "v1.0.0",
	"go.etcd.io/bbolt":                   "v1.5.0",
	"gopkg.in/yaml.v3":                   "v3.0.1",
}

func TestPinsHold(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(f) >= 2 {
			found[f[0]] = f[1]
		}
	}
	for module, want := range pins {
		if found[module] != want {
			t.Errorf("go.mod has %s %q, the card fixes %s", module, found[module], want)
		}
	}
	for module := range found {
		if strings.HasPrefix(module, "github.com/charmbracelet/glamour") {
			t.Errorf("go.mod has %s, which moves the lipgloss pin", module)
		}
	}
}

func TestTopLevelIsTheCards(t *testing.T) {
	want := map[string]bool{"cmd": true, "tui": true, "story": true, "personas": true, "engine": true, "worlds": true}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !strings.HasPrefix(name, ".") && name != "bin" && name != "build" && !want[name] {
			t.Errorf("top-level folder %s: the card fixes cmd tui story personas engine worlds", name)
		}
	}
}
