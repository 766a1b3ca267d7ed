package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fabula/story"
	"fabula/tui/screen/personas"
)

// Ensure that a line is tried on three seeds outside the plot, that the replies
// stand beside each other and are kept in a branch that says so.
func TestPersonasTryALine(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 160, h: 40})
	b.Wait("Adu")
	b.Press("f3")
	b.Wait("v1")
	b.Press("t")
	b.Type("here are the herbs")
	b.Press("enter")
	tried := func() (story.Branch, bool) {
		all, err := b.session.Reader().Branches()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(x story.Branch) bool { return slices.Contains(x.Tags, personas.TryTag) })
		return all[max(i, 0)], i >= 0
	}
	alternatives := 0
	b.Until("three replies in the store", func() bool {
		x, ok := tried()
		if !ok {
			return false
		}
		steps, err := b.session.Reader().Path(x.Leaf)
		if err != nil || len(steps) < 2 {
			return false
		}
		alternatives = len(steps[1].Turn.Children)
		return alternatives == 3 && steps[1].Alternative.Status == story.Finished
	})
	b.Until("the replies on screen", func() bool { return strings.Count(b.Plain(), "seed ") == 3 })
	b.Exact(160, 40)
	if x, _ := tried(); !slices.Contains(x.Tags, story.SandboxTag) {
		t.Errorf("the branch is tagged %v", x.Tags)
	}
	if st := b.session.Running(""); st != nil {
		t.Errorf("something still runs: %v", st)
	}
	b.Until("the chat", func() bool { // the last of the replies may not have been seen yet: esc stops it first
		b.Press("esc")
		return strings.Contains(b.Plain(), "[F5 Chat]")
	})
}

// Ensure that a version is known by the replies that were made with it, and that
// it can be compared with the present one.
func TestPersonasVersions(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("f3")
	b.Wait("v1")
	b.Press("v")
	b.Wait(fmt.Sprintf("v%d  replies: %d", 1, 1))
	b.Press("c")
	b.Wait("What reaches the model is the same.")
	b.Press("a")
	b.Wait("Nothing is wrong with this file.")
	b.Exact(120, 40)
}
