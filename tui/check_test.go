package tui_test

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

// Ensure that what breaks the story is shown with a way to it, and that the
// screen of the world comes back.
func TestFindingsShowTheirWay(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	act := strings.Replace(string(ferry["plot/act1.yaml"].Data), "      - exit: back\n        to: landing\n", "      - exit: back\n        to: landing\n        when: trust >= 1\n", 1)
	act = strings.Replace(act, "      - exit: leave\n        to: boat\n", "      - exit: leave\n        to: boat\n        when: trust >= 2\n", 1)
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(act)}
	b := open(t, setting{files: files})
	b.Wait("Adu")
	b.Press("f2")
	b.Wait("a searches everything that play can come to")
	b.Press("a")
	b.Wait(`node "shop": play can get stuck here; closed: back (trust >= 1)`)
	b.Wait("proven over")
	b.Exact(80, 24)
	for range 20 {
		if !strings.Contains(b.Plain(), "> plot/act1.yaml:38:5") {
			b.Press("j")
		}
	}
	b.Wait("> plot/act1.yaml:38:5")
	b.Press("enter")
	b.Wait("a shortest way there:")
	b.Wait("1. choose landing.to_shop → shop")
	b.Exact(80, 24)
	b.Press("pgdown", "pgup", "esc", "f1")
	b.Wait("Back to the world: its branches and nodes.")
	b.Press("esc", "esc")
	b.Wait("Branches, newest first")
	b.Wait("findings: ")
	b.Press("a")
	b.Wait("play can get stuck here")
}
