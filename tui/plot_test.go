package tui_test

import (
	"testing"

	"fabula/story"
)

// Ensure that edges are walked, that a search moves the selection as it is
// written, and that leaving it goes back.
func TestPlotIsWalked(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("f4")
	b.Wait(">")
	at := func(id string) {
		t.Helper()
		if b.Row("node      "+id) == "" {
			t.Fatalf("the selection is not at %s:\n%s", id, b.Plain())
		}
	}
	at("landing")
	b.Press("right")
	at("shop")
	b.Press("left")
	at("landing")
	b.Press("/")
	b.Type("boat")
	at("boat")
	b.Press("esc")
	at("landing")
	b.Press("/")
	b.Type("boat")
	b.Press("enter")
	at("boat")
	b.Press("o")
	b.Wait("└─")
	at("boat")
	b.Press("g")
	at("landing")
	b.Exact(120, 40)
}

// Ensure that a chat begins at a node: below a turn that was played there, else
// by a jump that is marked forced.
func TestPlotBeginsAChat(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("f4", "right")
	b.Wait("n: jumps here from the chat")
	b.Press("n")
	b.Wait("(forced: nobody has played here)")
	forced, err := b.session.Reader().Branch("landing-1-1")
	if err != nil || len(forced.Tags) != 1 || forced.Tags[0] != story.ForcedTag {
		t.Errorf("the branch that was jumped on: %+v, %v", forced, err)
	}
	b.Press("f4", "g")
	b.Wait("n: a new branch from landing-1-1, turn 1")
	b.Press("n")
	b.Wait("begins where landing-1-1 was at turn 1")
	all, err := b.session.Reader().Branches()
	if err != nil || len(all) != 3 {
		t.Errorf("branches %+v, %v", all, err)
	}
}

// Ensure that a shortest way to a node is shown, turn by turn, after a search.
func TestPlotShowsAWay(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("f4", "right", "s")
	b.Wait("A shortest way here, turns: 1")
	b.Wait("1. choose landing.to_shop → shop")
	b.Wait("findings: ")
	b.Press("esc")
	b.Wait("reach     proven")
	b.Exact(120, 40)
}
