// Package played gives the tests of the export formats a real tree: the demo
// world, played with authored lines.
package played

import (
	"context"
	"iter"
	"slices"
	"testing"

	"fabula/engine"
	"fabula/engine/recall"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/store"
	"fabula/worlds"
)

// authored answers every language with recalled lines.
type authored struct{ engine.Engine }

// Rungs gives the one engine.
func (a authored) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	return slices.Values([]engine.Rung{{Engine: a.Engine, Step: engine.StepRecall}})
}

// Turns plays the inputs below one opening in lang, and collects the tree.
func Turns(t *testing.T, lang string, inputs ...story.Input) export.Input {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script, Store: tree, Engines: authored{recall.New()}, Language: lang})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	b, _, err := s.Begin(story.Start{Name: "main"})
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(7)
	for _, in := range inputs {
		run, err := s.Say(context.Background(), b.ID, in, story.Options{Seed: &seed})
		if err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
		if b, _, err = run.Wait(); err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
	}
	out, err := export.Collect(s.Reader(), w.Script, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
