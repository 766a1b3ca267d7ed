package main

import (
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story"
	"fabula/story/store"
	"fabula/worlds"
)

// Ensure that @N names a turn, unless a branch is called so.
func TestStepsOf(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script, Store: tree})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{"main", "draft@2"} {
		if _, _, err := s.Begin(story.Start{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for ref, want := range map[string]int{"main": 1, "main@0": 1, "draft@2": 1, "draft@2@0": 1, "main@1": 0, "draft@1": 0, "main@": 0} {
		if steps, err := stepsOf(s.Reader(), ref); len(steps) != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %d steps, %v", ref, len(steps), err)
		}
	}
}

// Ensure that a reply that a person stopped does not read as a failure.
func TestPrintStepSaysStopped(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	for reason, want := range map[engine.Reason]string{engine.Cancelled: "[stopped before a word came]\n", engine.Fault: "[failed]\n"} {
		var b strings.Builder
		s := story.Step{Turn: story.Turn{Status: story.Failed}, Alternative: story.Alternative{Reply: &story.Reply{Reason: reason}}}
		if printStep(&b, w.Script, s, "en", "en"); !strings.HasSuffix(b.String(), want) {
			t.Errorf("%s: %q, want %q at its end", reason, b.String(), want)
		}
	}
}
