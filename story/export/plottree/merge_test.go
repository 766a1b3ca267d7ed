package plottree_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/export/plottree"
)

func built(t *testing.T, in export.Input) *plottree.Document {
	t.Helper()
	d, err := plottree.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Two writers played the same world: both keep what they said, the second one's
// lines get ids of their own, and merging again gives the same.
func TestMergeTwoWriters(t *testing.T) {
	ours := built(t, played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}))
	theirs := built(t, played.Turns(t, "en", story.Input{Text: "Good evening."}, story.Input{Choose: "to_kitchen"}))
	ids := export.NewLedger()
	for _, l := range ours.Lines {
		if l.From != nil {
			ids.Adopt(export.Utterance{Turn: l.From.Turn, Alternative: l.From.Alternative}, l.ID)
		}
	}
	merged, conflicts, renumbered, err := plottree.Merge(ours, theirs, ids)
	if err != nil || len(conflicts) > 0 {
		t.Fatal(conflicts, err)
	}
	if want := (plottree.Renumbered{Old: "player.hall.l0100", New: "player.hall.l0200"}); len(renumbered) != 2 || renumbered[0] != want {
		t.Errorf("renumbered: %v, want %v first", renumbered, want)
	}
	texts := map[string]string{}
	for _, l := range merged.Lines {
		texts[l.ID] = l.Text["en"]
	}
	if texts["player.hall.l0100"] != "Who lit the lamp?" || texts["player.hall.l0200"] != "Good evening." {
		t.Errorf("lines are %q and %q", texts["player.hall.l0100"], texts["player.hall.l0200"])
	}
	if c := merged.Coverage; len(c.Branches) != 2 || c.Nodes["hall"] != 2 || c.Edges["hall.to_kitchen"] != 1 || c.Turns != 3 {
		t.Errorf("coverage: %+v", c)
	}
	first, err := plottree.Encode(merged)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plottree.Load(bytes.NewReader(first)); err != nil {
		t.Error(err)
	}
	again, _, _, err := plottree.Merge(ours, theirs, ids)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := plottree.Encode(again); err != nil || !bytes.Equal(first, second) {
		t.Errorf("merged again, it differs (%v)", err)
	}
	whole, conflicts, renumbered, err := plottree.Merge(merged, theirs, ids)
	if err != nil || len(conflicts)+len(renumbered) > 0 || len(whole.Lines) != len(merged.Lines) {
		t.Errorf("what is in it already was added: %v %v %v", conflicts, renumbered, err)
	}
}

func TestMergeNamesConflicts(t *testing.T) {
	in := played.Turns(t, "en")
	ours := built(t, in)
	other := played.Turns(t, "en")
	other.Script.Node("hall").Lines[1].Text.By["en"] = "Another text."
	other.Script.Node("kitchen").Title.By["en"] = "The cook house"
	_, conflicts, _, err := plottree.Merge(ours, built(t, other), export.NewLedger())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []plottree.Conflict{{Kind: "line", ID: "laozhou.hall.welcome"}, {Kind: "node", ID: "kitchen"}} {
		if !slices.Contains(conflicts, want) {
			t.Errorf("conflicts are %v, want %v among them", conflicts, want)
		}
	}
	if len(conflicts) != 2 {
		t.Errorf("conflicts: %v", conflicts)
	}
	theirs := built(t, other)
	theirs.World = "elsewhere"
	if _, _, _, err := plottree.Merge(ours, theirs, export.NewLedger()); !errors.Is(err, plottree.ErrWorlds) || !strings.Contains(err.Error(), "elsewhere") {
		t.Error(err)
	}
}
