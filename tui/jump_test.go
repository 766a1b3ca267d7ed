package tui_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fabula/story"
	"fabula/tui/screen"
)

// Ensure that a person can go to any node: by tab or past the end of the
// branches, on a new branch that says that it was forced.
func TestJumpToANode(t *testing.T) {
	t.Parallel()
	for _, way := range [][]string{{"tab", "j"}, {"j", "j"}} {
		b := open(t, setting{})
		b.Wait("Adu")
		b.Press("f2")
		b.Wait("Nodes")
		b.Press(way...)
		b.Wait("enter jump")
		b.Wait("> The shop shop")
		b.Exact(80, 24)
		b.Press("enter")
		b.Wait("→      jumped to The shop")
		b.Wait("Drawers up to the beams")
		b.Wait("branch landing-1-1 begins at The shop")
		all, err := b.session.Reader().Branches()
		if err != nil || len(all) != 2 || !slices.Contains(all[0].Tags, story.ForcedTag) {
			t.Errorf("%v: branches %+v, %v", way, all, err)
		}
		b.Press("f6")
		b.Wait("1 jumped to The shop / Drawers")
	}
}

// Ensure that a branch whose node an edit took away is no dead end, and does not
// claim that the story is over.
func TestVanishedNodeIsNoDeadEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{dir: dir})
	b.Wait("Adu")
	b.Press("esc", "1")
	b.idle()
	b.Press("2")
	b.Wait("The end")
	b.idle()
	b.close(t)

	files := maps.Clone(ferry)
	act := strings.NewReplacer("node: boat", "node: deck", "to: boat", "to: deck").Replace(string(ferry["plot/act1.yaml"].Data))
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(act)}
	b = open(t, setting{dir: dir, files: files})
	b.Wait("boat is gone from this world: F2 lists the nodes, tab and enter jump to one")
	if strings.Contains(b.Plain(), "The end") {
		t.Errorf("the end of a node that is not there:\n%s", b.Plain())
	}
	b.Type("hello")
	b.Press("enter")
	b.Wait("! boat is gone")
	b.Wait("(your text is kept)")
	b.Exact(80, 24)
	b.Press("f2", "tab", "j", "enter")
	b.Wait("Drawers up to the beams")
	b.Wait("Qin answers")
	b.Press("enter")
	b.Wait("you  hello")
	b.idle()
}

// Ensure that a branch which is read anew leaves the selection where the person
// moved it: the next key is meant for the turn that is selected.
func TestSelectionSurvivesReading(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.say("two", "somebody")
	b.Press("esc", "k")
	b.Until("the first turn is selected", func() bool { return strings.Contains(b.Row("you  one"), ">") })
	all, err := b.session.Reader().Branches()
	if err != nil {
		t.Fatal(err)
	}
	b.Send(screen.Changed{Branch: all[0].ID})
	b.idle()
	if row := b.Row("you  one"); !strings.Contains(row, ">") {
		t.Errorf("the selection went elsewhere:\n%s", b.Plain())
	}
}
