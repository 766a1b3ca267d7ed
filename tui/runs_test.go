package tui_test

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
)

// tried is the ferry with two playtests: one comes true, one does not.
func tried() fstest.MapFS {
	files := maps.Clone(ferry)
	files["playtests/herbs.yaml"] = &fstest.MapFile{Data: []byte(`playtest: herbs
seed: 7
script:
  - say: here are the herbs
    to: adu
  - expect: {beat: landing.gives, state: trust == 1}
`)}
	files["playtests/lost.yaml"] = &fstest.MapFile{Data: []byte(`playtest: lost
seed: 7
script:
  - choose: to_shop
  - expect: {node: boat}
`)}
	return files
}

// Ensure that playtests give their verdict on the screen, each on a branch that
// is marked simulated, that the turn of a failure is opened, and that what
// failed alone runs again.
func TestRunsGiveTheirVerdict(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, files: tried()})
	b.Wait("Adu")
	b.Press("f7")
	b.Wait("herbs")
	b.Press("r")
	b.Wait("nothing failed")
	b.Press("enter")
	b.Wait("was not run yet")
	b.Press("R")
	b.Wait("done: playtests: 2")
	if row := b.Row("herbs "); !strings.Contains(row, "ok") || !strings.Contains(row, "played to its end, at landing, turns: 1") {
		t.Errorf("herbs: %q", row)
	}
	if row := b.Row("lost "); !strings.Contains(row, "FAILED") {
		t.Errorf("lost: %q", row)
	}
	if row := b.Row("lost.yaml"); !strings.Contains(row, "turn 1  playtests/lost.yaml:5:13  expected to be at boat, is at shop") {
		t.Errorf("the failure: %q", row)
	}
	b.Press("r")
	b.Wait("done: playtest lost")
	all, err := b.session.Reader().Branches()
	if err != nil {
		t.Fatal(err)
	}
	robots := 0
	for _, x := range all {
		if len(x.Tags) == 1 && x.Tags[0] == story.SimulatedTag {
			robots++
		}
	}
	if robots != 3 {
		t.Errorf("%d simulated branches, want 3: %+v", robots, all)
	}
	b.Press("g", "j", "j")
	b.Press("enter")
	b.Wait("[F5 Chat]")
	b.Wait("Drawers up to the beams.")
}

// Ensure that a run is stopped by s, and that what was played stays.
func TestRunsAreStopped(t *testing.T) {
	t.Parallel()
	files := tried()
	files["playtests/lost.yaml"] = &fstest.MapFile{Data: []byte("playtest: lost\nscript:\n  - say: slow\n    to: adu\n")}
	b := open(t, setting{w: 120, h: 40, files: files})
	b.Wait("Adu")
	b.Press("f7")
	b.Wait("lost")
	b.Press("j", "n")
	b.Wait("waits")
	b.Press("s")
	b.Wait("cancelled: playtest lost")
	b.Wait("stopped, at landing")
	if row := b.Row("lost "); strings.Contains(row, "ok") {
		t.Errorf("what was stopped is said to have come true: %q", row)
	}
	b.Exact(120, 40)
}

// Ensure that a click selects the row under it, also where a notice stands above
// the list because the world has no playtests.
func TestRunsAreSelectedByAClick(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("f7")
	b.Wait("romancer")
	for y, row := range strings.Split(b.Plain(), "\n") {
		if strings.Contains(row, "romancer") {
			b.Send(tea.MouseMsg{X: 4, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	}
	if row := b.Row("romancer"); !strings.HasPrefix(row, ">") {
		t.Errorf("not selected: %q\n%s", row, b.Plain())
	}
}
