package tui_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/fstest"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/story"
	"fabula/story/store"
	"fabula/tui"
	"fabula/tui/screen"
	"fabula/tui/uitest"
	"fabula/worlds"
)

// Ensure that a world that does not load shows its faults with their places,
// and plays once they are mended.
func TestBrokenWorldIsMended(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	files["personas/adu.yaml"] = &fstest.MapFile{Data: []byte("persona: adu\nname: Adu\nvoice: short\ntabboo: [phone]\n")}
	_, err := worlds.OpenFS(files, "ferry")
	var load *worlds.LoadError
	if !errors.As(err, &load) {
		t.Fatalf("OpenFS: %v", err)
	}
	dir, clock, opened := t.TempDir(), uitest.NewClock(), 0
	open := func() (*story.Session, error) {
		w, err := worlds.OpenFS(files, "ferry")
		if err != nil {
			return nil, err
		}
		opened++
		tree, err := store.Open(dir)
		if err != nil {
			return nil, err
		}
		eng, err := scripted.Parse([]byte(replies))
		if err != nil {
			return nil, err
		}
		s, err := story.New(story.Config{Script: w.Script, Store: tree, Engines: rungs{engine.Rung{Engine: eng}}, Now: clock.Now})
		t.Cleanup(func() { s.Close() })
		return s, err
	}
	m, _ := tui.NewModel(context.Background(), tui.Options{Name: "ferry", StateDir: dir, Err: err, Open: open, Now: clock.Now, Theme: "none",
		Status: func(string) tui.Status { return tui.Status{Name: "lamplighter"} }})
	d := uitest.New(t, m, clock, 80, 24)
	d.Wait("personas/adu.yaml:4:1")
	d.Wait("taboo")
	d.Exact(80, 24)
	d.Golden("broken-en-80x24", nil)
	d.Press("f5")
	d.Wait("the world does not load yet")
	d.Press("n", "enter", "esc")
	d.Wait("personas/adu.yaml:4:1")
	d.Press("r")
	d.Wait("faults left: 1")
	files["personas/adu.yaml"] = ferry["personas/adu.yaml"]
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("r")}) // twice, before the first has opened the store
	d.Send(screen.Reload{})
	d.Wait("Three qian of herbs")
	d.Settle()
	d.Exact(80, 24)
	if opened != 1 {
		t.Errorf("the store was opened %d times", opened)
	}
}
