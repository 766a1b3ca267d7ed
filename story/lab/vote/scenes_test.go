package vote_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/story"
	"fabula/story/lab/sets"
	"fabula/story/lab/vote"
)

// path has a turn for every two texts: what the player says, and the answer.
func path(id string, texts ...string) []story.Step {
	var out []story.Step
	for i := 0; i < len(texts); i += 2 {
		out = append(out, story.Step{
			Turn:        story.Turn{Depth: i / 2, Input: story.Input{Text: texts[i]}},
			Alternative: story.Alternative{ID: story.ID(id + texts[i+1]), Speaker: "bo", Text: texts[i+1], Reply: &story.Reply{}},
		})
	}
	return out
}

func names(by string) string { return "<" + by + ">" }

// What all said alike is no part of the scene, whoever said it where; a scene has
// so many turns and no more.
func TestEndings(t *testing.T) {
	s, left := vote.Endings("x", [][]story.Step{
		path("a", "Hi", "Ho", "Who?", "Me.", "Why?", "So."),
		path("b", "Hi", "Ho", "Who?", "You."),
	}, 1, names)
	want := vote.Scene{Name: "x", Before: []vote.Line{{By: "<player>", Text: "Hi"}, {By: "<bo>", Text: "Ho"}}, Said: [][]vote.Line{
		{{By: "<player>", Text: "Who?"}, {By: "<bo>", Text: "Me."}}, {{By: "<player>", Text: "Who?"}, {By: "<bo>", Text: "You."}},
	}}
	if d := cmp.Diff(want, s); d != "" || left != 1 {
		t.Errorf("%d turns left out\n%s", left, d)
	}
}

// A side ends before a reply that broke off.
func TestEndingsAreWhole(t *testing.T) {
	for _, reason := range []engine.Reason{engine.Cancelled, engine.Interrupted, engine.Fault} {
		torn := path("a", "Who?", "Me.", "Why?", "Be", "Well?", "So.")
		torn[1].Alternative.Reply.Reason = reason
		s, left := vote.Endings("x", [][]story.Step{torn, path("b", "Who?", "You.")}, 8, names)
		if len(s.Said[0]) != 2 || s.Said[0][1].Text != "Me." || len(s.Said[1]) != 2 || left != 2 {
			t.Errorf("%s: %d turns left out of %+v", reason, left, s)
		}
	}
}

// A turn that one candidate did not answer ends the scene before it.
func TestRetold(t *testing.T) {
	p := path("a", "1", "one", "2", "two", "3", "three", "4", "four")
	full := map[story.ID]string{"aone": "I", "atwo": "II", "athree": "III", "afour": "IV"}
	gap := map[story.ID]string{"aone": "i", "atwo": "ii", "afour": "iv"}
	got := vote.Retold(func(n int) string { return string(rune('0' + n)) }, p, []map[story.ID]string{full, gap}, 2, names)
	if len(got) != 2 || got[0].Name != "0" || got[1].Name != "3" || len(got[0].Said[0]) != 4 || len(got[1].Said[1]) != 2 {
		t.Fatalf("%+v", got)
	}
	if x := got[1].Said[1][1].Text; x != "iv" {
		t.Errorf("the second says %q", x)
	}
	if x := got[1].Before[3].Text; x != "three" {
		t.Errorf("before the second scene: %q, want what is recorded", x)
	}
	if p[0].Alternative.Text != "one" {
		t.Error("the path was changed")
	}
}

func TestAnswered(t *testing.T) {
	sample := func(id, reply string) sets.Sample {
		return sets.Sample{ID: id, Persona: "bo", Reply: reply, Messages: []engine.Message{
			{Role: engine.System, Parts: []string{"You are Bo."}}, {Role: engine.User, Parts: []string{"Hi"}}}}
	}
	got := vote.Answered([][]sets.Sample{{sample("1", "a"), sample("2", "b")}, {sample("2", "c")}}, names)
	want := []vote.Scene{{Name: "2", Before: []vote.Line{{By: "<player>", Text: "Hi"}}, Said: [][]vote.Line{{{By: "<bo>", Text: "b"}}, {{By: "<bo>", Text: "c"}}}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
