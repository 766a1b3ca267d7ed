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

// begin opens the demo world and a playthrough in lang.
func begin(t *testing.T, lang string) (*worlds.World, *story.Session, story.Branch) {
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
	return w, s, b
}

// say takes a turn and gives the branch as it then is.
func say(t *testing.T, s *story.Session, b story.Branch, in story.Input) story.Branch {
	t.Helper()
	seed := uint64(7)
	run, err := s.Say(context.Background(), b.ID, in, story.Options{Seed: &seed})
	if err == nil {
		b, _, err = run.Wait()
	}
	if err != nil {
		t.Fatalf("%+v: %v", in, err)
	}
	return b
}

func collect(t *testing.T, w *worlds.World, s *story.Session) export.Input {
	t.Helper()
	out, err := export.Collect(s.Reader(), w.Script, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Turns plays the inputs below one opening in lang, and collects the tree.
func Turns(t *testing.T, lang string, inputs ...story.Input) export.Input {
	t.Helper()
	w, s, b := begin(t, lang)
	for _, in := range inputs {
		b = say(t, s, b, in)
	}
	return collect(t, w, s)
}

// Forks is a tree with all that a branch can do: replies beside each other, a
// turn sent anew from further up, a jump, and NPCs who answer in turns.
func Forks(t *testing.T, lang string) export.Input {
	t.Helper()
	w, s, b := begin(t, lang)
	b = say(t, s, b, story.Input{Text: "Good evening."})
	first := b.Leaf
	b = say(t, s, b, story.Input{Choose: "leaves"})
	run, err := s.Retry(context.Background(), b.ID, first, story.Options{})
	if err == nil {
		_, _, err = run.Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	slope, _, err := s.Jump(b.ID, story.Start{Node: "herb_slope", Name: "slope"})
	if err != nil {
		t.Fatal(err)
	}
	slope = say(t, s, slope, story.Input{Text: "你们好。Hello, both.\n\n# two"})
	say(t, s, slope, story.Input{Choose: "keeps"})
	return collect(t, w, s)
}
