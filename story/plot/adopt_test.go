package plot_test

import (
	"reflect"
	"strings"
	"testing"

	"fabula/story/plot"
)

// "After an edit of the world the next turn uses the new files: new variables
// default, out-of-domain values clamp with a finding, a vanished node offers a
// jump."
func TestAdopt(t *testing.T) {
	s := ferry(t)
	old := plot.State{
		Node: "landing",
		Vars: map[string]plot.Value{
			"day": plot.IntValue(3), "herbs": plot.IntValue(9), "trust_adu": plot.BoolValue(true),
			"weather": plot.EnumValue("fog"), "coins": plot.IntValue(2),
		},
	}
	got, faults := s.Adopt(old)
	want := map[string]plot.Value{
		"day": plot.IntValue(3), "herbs": plot.IntValue(3), "trust_adu": plot.IntValue(0), "sold_adu": plot.BoolValue(false),
		"weather": plot.EnumValue("clear"), "sky": plot.EnumValue("rain"),
	}
	if !reflect.DeepEqual(got.Vars, want) {
		t.Errorf("variables %v", got.Vars)
	}
	lines := strings.Join(told(faults), "\n")
	for _, part := range []string{"state_clamped herbs|9|3", "state_clamped trust_adu|true|0", "state_clamped weather|fog|clear", "state_variable_gone coins|2"} {
		if !strings.Contains(lines, part) {
			t.Errorf("no %s in\n%s", part, lines)
		}
	}
	if len(faults) != 4 || old.Vars["herbs"] != plot.IntValue(9) {
		t.Errorf("%d faults; the old state: %v", len(faults), old.Vars)
	}
}

func TestAdoptRenames(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    was: [quay, pier]
    anchors: [{id: a, by: adu, say: x}]
    beats: [{beat: gives, was: [gift]}]
    exits: [{exit: on, was: [away], to: landing}]
    lines: [{line: now, was: [then], by: adu, text: x}]
`)
	one := func(key string) map[string]int { return map[string]int{key: 1} }
	got, faults := s.Adopt(plot.State{
		Node: "pier", Beats: map[string]int{"quay.gift": 1, "landing.gives": 2}, Exits: one("landing.away"), Visits: one("quay"),
		Told: one("ferryman.name"), Greeted: one("ferryman"), Anchors: one("pier.a"), Learned: one("ferryman:quay.gift"),
		Days: one("pier.away"), InTurn: []string{"pier.gives"}, Speaker: "ferryman", Confirm: "away", Turns: 3, Ended: true,
	})
	if len(faults) != 0 {
		t.Error(told(faults))
	}
	want := plot.State{
		Node: "landing", Vars: s.Initial().Vars, Beats: map[string]int{"landing.gives": 3}, Exits: one("landing.on"), Visits: one("landing"),
		Told: one("adu.name"), Greeted: one("adu"), Anchors: one("landing.a"), Learned: one("adu:landing.gives"),
		Days: one("landing.on"), InTurn: []string{"landing.gives"}, Speaker: "adu", Confirm: "on", Turns: 3, Ended: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if s.Node("quay") == nil || s.Persona("ferryman") == nil || s.Line("ferryman.pier.then") == nil || s.Beat("pier.gift") == nil || s.Exit("quay.on") == nil {
		t.Error("earlier ids find nothing")
	}
}

func TestAdoptVanishedNode(t *testing.T) {
	s := ferry(t)
	st, faults := s.Adopt(plot.State{Node: "yamin", Vars: s.Initial().Vars})
	if got := told(faults); st.Node != "yamin" || len(got) != 1 || got[0] != " state_node_gone yamin|yamen" {
		t.Errorf("%s: %v", st.Node, got)
	}
	if s.Offers(st, "en") != nil || s.Auto(st) != nil || s.PlayerBeats(&st, "x", "en") != nil || s.Anchors(&st, "adu", "x", "en") != nil {
		t.Error("a node that is gone has neither exits nor beats")
	}
	if lines, changes := s.Enter(&st, "nowhere", "en"); lines != nil || changes != nil || st.Node != "yamin" {
		t.Error("entered an unknown node")
	}
}
