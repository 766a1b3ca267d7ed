package export_test

import (
	"os"
	"path/filepath"
	"testing"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
)

func TestWriteReplacesWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	for _, text := range []string{"first", "second, longer"} {
		if err := export.Write(dir, []export.File{{Name: "a/b.txt", Data: []byte(text)}}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "a", "b.txt"))
		if err != nil || string(got) != text {
			t.Errorf("the file holds %q, %v", got, err)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "a"))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	blocked := filepath.Join(dir, "a", "b.txt")
	if err := export.Write(blocked, []export.File{{Name: "c", Data: nil}}); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// A number once given stays when the tree grows.
func TestNumbersStay(t *testing.T) {
	first := story.Input{Text: "Who lit the lamp?"}
	short := played.Turns(t, "en", first)
	if n := len(short.Numbers); n != 2 {
		t.Fatalf("%d numbers, want the line and the reply", n)
	}
	long := played.Turns(t, "en", first, story.Input{Text: "Good evening."}, story.Input{Choose: "to_kitchen"}, story.Input{Text: "Hello."})
	ids := map[string]int{}
	for _, id := range long.Numbers {
		ids[id]++
	}
	for _, want := range []string{"player.hall.l0100", "player.hall.l0200", "laozhou.hall.l0100", "laozhou.hall.l0200", "player.kitchen.l0100"} {
		if ids[want] != 1 {
			t.Errorf("id %s was given %d times: %v", want, ids[want], ids)
		}
	}
}
