package main

import (
	"testing"

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
