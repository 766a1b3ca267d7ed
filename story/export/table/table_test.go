package table_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/export/table"
	"fabula/worlds"
)

func TestStoryOrder(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}, story.Input{Choose: "to_kitchen"})
	rows := table.Rows(in)
	at := func(id string) int {
		i := slices.IndexFunc(rows, func(r table.Row) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("no row %s", id)
		}
		return i
	}
	order := []int{at("name:laozhou"), at("title:hall"), at("choice:hall.to_kitchen"), at("title:kitchen"), at("player.hall.l0100"), at("laozhou.hall.l0100")}
	if !slices.IsSorted(order) {
		t.Errorf("rows stand at %v", order)
	}
	if r := rows[at("laozhou.hall.l0100")]; r.Context != "player.hall.l0100" || r.Status != "recorded" || !r.Spoken() || !r.Literal || r.Source != "en" {
		t.Errorf("the reply is %+v", r)
	}
	if n := len(table.Order(in.Script)); n != len(in.Script.Nodes) {
		t.Errorf("%d nodes of %d", n, len(in.Script.Nodes))
	}
	in.ApprovedOnly = true
	for _, r := range table.Rows(in) {
		if r.Status == "draft" || r.Status == "recorded" {
			t.Errorf("%s is %s", r.ID, r.Status)
		}
	}
}

// Whatever is recorded, promoted, selected: no id is there twice.
func TestIDsAreUnique(t *testing.T) {
	in := played.Forks(t, "en")
	var ids []string
	for _, id := range in.Numbers {
		if !strings.HasPrefix(id, "player.") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	all := in.Branches
	rapid.Check(t, func(t *rapid.T) {
		patch, promoted := "nodes:\n", rapid.SliceOfDistinct(rapid.SampledFrom(ids), rapid.ID[string]).Draw(t, "promoted")
		for _, node := range w.Script.Nodes {
			head := "  - extend: " + node.ID + "\n    lines:\n"
			for _, id := range promoted {
				if part := strings.Split(id, "."); part[1] == node.ID {
					patch += head + "      - line: " + part[2] + "\n        by: " + part[0] + "\n        text: Promoted.\n"
					head = ""
				}
			}
		}
		in.Script = w.Script
		if len(promoted) > 0 {
			with, err := w.With([]worlds.AddedFile{{Name: "plot/promoted.yaml", Data: []byte(patch)}})
			if err != nil {
				t.Fatalf("%v in\n%s", err, patch)
			}
			in.Script = with.Script
		}
		in.Branches = rapid.SliceOfDistinct(rapid.SampledFrom(all), func(b export.Branch) story.ID { return b.ID }).Draw(t, "branches")
		times := map[string]int{}
		for _, r := range table.Rows(in) {
			if times[r.ID]++; times[r.ID] > 1 {
				t.Errorf("%s is there twice", r.ID)
			}
		}
		for _, id := range promoted {
			if times[id] != 1 {
				t.Errorf("the promoted %s is there %d times", id, times[id])
			}
		}
	})
}

// What no person played in the plot is for no translator, unless it is named.
func TestTrialsAreLeftOut(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"})
	has := func() bool {
		return slices.ContainsFunc(table.Rows(in), func(r table.Row) bool { return r.Status == "recorded" })
	}
	for _, tag := range []string{story.SimulatedTag, story.SandboxTag} {
		in.Branches[0].Tags = []string{tag}
		if in.Named = false; has() {
			t.Errorf("a %s branch is listed", tag)
		}
		if in.Named = true; !has() {
			t.Errorf("a %s branch that was named is left out", tag)
		}
	}
}

func TestPieces(t *testing.T) {
	in := played.Turns(t, "en")
	for text, want := range map[string]string{
		"Hello {player}!":    "Hello |<{player}>|!",
		"{player}{player}":   "<{player}>|<{player}>",
		"{{player}} {other}": "{{player}} {other}",
		"":                   "",
	} {
		var got []string
		for _, p := range table.Pieces(in.Script, table.Row{}, text) {
			if p.Placeholder {
				p.Text = "<" + p.Text + ">"
			}
			got = append(got, p.Text)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q is cut into %q", text, s)
		}
	}
	if p := table.Pieces(in.Script, table.Row{Literal: true}, "{player}"); len(p) != 1 || p[0].Placeholder {
		t.Errorf("a recorded text is cut into %v", p)
	}
}
