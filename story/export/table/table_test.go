package table_test

import (
	"slices"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export/played"
	"fabula/story/export/table"
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
