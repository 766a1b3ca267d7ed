package main_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"fabula/engine"
	"fabula/engine/tensorrt"
	"fabula/story/lab/calibrate"
	"fabula/story/lab/sets"
)

// Ensure that an engine is built with the samples that `calibrate` writes, and carries
// the id of their draw: of the first where the folder is named.
func TestEnginesCarryTheirDraw(t *testing.T) {
	var all []sets.Sample
	for i := range 90 {
		all = append(all, sets.Sample{ID: fmt.Sprint(i), Persona: "bo", Language: "en", Reply: fmt.Sprint("Reply ", i*i*7919),
			Messages: []engine.Message{{Role: engine.User, Parts: []string{fmt.Sprint("Question ", i*i*104729)}}}})
	}
	set, err := calibrate.Choose(all, calibrate.Options{Size: 20, Draws: 2})
	if err != nil {
		t.Fatal(err)
	}
	dir, m := t.TempDir(), &calibrate.Manifest{}
	if err := set.Write(dir, m, false); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]calibrate.File{dir: m.Draws[0], filepath.Join(dir, m.Draws[0].File): m.Draws[0], filepath.Join(dir, m.Draws[1].File): m.Draws[1]} {
		c, err := tensorrt.ReadCalibration(path)
		if err != nil || c.ID != want.ID || c.Len() != want.Samples {
			t.Errorf("%s: %+v, %v; want %s", path, c, err, want.ID)
		}
	}
	if m.Draws[0].ID == m.Draws[1].ID {
		t.Error("both draws are one")
	}
}
